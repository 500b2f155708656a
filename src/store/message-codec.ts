import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type StoredMessage as LangChainDict,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { decodePlain, encodePlain } from "./plain-codec.ts";

/** A message as it lies in the store. */
export interface MessageText {
  type: string;
  id: string | null;
  /** JSON: the content alone, or an object of short keys (`fields`), or LangChain's dictionary for other classes. */
  body: string;
}

/** Short key in the body -> the message's field. Empty ones are left out: messages are many and mostly plain. */
const fields: [short: string, field: string][] = [
  ["c", "content"],
  ["n", "name"],
  ["t", "tool_calls"],
  ["i", "invalid_tool_calls"],
  ["u", "usage_metadata"],
  ["x", "tool_call_id"],
  ["s", "status"],
  ["a", "artifact"],
  ["m", "metadata"],
  ["k", "additional_kwargs"],
  ["r", "response_metadata"],
];

type Fields = Record<string, unknown> & { content: string };
const makers: Record<string, (fields: Fields) => BaseMessage> = {
  human: (fields) => new HumanMessage(fields),
  ai: (fields) => new AIMessage(fields),
  system: (fields) => new SystemMessage(fields),
  tool: (fields) => new ToolMessage({ ...fields, tool_call_id: String(fields["tool_call_id"] ?? "") }),
};

/**
 * The four kinds that this codec gives back exactly; a piece of a stream comes back as the message that it is. Others go
 * by way of LangChain's dictionary.
 */
export const isKnownMessage = (message: BaseMessage): boolean => Object.hasOwn(makers, message.getType());

/** @throws StoreFailure unserialisable. */
export function encodeMessage(message: BaseMessage): MessageText {
  const id = message.id ?? null;
  if (!isKnownMessage(message)) return { type: "dict", id, body: JSON.stringify(encodePlain(message.toDict())) };
  const own = message as unknown as Record<string, unknown>;
  const kept = fields.filter(([, field]) => field === "content" || !isEmpty(own[field]));
  const data = Object.fromEntries(kept.map(([short, field]) => [short, encodePlain(own[field])]));
  return { type: message.getType(), id, body: JSON.stringify(kept.length === 1 ? data["c"] : data) };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Never throws: one damaged row must not make a conversation unreadable, so it reads as a message that says so. */
export function decodeMessage(stored: MessageText): BaseMessage {
  try {
    const json = JSON.parse(stored.body) as Json;
    return stored.type === "dict" ? fromDict(json) : fromFields(stored, json);
  } catch (error) {
    return unreadable(stored, error);
  }
}

function fromDict(json: Json): BaseMessage {
  const [message] = mapStoredMessagesToChatMessages([decodePlain(json) as LangChainDict]);
  if (message === undefined) throw new TypeError("no message in the dictionary");
  return message;
}

function fromFields(stored: MessageText, json: Json): BaseMessage {
  const data: JsonObject = isJsonObject(json) ? json : { c: json };
  const named = fields.filter(([short]) => Object.hasOwn(data, short));
  const own = Object.fromEntries(named.map(([short, field]) => [field, decodePlain(data[short] ?? null)]));
  const content = own["content"];
  if (typeof content !== "string" && !Array.isArray(content)) throw new TypeError("a message without content");
  return make(stored, own as Fields);
}

function make(stored: MessageText, own: Fields): BaseMessage {
  const maker = Object.hasOwn(makers, stored.type) ? makers[stored.type] : undefined;
  if (maker === undefined) throw new TypeError(`a message of the unknown type ${JSON.stringify(stored.type)}`);
  return maker(stored.id === null ? own : { ...own, id: stored.id });
}

function unreadable(stored: MessageText, error: unknown): BaseMessage {
  const why = error instanceof Error ? error.message : String(error);
  const content = `[This message could not be read from the store: ${why}]`;
  const type = Object.hasOwn(makers, stored.type) ? stored.type : "system";
  return make({ ...stored, type }, { content, additional_kwargs: { unreadable: stored.body } });
}
