import { nearestName } from "../../core/nearest-name.ts";
import { Cursor } from "./cursor.ts";
import { DoubtfulStart } from "./doubtful-start.ts";
import { type TextForm, textForms } from "./forms.ts";
import { namesTool, type Offer, takesEnd } from "./offered-names.ts";
import { inPairs, isInPairs } from "./pairs.ts";
import { type Before, type Doubtful, fencedIn, readDoubtful } from "./read-doubtful.ts";
import { TextAndTail } from "./text-and-tail.ts";
import { callsInJson, Unreadable, type WrittenCall } from "./written.ts";

/** The kind of a reply's tail. */
export type Tail =
  /** Calls of offered tools and nothing else; `form` says whose way of writing it is. */
  | { kind: "calls"; form: string; calls: WrittenCall[] }
  /** It was to be calls, and is none that can be read. */
  | { kind: "unread"; wrong: string }
  /** Calls with more text behind them: they are told of, or the model made up what came of them. */
  | { kind: "shown" }
  | { kind: "text" };

/** Reads a tail as `TextAndTail` has it. Pure. */
export function readTail(tail: string, offer: Offer): Tail {
  const form = formOf(tail);
  if (form === undefined) return readBare(tail, offer);
  const at = new Cursor(tail);
  const calls: WrittenCall[] = [];
  try {
    for (let next: TextForm | undefined = form; next !== undefined; ) {
      const { at: from } = at;
      const read = next.read(at, (name) => offer.names.meant(name), offer.tools);
      const written = tail.slice(from, at.at);
      calls.push(...read.map((call) => (read.length === 1 ? { ...call, written } : { written, ...call })));
      if (takesEnd(at)) return ofOffered(form.name, calls, offer);
      at.blanks();
      next = formOf(tail, at.at);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return namesTool(tail, offer) ? { kind: "unread", wrong: error.message } : { kind: "text" };
  }
  return { kind: "shown" };
}

const formOf = (text: string, at = 0): TextForm | undefined =>
  textForms.find(({ markers }) => markers.some((marker) => text.startsWith(marker, at)));

function ofOffered(form: string, read: readonly WrittenCall[], { names, tools }: Offer): Tail {
  const calls = read.map((call) => ({ ...call, name: names.meant(call.name) }));
  const other = calls.find(({ name }) => !names.has(name));
  if (other === undefined) return { kind: "calls", form, calls };
  const near = nearestName(
    other.name,
    tools.map(({ name }) => name),
  );
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return { kind: "unread", wrong: `there is no tool ${JSON.stringify(other.name.slice(0, 100))}${hint}` };
}

/** Tells whether a text ends in calls of any of the forms, to be read or not. */
export function endsInCall(text: string, offer: Offer): boolean {
  const parts = new TextAndTail();
  parts.push(text);
  const { tail } = parts.end();
  return tail !== "" && ["calls", "unread"].includes(readTail(tail, offer).kind);
}

/** Reads the end of a whole text, in the forms that answers have, too. */
export function doubtfulIn(text: string, { offer, messages }: Pick<Before, "messages"> & { offer: Offer }): Doubtful {
  const start = new DoubtfulStart(offer);
  const parts = new TextAndTail(start);
  parts.push(text);
  parts.end();
  const { found } = start;
  if (found === undefined) return isInPairs(text, offer) ? { kind: "untaken", wrong: inPairs } : { kind: "text" };
  return readDoubtful(text.slice(found), { lead: text.slice(0, found), messages }, offer);
}

const bareKeys: ReadonlySet<string> = new Set(["name", "arguments", "parameters", "type", "id", "function"]);

/** A reply that is JSON of calls and nothing else: it may be an answer, too, unless all of it is of that form and the tools are there. */
function readBare(tail: string, offer: Offer): Tail {
  const at = new Cursor(tail);
  const calls: WrittenCall[] = [];
  try {
    do {
      at.match(/[\s;]*/y);
      const json = at.json();
      if (json === undefined || !hasOnlyBareKeys(json)) return { kind: "text" };
      calls.push(...callsInJson(json));
    } while (!takesEnd(at));
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return { kind: "text" };
    throw error;
  }
  const read = ofOffered("Llama", calls, offer);
  return read.kind === "calls" ? read : { kind: "text" };
}

function hasOnlyBareKeys(json: string): boolean {
  const read = JSON.parse(json) as unknown;
  const all = Array.isArray(read) ? read : [read];
  return all.every((one) => {
    if (typeof one !== "object" || one === null || Object.keys(one).some((key) => !bareKeys.has(key))) return false;
    return "function" in one || "arguments" in one || "parameters" in one;
  });
}

/** Tells whether a reply is one code block and nothing else, which holds a call of an offered tool as bare JSON or in Python's words. */
export function isFencedCall(text: string, offer: Offer): boolean {
  const inside = text.length > 100_000 ? undefined : fencedIn(text);
  if (inside === undefined) return false;
  return readBare(inside, offer).kind === "calls" || (/^\s*```tool_code\b/.test(text) && namesTool(inside, offer));
}
