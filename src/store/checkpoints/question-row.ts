import { isJsonObject, type Json, type JsonObject, sha256 } from "../../core/json.ts";
import type { Plan } from "../../core/tool.ts";
import { withoutLines } from "../../files/diff/diff-text.ts";
import { planFromText, planToText } from "../journal/call-row.ts";
import { decodePlain, encodePlain, fromText, TAG, toText } from "../plain-codec.ts";

/** What the journal has of a call, as text; undefined where there is no such call. */
export type CallColumns = (callId: string) => { plan: string | null; arguments: string } | undefined;

/** Shorter values stay in the question. Characters of JSON. */
const longFrom = 1_000;
const kind = "journal";

/** How a field of a call in a question is kept in the journal's column of its name, and what of it says which it was. */
const fields = {
  plan: {
    toText: (value: unknown) => planToText(value as Plan),
    fromText: planFromText,
    short: (value: unknown) => {
      const { diff: _diff, files, ...rest } = value as Plan;
      return files === undefined ? rest : { ...rest, files: files.map(withoutLines) };
    },
  },
  arguments: {
    toText,
    fromText,
    short: (value: unknown) =>
      Object.fromEntries(Object.entries(value as JsonObject).filter(([, one]) => toText(one).length < longFrom)),
  },
} as const;
const names = Object.keys(fields) as (keyof typeof fields)[];

// Keeps store 8.
/**
 * What a graph asks (the value of its interrupt, encoded), as it is stored: a long plan and long arguments that the journal
 * has are left out. Of each stay the hash of the journal's text and a short form. Any other value stays as it is.
 */
export const leaveOut = (asked: Json, columnsOf: CallColumns): Json =>
  mapCalls(asked, (call) => {
    const left = names.flatMap((name): [string, Json][] => {
      const value = call[name];
      if (!isJsonObject(value) || value[TAG] !== undefined || JSON.stringify(value).length < longFrom) return [];
      const column = columnsOf(String(call["callId"]))?.[name];
      const whole = decodePlain(value);
      if (column == null || column !== fields[name].toText(whole)) return [];
      return [[name, { [TAG]: kind, v: [sha256(column), encodePlain(fields[name].short(whole))] }]];
    });
    return { ...call, ...Object.fromEntries(left) };
  });

/**
 * What `leaveOut` was given. Where the journal's text is another one by now, the call has the short form and `replaced`: its
 * digest is no longer the call's, and approves nothing.
 */
export const fillIn = (stored: Json, columnsOf: CallColumns): Json =>
  mapCalls(stored, (call) => {
    const filled: JsonObject = { ...call };
    for (const name of names) {
      const value = call[name];
      if (!isJsonObject(value) || value[TAG] !== kind) continue;
      const [hash, short] = value["v"] as [string, Json];
      const column = columnsOf(String(call["callId"]))?.[name];
      const same = column != null && sha256(column) === hash;
      filled[name] = same ? encodePlain(fields[name].fromText(column)) : short;
      if (!same) filled["replaced"] = true;
    }
    return filled;
  });

function mapCalls(asked: Json, change: (call: JsonObject) => JsonObject): Json {
  if (Array.isArray(asked)) return asked.map((one) => mapCalls(one, change));
  if (!isJsonObject(asked)) return asked;
  const question = asked["value"];
  if (!isJsonObject(question) || !Array.isArray(question["calls"])) return asked;
  const calls = question["calls"].map((call) => (isJsonObject(call) ? change(call) : call));
  return { ...asked, value: { ...question, calls } };
}
