import type { ModelMessage } from "../port.ts";

/** What a call is compared by: its letters. What stands around a quote of it, line numbers and escapes say nothing. */
const lettersOf = (text: string): string => text.replace(/\\[nrt]/g, " ").replace(/[^\p{L}]+/gu, "");

/** So short a text says nothing by itself. Letters. */
const telling = 12;

/**
 * Whether what the model wrote stands in something that it has read: a file, a page, a command's output, what the person pasted. Whoever
 * writes into those does not get a call of theirs run by having it quoted.
 * @param written the calls as they were written.
 */
export function wasRead(written: string, messages: readonly ModelMessage[]): boolean {
  const whole = lettersOf(written);
  const lines = written
    .split("\n")
    .map(lettersOf)
    .filter((line) => line.length >= telling);
  for (const message of messages) {
    const type = message.getType();
    if (type !== "tool" && type !== "human") continue;
    const read = lettersOf(textOf(message));
    if (read.includes(whole)) return true;
    if (lines.length > 0 && lines.every((line) => read.includes(line))) return true;
  }
  return false;
}

const textOf = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
