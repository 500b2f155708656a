import { inspect } from "node:util";
import type { ErrorCode } from "../core/codes.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { toPlainJson } from "../core/strict-json.ts";
import type { ToolResult } from "../core/tool.ts";

/** What the model reads where a tool has nothing to say: a model takes an empty message for a failure of its own. */
export const noOutput = "(no output)";

const resultKeys = new Set([
  "output",
  "title",
  "display",
  "error",
  "metadata",
  "longTermMemory",
  "outputOnce",
  "attachments",
  "images",
]);

/** A refused or failed call: `message` for the model, `code` stable for programs. */
export function errorResult(code: ErrorCode, message: string, metadata: JsonObject = {}): ToolResult {
  return { output: "", error: message, metadata: { ...metadata, code } };
}

/**
 * What a tool returned, as a result: a string or other JSON becomes the output, an empty output `(no output)`, an error
 * without a code FAILED. Never throws: the effect may have happened, and a result that cannot be written must not hide that.
 */
export function normalizeResult(value: ToolResult | string | Json | undefined): ToolResult {
  if (typeof value === "string") return { output: orNoOutput(value) };
  if (value === undefined || value === null) return { output: noOutput };
  if (!isToolResult(value)) return { output: orNoOutput(asText(value)) };
  const output = typeof value.output === "string" ? value.output : "";
  const failed = typeof value.error === "string" && value.error !== "";
  const { error: _, metadata: given, ...rest } = value;
  const metadata = given === undefined ? undefined : plainMetadata(given);
  if (!failed) return { ...rest, output: orNoOutput(output), ...(metadata === undefined ? {} : { metadata }) };
  return { ...rest, output, error: value.error ?? "", metadata: { code: "FAILED", ...metadata } };
}

/** An object with `output` (or `error`) in text and no key that a result does not have: other objects are a tool's data. */
function isToolResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value)) return false;
  const told = typeof value["output"] === "string" || typeof value["error"] === "string";
  return told && Object.keys(value).every((key) => resultKeys.has(key));
}

const orNoOutput = (text: string): string => (text.trim() === "" ? noOutput : text);

function asText(value: unknown): string {
  const plain = toPlainJson(value);
  return plain.ok ? JSON.stringify(plain.value) : inspect(value, { depth: 4, maxArrayLength: 100 });
}

function plainMetadata(metadata: unknown): JsonObject {
  const plain = toPlainJson(metadata);
  if (plain.ok && isJsonObject(plain.value)) return plain.value;
  return { unreadable: plain.ok ? "metadata was not an object" : plain.message };
}
