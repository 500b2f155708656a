import type { ModelMessage } from "../port.ts";
import type { WrittenCall } from "./written.ts";

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
  return textsRead(messages).some((text) => {
    const read = lettersOf(text);
    return read.includes(whole) || (lines.length > 0 && lines.every((line) => read.includes(line)));
  });
}

/**
 * The same for calls in forms that answers have, too: each by itself, by whole words. That the letters alone are the same is not enough:
 * what a short call has of them stands in any text, and the agent itself says in words what may be called.
 */
export function isQuoted(calls: readonly WrittenCall[], messages: readonly ModelMessage[]): boolean {
  const wanted = calls.map(({ written }) => ({
    signs: signsOf(written),
    words: lettersOf(written).length >= telling ? wordsOf(written) : undefined,
  }));
  return textsRead(messages)
    .flatMap((text) => [...new Set([text, text.replace(place, "")])])
    .some((text) => {
      const [readSigns, readWords] = [signsOf(text), wordsOf(text)];
      return wanted.some(
        ({ signs, words }) => readSigns.includes(signs) || (words !== undefined && readWords.includes(words)),
      );
    });
}

/** What stands before a line that is shown with its number, or with its file. */
const place = /^[ \t]*(?:[^\s:]+[:-]\d+[:-]|\d+[\t:-])/gm;

/** With a blank around each, so that one stands in another by whole words alone. */
const tokensOf = (text: string, token: RegExp): string =>
  ` ${(text.replace(/\\[nrt]/g, " ").match(token) ?? []).join(" ")} `;

/** Words, numbers and signs, but for quotes and escapes. */
const signsOf = (text: string): string => tokensOf(text, /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s"'`\\]/gu);

/** Words, and the sign of a call. */
const wordsOf = (text: string): string => tokensOf(text, /\p{L}+|\(/gu);

const textsRead = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap((message) => (["tool", "human"].includes(message.getType()) ? [textOf(message)] : []));

const textOf = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
