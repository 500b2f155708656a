import { limits } from "../../../core/limits.ts";
import type { ToolResult } from "../../../core/tool.ts";

/** Characters of what is for the person; nobody reads more on a card. */
const mostDisplay = 64_000;
const mostTitle = 1_000;
/** Characters of a result's data, and of its images together. */
const mostData = 256_000;
const mostImages = 8_000_000;

/** A result that fits into one message: of a longer output the first and last half, and between them how much was left out. */
export function cutResult(result: ToolResult): ToolResult {
  const { title, display, error, longTermMemory, metadata, attachments, images, ...rest } = result;
  const isTooMuch = images !== undefined && JSON.stringify(images).length > mostImages;
  const output = isTooMuch
    ? `${result.output}\n(its pictures are left out: together they are too large)`
    : result.output;
  const data =
    JSON.stringify(metadata ?? {}).length > mostData ? { left: "the data of the result was too large" } : metadata;
  return {
    ...rest,
    output: cut(output, limits.commandOutput.most),
    ...(title === undefined ? {} : { title: title.slice(0, mostTitle) }),
    ...(display === undefined ? {} : { display: cut(display, mostDisplay) }),
    ...(error === undefined ? {} : { error: cut(error, mostDisplay) }),
    ...(longTermMemory === undefined ? {} : { longTermMemory: cut(longTermMemory, mostDisplay) }),
    ...(data === undefined ? {} : { metadata: data }),
    ...(attachments === undefined ? {} : { attachments: attachments.slice(0, 100) }),
    ...(images === undefined || isTooMuch ? {} : { images }),
  };
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[${left.toLocaleString("en-US")} characters left out]\n${text.slice(-half)}`;
}
