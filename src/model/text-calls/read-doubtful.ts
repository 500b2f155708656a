import { limits } from "../../core/limits.ts";
import type { ModelMessage } from "../port.ts";
import { Cursor } from "./cursor.ts";
import { type DoubtfulForm, doubtfulForms, Listed } from "./doubtful-forms.ts";
import { namesTool, type Offer, takesEnd } from "./offered-names.ts";
import { withoutSigns } from "./signs.ts";
import { quoteIn } from "./was-read.ts";
import { Unreadable, type WrittenCall } from "./written.ts";

/** The reading of the end of a reply that may be calls in a form that answers have, too. */
export type Doubtful =
  | { kind: "calls"; form: string; calls: WrittenCall[] }
  /** A call of an offered tool is plain to see, and none is taken. */
  | { kind: "untaken"; wrong: string }
  | { kind: "text" };

/** The words said and the messages read before it. */
export interface Before {
  lead: string;
  messages: readonly ModelMessage[];
}

const text: Doubtful = { kind: "text" };
const untaken = (wrong: string): Doubtful => ({ kind: "untaken", wrong });

/** Reads it from where `DoubtfulStart` found it on. Pure. */
export function readDoubtful(written: string, { lead, messages }: Before, offer: Offer): Doubtful {
  const bare = withoutSigns(written);
  const inside = fencedIn(bare);
  const at = new Cursor(inside ?? bare);
  const form = formOf(at.text);
  if (form === undefined) return text;
  const isFirst = withoutSigns(lead) === "";
  const read = tried(form, at, { offer, isFirst });
  if (!Array.isArray(read)) return read;
  const calls = read.map((call) => ({ ...call, name: offer.names.meant(call.name) }));
  const other = calls.find(({ name }) => !offer.names.has(name));
  if (other !== undefined && calls.every(({ name }) => !offer.names.has(name))) return text;
  if (!takesEnd(at)) return isPlain(at, isFirst) ? untaken("there is more text behind it") : text;
  if (other !== undefined) return untaken(`there is no tool ${JSON.stringify(other.name.slice(0, 100))}`);
  if (!isWhole(form, lead)) return untaken("it is not all of your reply");
  if (inside !== undefined && !isOfCalls(bare)) return untaken("its code block is not one of calls");
  const { most } = limits.replyCalls;
  if (calls.length > most) return untaken(`a reply has at most ${most} calls`);
  const quote = quoteIn(calls, messages);
  if (quote !== undefined) return untaken(quote);
  return { kind: "calls", form: form.name, calls };
}

/** Tells whether a code block may be round calls: one of another language shows something. */
const isOfCalls = (block: string): boolean =>
  /^(?:```|~~~)[ \t]*(?:python|json|tool_code)?[ \t]*\r?\n/.test(block) && block.endsWith(block.slice(0, 3));

/** Tells whether it is plain that the calls are some, though they do not end the text: a line ends behind them, or signs and more calls do. */
function isPlain({ text: all, at }: Cursor, isFirst: boolean): boolean {
  const rest = all.slice(at);
  return /^[ \t]*\r?\n/.test(rest) || /^[\s,;.]*$/.test(rest) || (isFirst && /^[\s,;.]*\[/.test(rest) && closes(rest));
}

/** Tells whether a list of calls closes with a text. */
const closes = (all: string): boolean => /\)[\s,]*\][\s,;.]*$/.test(all.slice(-20));

/** Tells whether nothing stands before it, or only the text that its form has there. */
function isWhole({ hasThought }: DoubtfulForm, lead: string): boolean {
  const said = withoutSigns(lead);
  return said === "" || (hasThought === true && isThought(said) && !/\n\s*\n/.test(lead.slice(lead.trimEnd().length)));
}

/** One paragraph, right before what follows, without another colon: a colon presents what follows. */
function isThought(lead: string): boolean {
  const mark = "Thought:";
  return (
    lead.startsWith(mark) &&
    !/[:：]/.test(lead.slice(mark.length)) &&
    lead.split("\n").every((line) => line.trim() !== "")
  );
}

/** Tells whether it reads as calls of offered tools, and behind them stands nothing but the end of the code that they are in. */
export function showsDoubtful(shown: string, offer: Offer): boolean {
  const at = new Cursor(shown);
  const form = formOf(shown);
  const read = form && tried(form, at, { offer, isFirst: false });
  if (!Array.isArray(read)) return false;
  at.blanks();
  at.match(/[`~]{3,}/y);
  return takesEnd(at) && read.every(({ name }) => offer.names.has(offer.names.meant(name)));
}

const formOf = (written: string): DoubtfulForm | undefined =>
  doubtfulForms.find(({ mark }) => written.startsWith(mark));

/** @param where `isFirst`: no word stands before it */
function tried(form: DoubtfulForm, at: Cursor, where: { offer: Offer; isFirst: boolean }): WrittenCall[] | Doubtful {
  try {
    return form.read(at);
  } catch (error) {
    if (error instanceof Listed) return text;
    if (!(error instanceof Unreadable)) throw error;
    return looksLikeCall(form, at, where) ? untaken(error.message) : text;
  }
}

/** Tells whether text that cannot be read looks like a call: it is prose or code that begins so, unless it breaks off or ends as calls do. */
function looksLikeCall(
  form: DoubtfulForm,
  at: Cursor,
  { offer, isFirst }: { offer: Offer; isFirst: boolean },
): boolean {
  if (form.mark === "[") return at.isAtEnd || (isFirst ? closes(at.text) : at.text.trimEnd().endsWith(")]"));
  return namesTool(at.text, offer);
}

/** Returns the text in the one code block that a text is; undefined where it is none. Linear. */
export function fencedIn(written: string): string | undefined {
  const all = written.trim();
  const first = all.indexOf("\n");
  const last = all.lastIndexOf("\n");
  if (last === first || !/^(?:```|~~~)/.test(all) || !/^\s*(?:```|~~~)$/.test(all.slice(last))) return undefined;
  return all.slice(first + 1, last).trim();
}
