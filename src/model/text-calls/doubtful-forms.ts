import { isJsonObject, type Json } from "../../core/json.ts";
import type { Cursor } from "./cursor.ts";
import { pythonCalls } from "./python-calls.ts";
import { callOf, readJson, Unreadable, type WrittenCall, wanted } from "./written.ts";

/** A way of writing calls that answers have, too: in one that cannot be told from an answer it is none. */
export interface DoubtfulForm {
  /** Whose it is, for people. */
  name: string;
  /** Its beginning. */
  mark: string;
  /** Reads what begins with the mark, to its end. @throws Unreadable or Listed */
  read(at: Cursor): WrittenCall[];
  /** A thought of the model may stand before it. */
  hasThought?: true;
}

/** It tells which tools there are, and calls none. */
export class Listed extends Error {}

/** The one table of them. */
export const doubtfulForms: readonly DoubtfulForm[] = [
  { name: "Llama in Python", mark: "[", read: pythonCalls },
  { name: "Functionary or Phi", mark: "functools[", read: json("functools", "") },
  { name: "Hermes", mark: "<tools>", read: json("<tools>", "</tools>") },
  { name: "Llama", mark: "<function>", read: json("<function>", "</function>") },
  { name: "Cohere", mark: "<|START_ACTION|>", read: json("<|START_ACTION|>", "<|END_ACTION|>") },
  { name: "ReAct", mark: "Action:", read: action, hasThought: true },
];

/** JSON of calls between two marks. */
function json(mark: string, end: string) {
  return (at: Cursor): WrittenCall[] => {
    at.take(mark);
    at.blanks();
    const all: (WrittenCall | undefined)[] = [];
    const isList = at.take("[");
    for (at.blanks(); at.sees("{"); at.blanks()) {
      all.push(strictCall(at, mark === "<tools>"));
      at.blanks();
      if (!isList || !at.take(",")) break;
    }
    const calls = unlisted(all);
    if (isList && !at.take("]")) throw new Unreadable("its list of calls is not whole");
    at.blanks();
    if (calls.length === 0) throw new Unreadable("there is no call in it");
    if (!at.take(end)) throw new Unreadable(`its ${end} is missing, or is not where it should be`);
    return calls;
  };
}

/** @throws Listed where all of it says what tools there are, Unreadable where some of it does */
function unlisted(all: readonly (WrittenCall | undefined)[]): WrittenCall[] {
  const calls = all.filter((call) => call !== undefined);
  if (calls.length === all.length) return calls;
  if (calls.length === 0) throw new Listed();
  throw new Unreadable("some of it only says what tools there are");
}

function action(at: Cursor): WrittenCall[] {
  const { at: from } = at;
  at.take("Action:");
  at.blanks();
  const name = wanted(at.match(/[\w.:/-]+/y), "the name of the tool")[0];
  at.blanks();
  at.take("Action Input:");
  at.blanks();
  const args = at.sees("{") ? readJson(wanted(at.json(), "its JSON")) : undefined;
  if (!isJsonObject(args)) throw new Unreadable("its input is no JSON object");
  return [{ name, args: JSON.stringify(args), written: at.text.slice(from, at.at) }];
}

const keys: ReadonlySet<string> = new Set([
  ...["name", "tool_name", "arguments", "parameters"],
  ...["id", "tool_call_id", "type", "function"],
]);

/** @returns undefined for what says what a tool is. @param isInTools where tools are listed by the template */
function strictCall(at: Cursor, isInTools: boolean): WrittenCall | undefined {
  const written = wanted(at.json(), "its JSON");
  const read = readJson(written);
  const inner = isJsonObject(read) && isJsonObject(read["function"]) ? read["function"] : read;
  if (isListed(inner)) return undefined;
  if (isInTools && isJsonObject(inner) && inner["arguments"] === undefined)
    throw new Unreadable("a call in <tools> has its arguments under arguments");
  for (const one of [read, inner])
    for (const key of isJsonObject(one) ? Object.keys(one) : [])
      if (!keys.has(key)) throw new Unreadable(`${JSON.stringify(key.slice(0, 100))} is no part of a call`);
  return { ...callOf(read), written };
}

const schemaKeys: ReadonlySet<string> = new Set([
  "type",
  "required",
  "additionalProperties",
  "description",
  "title",
  "$schema",
]);

/** It says what a tool is, not what it is to do. */
function isListed(read: Json): boolean {
  if (!isJsonObject(read) || read["arguments"] !== undefined) return false;
  const { description, parameters } = read;
  if (description !== undefined) return true;
  if (!isJsonObject(parameters) || parameters["type"] !== "object") return false;
  return parameters["properties"] !== undefined || Object.keys(parameters).every((key) => schemaKeys.has(key));
}
