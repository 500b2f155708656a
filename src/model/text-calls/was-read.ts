import { type ModelMessage, noticeMark, taskMark, typedKey } from "../port.ts";
import { NormalForm, normalForms } from "./normal-form.ts";
import { Part, Search } from "./search.ts";

/** A call of fewer letters may stand in any text: it is compared with all of its signs. */
const telling = 12;

/** Steps of comparing the calls of one reply with what was read. */
const mostSteps = 500_000_000;

/** For the model. */
const quoted =
  "the same stands in what you have read, so it is taken for a quote, and would be again: if you mean it, make it in the tools' own way and not as text, or with other arguments";
const tooLong = "it is too long to be compared with what you have read";

/**
 * Checks whether one of the calls that the model wrote stands in something that it has read: a file, a page, a command's output, what the person
 * has pasted. Whoever writes into those does not get a call of theirs run by having it quoted, however it is written there: one text holds
 * the whole call in its normal form, in one piece or line by line in its order. What takes too long to be compared is not known to be
 * the model's own.
 * @returns why it may be none of its own.
 */
export function quoteIn(calls: readonly { written: string }[], messages: readonly ModelMessage[]): string | undefined {
  const wanted = calls.map(({ written }) => wantedOf(new NormalForm(written)));
  const search = new Search(mostSteps);
  const isRead = textsRead(messages).some((text) =>
    normalForms(text).some((read) => wanted.some((call) => search.isOver || holds(read, call, search))),
  );
  if (search.isOver) return tooLong;
  return isRead ? quoted : undefined;
}

/** The parts that show a call to be quoted: all of its signs, or one of the lists of its parts whole. */
type Wanted = { all: Part; signs: readonly Part[] } | { parts: readonly (readonly Part[])[] };

function wantedOf(call: NormalForm): Wanted {
  const all = new Part(call.all);
  const many = (texts: readonly string[]): Part[] => texts.map((text) => new Part(text));
  return call.letters < telling ? { all, signs: many(call.signs) } : { parts: [[all], many(call.lines)] };
}

function holds(read: NormalForm, call: Wanted, search: Search): boolean {
  if ("parts" in call) return call.parts.some((parts) => inOrder(read.all, parts, search));
  if (search.amongDigits(read.all, call.all, 0) === undefined) return false;
  return read.signs.some((text) => call.signs.some((part) => search.holds(text, part)));
}

/** Tells whether they stand in it one behind the other. */
function inOrder(text: string, parts: readonly Part[], search: Search): boolean {
  let from = 0;
  return parts.every((part) => {
    const end = search.amongDigits(text, part, from);
    from = end ?? from;
    return end !== undefined;
  });
}

function textsRead(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    const type = message.getType();
    if (type === "ai" || type === "system") return [];
    const text = textOf(message);
    return type === "human" && isOwn(message) ? pastedIn(text) : [text];
  });
}

/** Tells whether its words are the person's: not the agent's, nor those of what they named, nor the task of a helper, which another model wrote. */
const isOwn = ({ additional_kwargs: marks }: ModelMessage): boolean =>
  ![noticeMark, typedKey, taskMark].some((mark) => Object.hasOwn(marks, mark));

/** A fence or a line of a quote, in a list or not. */
const paste = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:```|~~~|>)/m;

/** Returns the pasted text: the words that the person typed are theirs to ask for, up to the first fence or quote. */
function pastedIn(text: string): string[] {
  const at = text.search(paste);
  return at < 0 ? [] : [text.slice(at)];
}

const textOf = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
