import { statSync } from "node:fs";
import { join } from "node:path";
import type { HookSettings } from "../../tools/hooks/hooks.ts";

/**
 * Files that commands of hooks name by their whole paths: they run by themselves, so no call may write them. One that is not there yet, or cannot be
 * looked at, is one too.
 */
export function hookFiles(hooks: HookSettings | undefined, home: string | undefined): string[] {
  const commands = Object.values(hooks ?? {}).flatMap((all) => all.map(({ command }) => command));
  const paths = commands.flatMap(wordsOf).flatMap((word) => {
    const inHome = /^(?:~|\$HOME|\$\{HOME\})\/(?<rest>.+)$/u.exec(word)?.groups?.["rest"];
    if (inHome !== undefined) return home === undefined ? [] : [join(home, inHome)];
    return word.startsWith("/") ? [word] : [];
  });
  return [...new Set(paths)].filter(mayBeFile);
}

/** Finds all that may be a path: words, and texts in quotes or with blanks behind a backslash as the shell takes them. */
const wordsOf = (command: string): string[] => [
  ...command.split(/[\s"';&|<>()=]+/u),
  ...[...command.matchAll(/"([^"]*)"|'([^']*)'/gu)].map(([, double, single]) => double ?? single ?? ""),
  ...(command.match(/(?:\\.|[^\s"';&|<>()=\\])+/gsu) ?? []).map((word) => word.replace(/\\(.)/gsu, "$1")),
];

function mayBeFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return !path.includes("\0");
  }
}
