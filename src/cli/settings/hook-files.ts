import { statSync } from "node:fs";
import { join } from "node:path";
import type { HookSettings } from "../../tools/hooks/hooks.ts";

/** Files that commands of hooks name by their whole paths: they run by themselves, so no call may write them. */
export function hookFiles(hooks: HookSettings | undefined, home: string | undefined): string[] {
  const commands = Object.values(hooks ?? {}).flatMap((all) => all.map(({ command }) => command));
  const words = commands.flatMap((command) => command.split(/[\s"';&|<>()=]+/u));
  const paths = words.flatMap((word) => {
    const inHome = /^(?:~|\$HOME|\$\{HOME\})\/(?<rest>.+)$/u.exec(word)?.groups?.["rest"];
    if (inHome !== undefined) return home === undefined ? [] : [join(home, inHome)];
    return word.startsWith("/") ? [word] : [];
  });
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
