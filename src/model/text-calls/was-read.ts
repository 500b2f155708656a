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
  return textsRead(messages).some((text) => {
    const read = lettersOf(text);
    return read.includes(whole) || (lines.length > 0 && lines.every((line) => read.includes(line)));
  });
}

/**
 * The same for calls in forms that answers have, too: each by itself, also where it stands in what else is on the lines of a quote. A
 * call of few letters counts by whole words and signs, as these letters stand in any text, and the sign of a call is one of the letters:
 * the agent itself says in words what may be called. What takes too long to be compared is not known to be the model's own.
 * @returns why it may be none of its own.
 */
export function quoteIn(calls: readonly { written: string }[], messages: readonly ModelMessage[]): string | undefined {
  const wanted = calls.map(({ written }) => ({ signs: signsOf(written), parts: partsOf(written) }));
  let left = mostLooked;
  const isIn = (text: string, part: string): boolean => {
    left -= text.length;
    return left < 0 || text.includes(part);
  };
  const isRead = textsRead(messages).some((text) => {
    const signs = signsOf(text);
    const letters = calledLetters(text);
    return wanted.some(
      (call) => isIn(signs, call.signs) || call.parts.some((all) => all.every((part) => isIn(letters, part))),
    );
  });
  if (!isRead) return undefined;
  return left < 0 ? "it is too long to be compared with what you have read" : quoted;
}

/** For the model. */
export const quoted = "the same stands in what you have read, so it is taken for a quote";

/** Characters of read texts that are looked through for the calls of one reply. */
const mostLooked = 1_000_000_000;

/** What shows it to be quoted, one of these lists whole: all of it, or its lines that say something. */
function partsOf(written: string): string[][] {
  const whole = calledLetters(written);
  if (lettersOf(written).length < telling) return [];
  const lines = [...new Set(written.split("\n").map(calledLetters))].filter((line) => line !== "");
  const told = lines.filter((line) => line.length >= telling);
  return [[whole], told.length > 0 ? told : lines];
}

const calledLetters = (text: string): string => text.replace(/\\[nrt]/g, " ").replace(/[^\p{L}(]+/gu, "");

/** With a blank around each, so that one stands in another by whole words alone. */
const tokensOf = (text: string, token: RegExp): string =>
  ` ${(text.replace(/\\[nrt]/g, " ").match(token) ?? []).join(" ")} `;

/** Words, numbers and signs, but for quotes and escapes. */
const signsOf = (text: string): string => tokensOf(text, /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s"'`\\]/gu);

const textsRead = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap((message) => (["tool", "human"].includes(message.getType()) ? [textOf(message)] : []));

const textOf = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
