import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { nearestName } from "../../core/nearest-name.ts";
import type { Tool } from "../../core/tool.ts";
import { plainToolSchema, type ToolSchema } from "../../tools/use/schema.ts";
import type { WrittenCall } from "./read-call.ts";
import { CallReader, type XmlPiece } from "./read-calls.ts";
import { parameterOf, readTyped, typesOf } from "./typed-values.ts";

export type XmlErrorKind =
  /** The call is not of the form that the instructions show. */
  | "PARSE"
  /** The text ends in the middle of a call. */
  | "INCOMPLETE"
  /** A value is not of the parameter's type. */
  | "TYPE"
  /** A required parameter is not there. */
  | "MISSING"
  | "UNKNOWN_TOOL"
  | "UNKNOWN_PARAM"
  /** A parameter stands there twice. */
  | "DUPLICATE";

export interface XmlCallError {
  kind: XmlErrorKind;
  /** As far as it was read. */
  tool?: string;
  param?: string;
  message: string;
  /** Its place in the text: an offset in UTF-16 units. */
  start: number;
}

export interface XmlToolCall {
  name: string;
  /** By the types of the tool's schema. */
  params: JsonObject;
  /** Its place in the text: offsets in UTF-16 units, the second one behind it. */
  start: number;
  end: number;
}

export interface ParsedToolCalls {
  /** Calls without any error, in their order. */
  calls: XmlToolCall[];
  errors: XmlCallError[];
  /** The text without its calls; calls that are only shown (in code, a quote, a list's item, a comment) are text. */
  text: string;
}

/** A tool of the SDK whose arguments and description are no functions, or what `toolSchema` made of any tool. */
export type DescribedTool = Tool | ToolSchema;

/** @throws TypeError for what is no list of tools, and for a tool that is described only in a session. */
export function schemasOf(tools: readonly DescribedTool[]): ToolSchema[] {
  if (!Array.isArray(tools) || !tools.every(isDescribed))
    throw new TypeError("tools must be a list of tools, or of what toolSchema makes of them");
  return tools.map((tool) => ("parameters" in tool ? tool : plainToolSchema(tool)));
}

const isDescribed = (tool: unknown): tool is DescribedTool =>
  typeof tool === "object" && tool !== null && ("parameters" in tool || "args" in tool);

/**
 * The tool calls of a text, `<tool_call><name>…</name><params>…</params></tool_call>`, with values of the types that the
 * tools' schemas say. A call with an error is in `errors` alone. Linear in the text's length.
 * @throws TypeError for a text that is none, and for a tool that is described only in a session: give what `toolSchema` makes of it.
 */
export function parseXmlToolCalls(text: string, tools: readonly DescribedTool[]): ParsedToolCalls {
  if (typeof text !== "string")
    throw new TypeError(`text must be a string, not ${text === null ? "null" : typeof text}`);
  const schemas = schemasOf(tools);
  const reader = new CallReader();
  const parsed: ParsedToolCalls = { calls: [], errors: [], text: "" };
  const take = (piece: XmlPiece): void => {
    if (piece.type === "text") parsed.text += piece.text;
    if (piece.type !== "call") return;
    const { start, end } = piece.call;
    const { name, params, errors } = typedCall(piece.call, schemas);
    if (errors.length === 0) parsed.calls.push({ name, params, start, end });
    parsed.errors.push(...errors);
  };
  for (const piece of reader.push(text)) take(piece);
  for (const piece of reader.end()) take(piece);
  return parsed;
}

export interface TypedCall {
  name: string;
  /** The parameters: one that could not be read as its type is its text; of one that stands there twice, the first. */
  params: JsonObject;
  errors: XmlCallError[];
}

/** A written call with the types that its tool's schema says, and all that is wrong with it. */
export function typedCall(call: WrittenCall, schemas: readonly ToolSchema[]): TypedCall {
  const { name, fault, start } = call;
  const tool = schemas.find((one) => one.name === name);
  const of = name === "" ? {} : { tool: name };
  const params = new Map<string, Json>();
  const errors: XmlCallError[] = fault === undefined ? [] : [{ ...of, ...fault }];
  if (tool === undefined && fault === undefined)
    errors.push({ kind: "UNKNOWN_TOOL", ...of, message: unknownTool(name, schemas), start });
  for (const { name: param, text, start } of call.params) {
    const { value, ...wrong } = typedParam(param, text, tool);
    if (wrong.kind !== undefined) errors.push({ ...wrong, ...of, param, start });
    if (params.has(param))
      errors.push({ kind: "DUPLICATE", ...of, param, message: `<${param}> stands in one call twice`, start });
    else params.set(param, value);
  }
  const missing = fault === undefined && tool !== undefined ? requiredOf(tool).filter((one) => !params.has(one)) : [];
  for (const param of missing)
    errors.push({ kind: "MISSING", ...of, param, message: `${name} needs <${param}>`, start });
  return { name, params: Object.fromEntries(params), errors };
}

type TypedParam = { value: Json } & ({ kind: XmlErrorKind; message: string } | { kind?: undefined });

function typedParam(param: string, text: string, tool: ToolSchema | undefined): TypedParam {
  const schema = tool && parameterOf(tool, param);
  const typed = readTyped(text, typesOf(schema, tool?.parameters ?? {}));
  const value = typed.ok ? typed.value : text;
  if (tool !== undefined && schema === undefined && !isOpen(tool))
    return { value, kind: "UNKNOWN_PARAM", message: `${tool.name} has no parameter ${param}` };
  return typed.ok ? { value } : { value, kind: "TYPE", message: `<${param}>: ${typed.message}` };
}

function unknownTool(name: string, schemas: readonly ToolSchema[]): string {
  const names = schemas.map((one) => one.name);
  const near = nearestName(name, names);
  const hint = near === undefined ? `the tools are ${names.join(", ")}` : `did you mean ${near}?`;
  return `there is no tool ${JSON.stringify(name)}; ${hint}`;
}

/** Takes parameters that it does not name. */
const isOpen = ({ parameters }: ToolSchema): boolean =>
  isJsonObject(parameters["additionalProperties"]) || parameters["additionalProperties"] === true;

export const requiredOf = ({ parameters }: ToolSchema): string[] =>
  Array.isArray(parameters["required"]) ? parameters["required"].filter((name) => typeof name === "string") : [];
