import type { Tool } from "../core/tool.ts";
import type { ToolSettings } from "../core/tool-settings.ts";
import type { ToolOrigin } from "../tools/own/open-own-tools.ts";
import { notices } from "../words/en/notices.ts";

/** Whoever brings tools brings their settings: those of the person's config.json never reach a project's tool, nor the other way round. */
export type SettingsByOrigin = Readonly<Record<ToolOrigin, ToolSettings>>;

/** The tools of a session, and where each is from. */
export interface SettledTools {
  tools: readonly Tool[];
  sourceOf(tool: Tool): "builtin" | ToolOrigin;
  /** Names of the agent's own. */
  taken: readonly string[];
}

export const hasSettings = ({ user, project }: SettingsByOrigin): boolean =>
  Object.keys(user).length + Object.keys(project).length > 0;

/** Settings that no tool has, each in words. */
export async function unusedSettings(settings: SettingsByOrigin, at: SettledTools): Promise<string[]> {
  const { unusedText } = await import("../core/tool-settings.ts");
  const { tools, sourceOf, taken } = at;
  const whose = (name: string) => {
    const tool = tools.find((one) => one.name === name);
    if (tool !== undefined) return sourceOf(tool);
    return taken.includes(name) ? "builtin" : "no tool";
  };
  const of = (origin: ToolOrigin, from: string): string[] =>
    Object.keys(settings[origin]).flatMap((name) => {
      const found = whose(name);
      return found === origin ? [] : [unusedText(name, found, from)];
    });
  return [...of("user", notices().ofUser), ...of("project", notices().ofProject)];
}
