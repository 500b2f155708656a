import { load } from "@langchain/core/load";
import { isBaseMessage } from "@langchain/core/messages";
import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { isJsonObject, type Json } from "../../core/json.ts";
import { box, decodePlain, encodePlain, TAG } from "../plain-codec.ts";
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

/** What `encodeValue` was given. Asynchronous only because LangChain revives its other classes so. */
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
