import { isJsonObject, type JsonObject } from "./json.ts";
import { limits } from "./limits.ts";
import { toPlainJson } from "./strict-json.ts";
import { checkToolName } from "./tool-name.ts";

/** Settings of tools' own, by the tools' names: what each finds in `ctx.config`. */
export type ToolSettings = Readonly<Record<string, JsonObject>>;

/** The problem with settings, and the keys that lead to it. */
interface WrongSettings {
  path: string[];
  message: string;
}

/** A copy as plain JSON, or all that is wrong. */
export function readToolSettings(given: unknown): { settings: ToolSettings } | { wrong: WrongSettings[] } {
  if (!isJsonObject(given)) return { wrong: [{ path: [], message: "expected the settings of tools by their names" }] };
  const names = Object.keys(given);
  if (names.length > mostTools)
    return { wrong: [{ path: [], message: `${names.length} tools, at most ${mostTools}` }] };
  const wrong: WrongSettings[] = [];
  const settings = names.map((name): [string, JsonObject] => {
    const read = settingsOf(name, given[name]);
    if ("settings" in read) return [name, read.settings];
    wrong.push({ path: [name], message: read.message });
    return [name, {}];
  });
  return wrong.length > 0 ? { wrong } : { settings: Object.fromEntries(settings) };
}

/** Tools that may have some; no model is offered as many. */
const mostTools = 200;

function settingsOf(name: string, given: unknown): { settings: JsonObject } | { message: string } {
  try {
    checkToolName(name);
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  const read = toPlainJson(given);
  if (!read.ok) return { message: read.message };
  if (!isJsonObject(read.value)) return { message: "expected an object, which the tool finds in ctx.config" };
  const bytes = Buffer.byteLength(JSON.stringify(read.value));
  const { most } = limits.toolSettings;
  return bytes > most ? { message: `${bytes} bytes as JSON, at most ${most}` } : { settings: read.value };
}

/** Whose the tool of that name is, where the settings are not for it. */
type NotTheirs = "no tool" | "builtin" | "user" | "project";

const whose: Record<NotTheirs, string> = {
  "no tool": "no tool of this session has this name",
  builtin: "the agent's own tool of this name has no settings",
  user: "the tool of this name is yours, and has the settings of your own config.json alone",
  project: "the tool of this name is the project's, and has the settings of the project alone",
};

/** That settings have no effect, and why. @param from the file that they stand in, in words */
export const unusedText = (name: string, why: NotTheirs, from = ""): string =>
  `toolSettings.${name}${from} has no effect: ${whose[why]}`;
