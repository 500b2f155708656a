import { load } from "@langchain/core/load";
import { isBaseMessage } from "@langchain/core/messages";
import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { isJsonObject, type Json, type JsonObject, sha256 } from "../../core/json.ts";
import type { Plan } from "../../core/tool.ts";
import { withoutLines } from "../../files/diff/diff-text.ts";
import { planFromText, planToText } from "../journal/call-row.ts";
import { box, decodePlain, encodePlain, fromText, TAG, toText } from "../plain-codec.ts";
import { StoreFailure } from "../types.ts";
import { decodeMessage, encodeMessage, isKnownMessage } from "./message-codec.ts";

/**
 * Values of state channels, pending writes and metadata: plain data, messages, and the few classes that LangGraph keeps.
 * LangChain's own form (`{"lc":1,...}`) is never looked for in data, so data of that shape stays data.
 * @throws StoreFailure unserialisable.
 */
export function encodeValue(value: unknown): Json {
  return encodePlain(value, boxClass);
}

/** Decodes a value that `encodeValue` was given. Asynchronous only because LangChain revives its other classes so. */
export async function decodeValue(json: Json): Promise<unknown> {
  const revived = new Map<Json, unknown>();
  // A class that is no longer known reads as its plain form: the rest of the state must stay readable.
  for (const data of langChainBoxes(json)) revived.set(data, await load(JSON.stringify(data)).catch(() => data));
  return decodePlain(json, (kind, data, decode) =>
    kind === "langchain" ? revived.get(data) : open(kind, data, decode),
  );
}

function boxClass(value: object, encode: (inner: unknown) => Json): Json | undefined {
  if (value instanceof Date) return box("date", value.getTime());
  if (value instanceof Map)
    return box(
      "map",
      [...value].map(([key, item]) => [encode(key), encode(item)]),
    );
  if (value instanceof Set) return box("set", [...value].map(encode));
  if (value instanceof RegExp) return box("regexp", [value.source, value.flags]);
  if (value instanceof Error) return box("error", [value.name, value.message]);
  if (value instanceof Uint8Array) return box("bytes", Buffer.from(value).toString("base64"));
  if (isDeltaSnapshot(value)) return box("delta", encode(value.value));
  return boxLangChain(value);
}

function boxLangChain(value: object): Json | undefined {
  if (isBaseMessage(value) && isKnownMessage(value)) {
    const { type, id, body } = encodeMessage(value);
    return box("message", [type, id, body]);
  }
  if (!("lc_serializable" in value) || value.lc_serializable !== true) return undefined;
  return box("langchain", JSON.parse(JSON.stringify(value)) as Json);
}

function* langChainBoxes(json: Json): Generator<Json> {
  if (Array.isArray(json)) for (const item of json) yield* langChainBoxes(item);
  if (!isJsonObject(json)) return;
  if (json[TAG] === "langchain") yield json["v"] ?? null;
  else for (const item of Object.values(json)) yield* langChainBoxes(item);
}

function open(kind: string, data: Json, decode: (inner: Json) => unknown): unknown {
  const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
  if (make === undefined) throw new StoreFailure("corrupt", `stored data has a box of the unknown kind ${kind}`);
  return make(data as never, decode);
}

const makers: Record<string, (data: never, decode: (inner: Json) => unknown) => unknown> = {
  date: (time: number | null) => new Date(time ?? Number.NaN),
  map: (items: [Json, Json][], decode) => new Map(items.map(([key, item]) => [decode(key), decode(item)])),
  set: (items: Json[], decode) => new Set(items.map(decode)),
  regexp: ([source, flags]: [string, string]) => new RegExp(source, flags),
  error: ([name, message]: [string, string]) => Object.defineProperty(new Error(message), "name", { value: name }),
  bytes: (text: string) => new Uint8Array(Buffer.from(text, "base64")),
  delta: (inner: Json, decode) => new DeltaSnapshot(decode(inner)),
  message: ([type, id, body]: [string, string | null, string]) => decodeMessage({ type, id, body }),
};

/** A function that returns the journal's columns of a call, as text; undefined where there is no such call. */
export type CallColumns = (callId: string) => { plan: string | null; arguments: string } | undefined;

/** Shorter values stay in the question. Characters of JSON. */
const longFrom = 1_000;
const kind = "journal";

/** The form in which each field of a call in a question is kept in the journal's column of its name, and the short form that says which it was. */
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
 * Shortens a graph's question (the value of its interrupt, encoded) for the store: a long plan and long arguments that the journal
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
 * Restores the value that `leaveOut` was given. Where the journal's text is another one by now, the call has the short form and `replaced`: its
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
