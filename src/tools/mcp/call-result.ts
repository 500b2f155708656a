import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { inOneLine } from "../../core/linear-text.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import type { ImageRef, ToolResult } from "../../core/tool.ts";

/** The answer of a server to a call, as a result: its texts in their order, pictures as pictures, and a line for what is neither; without values of secrets, before any of it is cut. */
export function resultOfAnswer(answer: JsonObject, asked: string, masking?: Pick<Masking, "text">): ToolResult {
  const { content, structuredContent, isError } = answer;
  const parts = Array.isArray(content) ? content.map(partOf) : [];
  const texts = parts.flatMap(({ text }) => text ?? []);
  const images = parts.flatMap(({ image }) => image ?? []);
  if (texts.length + images.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent));
  const text = wellFormed(texts.join("\n"));
  const output = masking?.text(text) ?? text;
  if (isError === true) {
    const error = output.trim() === "" ? "the server says that it failed, and not why" : output;
    return { output: "", error, metadata: { code: "FAILED" } };
  }
  return { output, ...(images.length === 0 ? {} : { images }), ...onceWhereLong(output, asked) };
}

/** Halves of characters, which JSON can write and no server of models takes, become U+FFFD. */
const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, "\ufffd");

/** A long answer is told once; then this line stands for it. */
function onceWhereLong(output: string, asked: string): Pick<ToolResult, "outputOnce" | "longTermMemory"> {
  const bytes = Buffer.byteLength(output);
  if (bytes <= limits.mcpOnce.most) return {};
  const begins = inOneLine(output.slice(0, 300)).replace(/\s+/gu, " ").trim().slice(0, 120);
  return {
    outputOnce: true,
    longTermMemory: `${asked} answered ${bytes.toLocaleString("en-US")} bytes, which begin: ${begins}`,
  };
}

/** What it comes to: words, or a picture. */
export interface Part {
  text?: string;
  image?: ImageRef;
}

/** One part of what a server says. */
export function partOf(part: Json): Part {
  if (!isJsonObject(part)) return { text: "(a part of the answer cannot be read)" };
  const { type, text, data, mimeType, resource, uri, name } = part;
  const kind = typeof mimeType === "string" ? mimeType : "no kind";
  if (type === "text" && typeof text === "string") return { text };
  if (type === "image" && typeof data === "string") return { image: { name: "picture", mediaType: kind, data } };
  if (type === "audio" && typeof data === "string") return { text: `(sound of ${kind}, left out)` };
  if (type === "resource_link" && typeof uri === "string")
    return { text: `(a resource of the server: ${typeof name === "string" ? `${name}, ` : ""}${uri})` };
  if (type === "resource" && isJsonObject(resource)) return resourceOf(resource);
  return { text: `(a part of the answer is left out: ${String(type).slice(0, 40)})` };
}

function resourceOf({ uri, text, blob, mimeType }: JsonObject): Part {
  const address = typeof uri === "string" ? uri : "a resource";
  if (typeof text === "string") return { text: `${address}:\n${text}` };
  if (typeof blob !== "string") return { text: `(${address} cannot be read)` };
  const kind = typeof mimeType === "string" ? mimeType : "no kind";
  if (kind.startsWith("image/")) return { image: { name: address, mediaType: kind, data: blob } };
  return { text: `(${address}, ${kind}, is left out)` };
}
