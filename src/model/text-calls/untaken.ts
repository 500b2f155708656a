import { CodeFences } from "../xml/code-fences.ts";
import { HtmlComments } from "../xml/html-comments.ts";
import { Cursor } from "./cursor.ts";
import { ends, namesTool, type Offer } from "./offer.ts";
import { pythonCall } from "./python.ts";
import { Unreadable } from "./written.ts";

/** A call at the end of a reply that is plain to see, in a form that answers have, too: it is told, and never run. */
export interface Untaken {
  /** Where it begins in the text. */
  at: number;
  /** Why it is not taken for one. */
  wrong: string;
}

const begins =
  /^(?<blanks>[ \t]*)(?:(?<sign>functools(?=\[)|<tools>|<function>|Action:)|(?<name>[\w.:/-]+)\()|(?<cohere><\|START_ACTION\|>)/gm;

/** So many places are looked at, the last ones first. */
const mostPlaces = 8;

/** Finds it where it begins a line and ends the reply, outside of code, quotes, lists and comments, and names an offered tool. Pure. */
export function untakenCall(text: string, offer: Offer): Untaken | undefined {
  const isOffered = (name: string): boolean => offer.names.has(offer.names.meant(name));
  const places = [...text.matchAll(begins)].filter(
    ({ groups }) => groups?.["name"] === undefined || isOffered(groups["name"]),
  );
  for (const { index, groups } of places.slice(-mostPlaces).toReversed()) {
    const from = index + (groups?.["blanks"] ?? "").length;
    const sign = groups?.["sign"] ?? groups?.["cohere"];
    const at = new Cursor(text, from);
    const wrong = sign === undefined ? asCode(at, offer) : behindSign(at, sign, offer);
    if (wrong !== undefined && !isShownAt(text, from)) return { at: from, wrong };
  }
  return undefined;
}

function behindSign(at: Cursor, sign: string, offer: Offer): string | undefined {
  at.take(sign);
  const isCall = sign === "Action:" ? isAction(at, offer) : isJsonCall(at, offer);
  return isCall ? `it stands behind ${sign}, which is not read here` : undefined;
}

/** JSON of calls, whole or not, and no list of what tools there are. */
function isJsonCall(at: Cursor, offer: Offer): boolean {
  at.blanks();
  const from = at.at;
  for (let isWhole = at.json() !== undefined; ; isWhole = at.json() !== undefined) {
    at.blanks();
    if (!isWhole) return (at.sees("{") || at.sees("[")) && namesCall(at.text.slice(from), offer);
    if (!at.sees("{")) break;
  }
  const json = at.text.slice(from, at.at);
  at.match(/<\/tools>|<\/function>|<\|END_ACTION\|>/y);
  return at.match(ends) !== undefined && namesCall(json, offer);
}

const namesCall = (json: string, offer: Offer): boolean => namesTool(json, offer) && !/"properties"\s*:/.test(json);

/** What came of it is made up by models that go on. */
function isAction(at: Cursor, { names }: Offer): boolean {
  const name = at.match(/[ \t]*[`"']?([\w.:/-]+)[`"']?[ \t]*\r?\n[ \t]*Action Input:/y)?.[1];
  if (name === undefined || !names.has(names.meant(name))) return false;
  const input = at.text.slice(at.at).split(/\n[ \t]*Observation:/, 1)[0] ?? "";
  return !/\n[ \t]*\r?\n/.test(input.trim());
}

/** One with arguments, or all that the reply has: a line such as `ls()` may be anything. */
function asCode(at: Cursor, { names, tools }: Offer): string | undefined {
  const isAll = at.text.slice(0, at.at).trim() === "";
  try {
    const { args } = pythonCall(at, (name) => names.meant(name), tools);
    const isOne = (args !== "{}" || isAll) && at.match(ends) !== undefined;
    return isOne ? "it is written as code, which is not run here" : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function isShownAt(text: string, at: number): boolean {
  const fences = new CodeFences();
  const comments = new HtmlComments();
  let last = "";
  for (const char of text.slice(0, at)) {
    comments.take(char, fences.inside || last === "`");
    fences.take(char);
    last = char;
  }
  return fences.shown || comments.inside || last === "`";
}
