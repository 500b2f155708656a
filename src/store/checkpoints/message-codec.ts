import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type StoredMessage as LangChainDict,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { decodePlain, encodePlain } from "../plain-codec.ts";
import type { Observation } from "../types.ts";

/** A message as it lies in the store. */
export interface MessageText {
  type: string;
  id: string | null;
  /** JSON: the content alone, or an object of short keys (`fields`), or LangChain's dictionary for other classes. */
  body: string;
}

/** A function that returns the words of a call as the journal of the message's thread has them. */
export type CallWords = (callId: string) => Observation | undefined;

/** The time when a tool message gets the words that were left out: as it is loaded, or once somebody reads them. */
export type Filled = "loaded" | "read";

/**
 * Key in the body of a tool message that is stored without the words of its call: 1 where the content is left out, 2 where
 * the status is too.
 */
const leftOut = "o";

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
export function encodeMessage(message: BaseMessage, wordsOf?: CallWords): MessageText {
  const id = message.id ?? null;
  if (!isKnownMessage(message)) return { type: "dict", id, body: JSON.stringify(encodePlain(message.toDict())) };
  const own = message as unknown as Record<string, unknown>;
  const left = ToolMessage.isInstance(message) ? heldByCall(message, wordsOf) : [];
  const kept = fields.filter(([, field]) => !left.includes(field) && (field === "content" || !isEmpty(own[field])));
  const data = Object.fromEntries(kept.map(([short, field]) => [short, encodePlain(own[field])]));
  if (left.length > 0) data[leftOut] = left.length;
  const plain = kept.length === 1 && left.length === 0;
  return { type: message.getType(), id, body: JSON.stringify(plain ? data["c"] : data) };
}

/** Fields that the journal would give back exactly: no words are left out that it does not have. */
function heldByCall(message: ToolMessage, wordsOf: CallWords | undefined): string[] {
  const words = wordsOf?.(message.tool_call_id);
  if (words === undefined || !isSame(words.content, message.content)) return [];
  return message.status !== undefined && message.status === words.status ? ["content", "status"] : ["content"];
}

const isSame = (one: Observation["content"], other: Observation["content"]): boolean =>
  typeof one === "string" || typeof other === "string"
    ? one === other
    : JSON.stringify(encodePlain(one)) === JSON.stringify(encodePlain(other));

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Never throws: one damaged row must not make a conversation unreadable, so it reads as a message that says so. */
export function decodeMessage(stored: MessageText, wordsOf?: CallWords, filled: Filled = "loaded"): BaseMessage {
  try {
    const json = JSON.parse(stored.body) as Json;
    return stored.type === "dict" ? fromDict(json) : fromFields(stored, json, wordsOf, filled);
  } catch (error) {
    return unreadable(stored, error);
  }
}

function fromDict(json: Json): BaseMessage {
  const [message] = mapStoredMessagesToChatMessages([decodePlain(json) as LangChainDict]);
  if (message === undefined) throw new TypeError("no message in the dictionary");
  return message;
}

function fromFields(stored: MessageText, json: Json, wordsOf: CallWords | undefined, filled: Filled): BaseMessage {
  const data: JsonObject = isJsonObject(json) ? json : { c: json };
  const named = fields.filter(([short]) => Object.hasOwn(data, short));
  const own = Object.fromEntries(named.map(([short, field]) => [field, decodePlain(data[short] ?? null)]));
  if (stored.type === "tool" && filled === "read" && data[leftOut] !== undefined && wordsOf !== undefined)
    return filledOnceRead(make(stored, { ...own, content: "" }), data[leftOut] === 2 ? held : ["content"], () =>
      wordsFor(stored, data, wordsOf),
    );
  if (stored.type === "tool") Object.assign(own, wordsFor(stored, data, wordsOf));
  const content = own["content"];
  if (typeof content !== "string" && !Array.isArray(content)) throw new TypeError("a message without content");
  return make(stored, own as Fields);
}

/** Fields of a tool message that its call may hold. */
const held = ["content", "status"] as const;

/**
 * Gives a message these fields by `lookUp`, which is asked once somebody reads one: what the model reads of a call is rendered from the
 * journal, so most of a long talk's are never read here.
 */
function filledOnceRead(
  message: BaseMessage,
  left: readonly (keyof Observation)[],
  lookUp: () => Partial<Observation>,
): BaseMessage {
  let found: Partial<Observation> | undefined;
  const words = (): Partial<Observation> => {
    try {
      found ??= lookUp();
    } catch (error) {
      found = { content: unreadableText(error) };
    }
    return found;
  };
  for (const field of left) {
    const later: PropertyDescriptor = {
      get: () => words()[field],
      set(this: object, value: unknown) {
        Object.defineProperty(this, field, { value, writable: true, enumerable: true, configurable: true });
      },
      enumerable: true,
      configurable: true,
    };
    Object.defineProperty(message, field, later);
    // What LangChain writes of a message is what stands there.
    Object.defineProperty(message.lc_kwargs, field, later);
  }
  return message;
}

/** Finds the words that were left out. Earlier versions left out the content of every observation, and said so by its id alone. */
function wordsFor(
  { id }: MessageText,
  { [leftOut]: left, c, x }: JsonObject,
  wordsOf?: CallWords,
): Partial<Observation> {
  const callId = String(x);
  const unsaid = left === undefined && c === "" && id === `o-${callId}`;
  if (left === undefined && !unsaid) return {};
  const words = wordsOf?.(callId);
  if (words === undefined)
    return unsaid ? {} : { content: `[What call ${callId} came to is kept with the call alone]` };
  const { content, status } = words;
  return left === 1 || status === undefined ? { content } : { content, status };
}

function make(stored: MessageText, own: Fields): BaseMessage {
  const maker = Object.hasOwn(makers, stored.type) ? makers[stored.type] : undefined;
  if (maker === undefined) throw new TypeError(`a message of the unknown type ${JSON.stringify(stored.type)}`);
  return maker(stored.id === null ? own : { ...own, id: stored.id });
}

function unreadable(stored: MessageText, error: unknown): BaseMessage {
  const content = unreadableText(error);
  const type = Object.hasOwn(makers, stored.type) ? stored.type : "system";
  return make({ ...stored, type }, { content, additional_kwargs: { unreadable: stored.body } });
}

const unreadableText = (error: unknown): string =>
  `[This message could not be read from the store: ${error instanceof Error ? error.message : String(error)}]`;
