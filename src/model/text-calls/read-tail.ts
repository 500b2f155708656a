import { nearestName } from "../../core/nearest-name.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { OfferedNames } from "../call-names.ts";
import { Cursor } from "./cursor.ts";
import { type TextForm, textFormsOf } from "./forms.ts";
import { ends, namesTool, type Offer } from "./offer.ts";
import { TextAndTail } from "./text-and-tail.ts";
import { untakenCall } from "./untaken.ts";
import { callsInJson, type TextCall, Unreadable } from "./written.ts";

/** What the tail of a reply is. */
export type Tail =
  /** Calls of offered tools and nothing else; `form` says whose way of writing it is. */
  | { kind: "calls"; form: string; calls: TextCall[] }
  /** It was to be calls, and is none that can be read. */
  | { kind: "unread"; wrong: string }
  /** Calls with more text behind them: they are told of, or the model made up what came of them. */
  | { kind: "shown" }
  | { kind: "text" };

/** Reads a tail as `TextAndTail` has it. Pure. */
export function readTail(tail: string, offer: Offer): Tail {
  const forms = textFormsOf(offer.tools);
  const form = formOf(forms, tail);
  if (form === undefined) return readBare(tail, offer);
  const at = new Cursor(tail);
  const calls: TextCall[] = [];
  try {
    for (let next: TextForm | undefined = form; next !== undefined; ) {
      calls.push(...next.read(at, (name) => offer.names.meant(name), offer.tools));
      if (at.match(ends)) return ofOffered(form.name, calls, offer);
      at.blanks();
      next = formOf(forms, tail, at.at);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (form.ends?.test(tail.slice(-mostEnd)) === false) return { kind: "text" };
    return namesTool(tail, offer) ? { kind: "unread", wrong: error.message } : { kind: "text" };
  }
  return { kind: "shown" };
}

const formOf = (forms: readonly TextForm[], text: string, at = 0): TextForm | undefined =>
  forms.find(({ markers }) => markers.some((marker) => text.startsWith(marker, at)));

/** Whether what begins with a sign that counts for nothing where it stands shows a call. */
export function showsCall(text: string, offer: Offer): boolean {
  const form = formOf(textFormsOf(offer.tools), text);
  if (form?.ends === undefined) return namesTool(text, offer);
  try {
    const calls = form.read(new Cursor(text), (name) => offer.names.meant(name), offer.tools);
    return calls.some(({ args }) => args !== "{}");
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** So much of a tail is looked at for how it ends. Characters. */
const mostEnd = 100;

function ofOffered(form: string, written: readonly TextCall[], { names, tools }: Offer): Tail {
  const calls = written.map(({ name, args }) => ({ name: names.meant(name), args }));
  const other = calls.find(({ name }) => !names.has(name));
  if (other === undefined) return { kind: "calls", form, calls };
  const near = nearestName(
    other.name,
    tools.map(({ name }) => name),
  );
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return { kind: "unread", wrong: `there is no tool ${JSON.stringify(other.name.slice(0, 100))}${hint}` };
}

/** Whether a text ends in calls of any of the forms, to be read or not. */
export function endsInCall(text: string, tools: readonly ToolSchema[]): boolean {
  const offer = { tools, names: new OfferedNames(tools.map(({ name }) => name)) };
  const parts = new TextAndTail(offer);
  parts.push(text);
  const { tail } = parts.end();
  const isRead = tail !== "" && ["calls", "unread"].includes(readTail(tail, offer).kind);
  return isRead || untakenCall(text, offer) !== undefined;
}

const bareKeys: ReadonlySet<string> = new Set(["name", "arguments", "parameters", "type", "id", "function"]);

/** A reply that is JSON of calls and nothing else: it may be an answer, too, unless all of it is of that form and the tools are there. */
function readBare(tail: string, offer: Offer): Tail {
  const at = new Cursor(tail);
  const calls: TextCall[] = [];
  try {
    do {
      at.match(/[\s;]*/y);
      const json = at.json();
      if (json === undefined || !hasOnlyBareKeys(json)) return { kind: "text" };
      calls.push(...callsInJson(json));
    } while (!at.match(ends));
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

const wholeFence = /^\s*(?:```|~~~)[^\n]*\n([\s\S]*?)\n\s*(?:```|~~~)\s*$/;

/** Whether a reply is one code block and nothing else, which holds a call of an offered tool as bare JSON or in Python. */
export function isFencedCall(text: string, offer: Offer): boolean {
  const inside = text.length > 100_000 ? undefined : wholeFence.exec(text)?.[1];
  if (inside === undefined) return false;
  const isCall = readTail(inside.trim(), offer).kind === "calls" || untakenCall(inside.trim(), offer) !== undefined;
  return isCall || (/^\s*```tool_code\b/.test(text) && namesTool(inside, offer));
}
