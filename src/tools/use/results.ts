import { inspect } from "node:util";
import type { CallResult } from "../../core/call.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { FolderLost } from "../../core/folder-lost.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { EffectStopped, type Outcome } from "../../core/outcome.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import type { ImageRef, ToolResult } from "../../core/tool.ts";

/** A result that was read: each picture is named by a kind too, be it none. */
export interface ReadResult extends ToolResult {
  images?: ImageRef[];
}

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

/** What a throw out of a tool means: a ToolRefusal is an error with its code, any other FAILED. */
export function outcomeOfThrow(error: unknown): Outcome {
  if (error instanceof FolderLost) return { kind: "drifted", message: error.message };
  if (error instanceof EffectStopped) {
    const { as, code, message, changed } = error;
    if (as === "drifted" || as === "unknown") return { kind: as, message };
    const files = changed.length === 0 ? {} : { changed };
    return as === "raced" ? { kind: "raced", message, ...files } : { kind: "failed", code, message, ...files };
  }
  if (error instanceof ToolRefusal) return { kind: "failed", code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", code: "FAILED", message: message === "" ? "the tool failed and did not say why" : message };
}

/** The outcome that a returned result stands for. `OUTCOME_UNKNOWN` is the one code that is no failure. */
export function outcomeOf({ error, ...result }: ReadResult): Outcome {
  if (error === undefined) return { kind: "done", result };
  const { code: given, ...metadata } = result.metadata ?? {};
  const code = typeof given === "string" ? (given as ErrorCode) : "FAILED";
  if (code === "OUTCOME_UNKNOWN") return { kind: "unknown", message: error };
  const { metadata: _, ...rest } = result;
  const kept: CallResult = Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
  const empty = kept.output === "" && Object.keys(kept).length === 1;
  return { kind: "failed", code, message: error, ...(empty ? {} : { result: kept }) };
}

/** The same the other way, for programs that run a tool by themselves: each error has its code in the metadata. */
export function resultOf(outcome: Outcome): ToolResult {
  switch (outcome.kind) {
    case "done":
      return outcome.result;
    case "failed": {
      const { code, message: error, result = { output: "" } } = outcome;
      return { ...result, error, metadata: { ...result.metadata, code } };
    }
    case "drifted":
    case "raced":
      return { output: "", error: outcome.message, metadata: { code: "STALE" } };
    case "unknown":
      return { output: "", error: outcome.message, metadata: { code: "OUTCOME_UNKNOWN" } };
  }
}

/**
 * What a tool returned, as a result: a string or other JSON becomes the output, an empty output `(no output)`, an error
 * without a code FAILED. Never throws: the effect may have happened, and a result that cannot be written must not hide that.
 */
export function normalizeResult(value: ToolResult | string | Json | undefined): ReadResult {
  if (typeof value === "string") return { output: orNoOutput(value) };
  if (value === undefined || value === null) return { output: noOutput };
  if (!isToolResult(value)) return { output: orNoOutput(asText(value)) };
  const { images, left } = imagesOf(value.images);
  const output = [typeof value.output === "string" ? value.output : "", ...left]
    .filter((text) => text !== "")
    .join("\n");
  const failed = typeof value.error === "string" && value.error !== "";
  const { metadata: given } = value;
  const rest = { ...asDeclared(value), ...(images.length === 0 ? {} : { images }) };
  const metadata = given === undefined ? undefined : plainMetadata(given);
  if (!failed) return { ...rest, output: orNoOutput(output), ...(metadata === undefined ? {} : { metadata }) };
  return { ...rest, output, error: value.error ?? "", metadata: { code: "FAILED", ...metadata } };
}

/** The fields that have the form they should; junk in one of them does not undo what was done. */
function asDeclared({ title, display, longTermMemory, outputOnce, attachments }: ToolResult) {
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof display === "string" ? { display } : {}),
    ...(typeof longTermMemory === "string" && longTermMemory.trim() !== "" ? { longTermMemory } : {}),
    ...(typeof outputOnce === "boolean" ? { outputOnce } : {}),
    ...(Array.isArray(attachments) ? { attachments: attachments.filter((one) => typeof one === "string") } : {}),
  };
}

/** Those that may be pictures, which their bytes will tell, and in words how many cannot be. */
function imagesOf(given: unknown): { images: ImageRef[]; left: string[] } {
  if (given === undefined || given === null) return { images: [], left: [] };
  const all: unknown[] = Array.isArray(given) ? given : [given];
  const images = all.flatMap((one) => imageOf(one) ?? []);
  const none = all.length - images.length;
  if (none === 0) return { images, left: [] };
  const what = none === 1 ? "one picture of the result is" : `${none} pictures of the result are`;
  return {
    images,
    left: [`(${what} left out: a picture is { name, data } with its bytes in base64, or { name, path })`],
  };
}

function imageOf(image: unknown): ImageRef | undefined {
  if (!isJsonObject(image)) return undefined;
  const { name, mediaType, path, data } = image;
  if (![path, data].every((one) => one === undefined || isText(one))) return undefined;
  // One that the agent made itself is known by being the same object.
  if (isText(name) && isText(mediaType)) return image as unknown as ImageRef;
  const file = isText(path) ? path : "unnamed";
  return { ...image, name: isText(name) ? name : file, mediaType: isText(mediaType) ? mediaType : "" } as ImageRef;
}

const isText = (value: unknown): value is string => typeof value === "string";

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
