import type { HookSettings, Hooks } from "../tools/hooks/hooks.ts";
import type { ShellSettings } from "../tools/shell/running/surroundings.ts";

/** The hooks of the person's settings, for work in these folders; nothing is loaded for none. @param given what commands get here */
export async function hooksFor(
  settings: HookSettings | undefined,
  given: ShellSettings,
  roots: () => Promise<readonly string[]>,
): Promise<Hooks | undefined> {
  if (settings === undefined) return undefined;
  const [{ createHooks }, { claudeTools }, folders] = await Promise.all([
    import("../tools/hooks/hooks.ts"),
    import("./import/their-tools.ts"),
    roots(),
  ]);
  const { env, shellEnv, shellPath } = given;
  return createHooks(settings, { shell: { env, shellEnv, shellPath }, aliases: claudeTools, roots: folders });
}
