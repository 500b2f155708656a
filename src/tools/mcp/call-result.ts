import { countText } from "../../core/count-text.ts";
import type { JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { inOneLine } from "../../core/linear-text.ts";
import type { ToolResult } from "../../core/tool.ts";
import { type Reading, readParts } from "./given-parts.ts";

/** The answer of a server to a call, as a result: its texts and documents in their order, pictures as pictures, and a line for what is left out; without values of secrets, before any of it is cut. Never throws. */
export async function resultOfAnswer(
  answer: JsonObject,
  { asked, ...reading }: Reading & { asked: string },
): Promise<ToolResult> {
  const { content, structuredContent, isError } = answer;
  const parts = Array.isArray(content) ? await readParts(content, reading) : [];
  const texts = parts.flatMap(({ text }) => text ?? []);
  const images = parts.flatMap(({ image }) => image ?? []);
  if (texts.length + images.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent));
  const text = wellFormed(texts.join("\n"));
  const output = reading.masking?.text(text) ?? text;
  if (isError === true) {
    const why = output.trim() === "" ? "the server says that it failed, and not why" : output;
    const count = images.length === 1 ? "one picture" : `${images.length} pictures`;
    const error = images.length === 0 ? why : `${why}\n(${count} of a failure: left out)`;
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
    longTermMemory: `${asked} answered ${countText(bytes)} bytes, which begin: ${begins}`,
  };
}
