import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { strictFromLoose } from "../../core/loose-json.ts";
import { readExactJson } from "../../core/strict-json.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { parameterOf, readTyped, typesOf } from "../xml/typed-values.ts";

/** A call that was written as text. */
export interface TextCall {
  name: string;
  /** JSON of its arguments. */
  args: string;
}

/** With its own part of the text. */
export interface WrittenCall extends TextCall {
  written: string;
}

/** The reason that a text that looks like a call cannot be read as one. */
export class Unreadable extends Error {}

/** @throws Unreadable */
export function wanted<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Unreadable(`${what} is missing, or not whole`);
  return value;
}

/** JSON as arguments are read: strictly, or by its one reading. @throws Unreadable */
export function readJson(text: string): Json {
  const strict = readExactJson(text);
  if (strict.ok) return strict.value;
  const mended = strictFromLoose(text);
  const read = mended === undefined ? strict : readExactJson(mended);
  if (!read.ok) throw new Unreadable(strict.message);
  return read.value;
}

/** One call or a list of them, `{"name", "arguments"}` with the words that models have for both. @throws Unreadable */
export function callsInJson(text: string): WrittenCall[] {
  const read = readJson(text);
  if (!Array.isArray(read)) return [{ ...callOf(read), written: text }];
  return read.map((one) => ({ ...callOf(one), written: JSON.stringify(one) }));
}

/** A call whose arguments alone are JSON. @throws Unreadable */
export const callOfJson = (name: string, args: string): TextCall =>
  callOf(readJson(`{"name":${JSON.stringify(name)},"arguments":${args}}`));

/** @throws Unreadable */
export function callOf(read: Json): TextCall {
  if (!isJsonObject(read)) throw new Unreadable("a call is a JSON object with name and arguments");
  const inner = isJsonObject(read["function"]) ? read["function"] : read;
  const name = inner["name"] ?? inner["tool_name"];
  const args = inner["arguments"] ?? inner["parameters"];
  if (typeof name !== "string" || name === "") throw new Unreadable("the call has no name");
  if (typeof args === "string") return { name, args };
  if (args !== undefined && args !== null && !isJsonObject(args)) throw new Unreadable("its arguments are no object");
  return { name, args: JSON.stringify(args ?? {}) };
}

/** A call whose arguments were written in tags, each as text: they have the types of the tool's schema. @throws Unreadable */
export function callOfTexts(
  name: string,
  params: readonly (readonly [string, string])[],
  tools: readonly ToolSchema[],
): TextCall {
  const tool = tools.find((one) => one.name === name);
  const args = new Map<string, Json>();
  for (const [param, text] of params) {
    if (args.has(param)) throw new Unreadable(`it has ${param} twice`);
    const schema = tool && parameterOf(tool, param);
    const typed = readTyped(text, typesOf(schema, tool?.parameters ?? {}));
    args.set(param, typed.ok ? typed.value : text);
  }
  return { name, args: JSON.stringify(Object.fromEntries(args) satisfies JsonObject) };
}

/** A value that stands on lines of its own, without the line breaks around it. */
export const unlined = (text: string): string => text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
