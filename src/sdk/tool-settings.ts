import type { JsonObject } from "../core/json.ts";
import { toPlainJson } from "../core/strict-json.ts";
import { readToolSettings, type ToolSettings } from "../core/tool-settings.ts";
import type { AgentOptions } from "./agent-options.ts";

/** The settings that tools find in `ctx.config`, as they were when the agent was made. */
export interface SettingsOfTools {
  readonly all: JsonObject;
  readonly byName: ToolSettings;
}

/** @throws TypeError naming the key of what is no plain JSON, or too much of it */
export function readSettings({ config = {}, toolSettings = {} }: AgentOptions): SettingsOfTools {
  const all = toPlainJson(config);
  if (!all.ok) throw new TypeError(`config: ${all.message}`);
  const read = readToolSettings(toolSettings);
  if ("settings" in read) return { all: all.value as JsonObject, byName: read.settings };
  const [{ path, message } = { path: [], message: "" }] = read.wrong;
  throw new TypeError(`${["toolSettings", ...path].join(".")}: ${message}`);
}

/** Returns the settings that one tool finds there: its own beside those of all, and in the place of those with the same name. */
export const settingsFor = ({ all, byName }: SettingsOfTools, tool: string): JsonObject => ({
  ...all,
  ...(Object.hasOwn(byName, tool) ? byName[tool] : {}),
});
