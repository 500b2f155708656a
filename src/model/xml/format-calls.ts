import type { Json, JsonObject } from "../../core/json.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { parameterOf, typesOf, writeTyped } from "./typed-values.ts";

/** Text in CDATA; where it holds `]]>`, in two parts or more. */
export const cdata = (text: string): string => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

/** A call as the model is to write it. `tool` is undefined for a name that no tool has: its values are then of any type. */
export function formatCall(name: string, params: JsonObject, tool: ToolSchema | undefined): string {
  const written = Object.entries(params).map(
    ([param, value]) => `    <${param}>${cdata(textIn(tool, param, value))}</${param}>`,
  );
  return ["<tool_call>", `  <name>${name}</name>`, "  <params>", ...written, "  </params>", "</tool_call>"].join("\n");
}

const textIn = (tool: ToolSchema | undefined, param: string, value: Json): string =>
  writeTyped(value, typesOf(tool && parameterOf(tool, param), tool?.parameters ?? {}));

export interface WrittenResult {
  name: string;
  callId: string;
  status: string;
  output: string;
}

/** Writes the text that the model reads of a call that has ended, or waits. */
export const formatResult = ({ name, callId, status, output }: WrittenResult): string =>
  [
    "<tool_result>",
    `  <name>${name}</name>`,
    `  <call>${callId}</call>`,
    `  <status>${status}</status>`,
    `  <output>${cdata(output === "" ? "(no output)" : output)}</output>`,
    "</tool_result>",
  ].join("\n");
