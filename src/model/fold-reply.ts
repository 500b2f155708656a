import type { JsonObject } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import { OfferedNames } from "./call-names.ts";
import { cutReply, endedReply, Passing } from "./failures.ts";
import { ObjectEnd } from "./object-end.ts";
import type { ModelEvent, ModelFailure, ModelReply, RawCall, Usage } from "./port.ts";
import { ReplySizes, within } from "./reply-sizes.ts";
import type { Quirks, SentBack } from "./servers.ts";
import { type Said, ThoughtsInText } from "./thoughts-in-text.ts";

/** One piece of a call as the wire brings it; what a server leaves out is undefined or empty. */
export interface CallPiece {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  args?: string | undefined;
  /** The server's signature of the call. */
  signature?: JsonObject | undefined;
  /** The reason that its arguments cannot be relied on as they came. */
  problem?: string | undefined;
}

/** One event of a chat-completions stream, its quirks of form already removed. */
export interface Piece {
  text?: string;
  thought?: string;
  calls?: readonly CallPiece[];
  finish?: string | undefined;
  usage?: Usage | undefined;
}

interface Slot {
  /** The server's index, where it gives one: calls run in its order. */
  index: number | undefined;
  id: string;
  name: string;
  /** The name that was told of. */
  told: string;
  args: string;
  problem: string | undefined;
  /** Bytes of `args`. */
  size: number;
  end: ObjectEnd;
  signature: JsonObject | null;
  /** True if `args`, up to the end that was reached, is JSON; undefined as long as nobody asked. */
  parses?: boolean;
}

/** Finish reasons that mean: the reply is whole. The first two are the protocol's, the others what servers say for them. */
const wholeReasons: ReadonlySet<string> = new Set([
  "stop",
  "tool_calls",
  "function_call", // the form before tool calls
  "tool_use", // gateways to Anthropic
  "end_turn",
  "stop_sequence",
  "eos", // Together
  "eos_token", // text-generation-inference
  "STOP", // gateways to Gemini
]);

/** The reasons that a reply with another finish reason is not whole, in words. */
const cutReasons: Record<string, string> = {
  length: "the model reached its limit of output tokens",
  max_tokens: "the model reached its limit of output tokens",
  MAX_TOKENS: "the model reached its limit of output tokens",
  content_filter: "the provider's content filter stopped it",
};

// Keeps model 1.
/** Tells whether a reply with this finish reason is whole. */
export const isWhole = (finish: string): boolean => wholeReasons.has(finish);

/** The failure that a reply with another finish reason is. */
export const notWhole = (finish: string): ModelFailure =>
  endedReply(`The reply was cut off: ${cutReasons[finish] ?? "not a whole reply"} (finish reason ${finish})`);

/** Puts the pieces of one stream together, raw; only `finish` says whether they are a reply. */
export interface ReplyFold {
  /** True if a finish reason was seen. */
  readonly ended: boolean;
  /** The text so far, without thoughts. */
  readonly text: string;
  /** Its cost so far, as the server has said it. */
  readonly usage: Usage | undefined;
  /** Bytes of what was said: it stands still while a server sends signs of life alone. */
  readonly taken: number;
  /** @throws ModelFailure `cut`: more came than there is room for. */
  push(piece: Piece): ModelEvent[];
  /** Returns the events that are told once no more comes: the end of its text. */
  rest(): ModelEvent[];
  /** @throws ModelFailure `cut` (Passing where nothing came at all): the stream did not end whole. */
  finish(): ModelReply;
}

/** The calls of one reply, as their pieces come. */
class Slots {
  readonly all: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();
  readonly #sizes: ReplySizes;
  readonly #names: OfferedNames;

  constructor(sizes: ReplySizes, names: OfferedNames) {
    this.#sizes = sizes;
    this.#names = names;
  }

  push(piece: CallPiece): ModelEvent {
    const { id = "", name = "", args = "" } = piece;
    const slot = this.#slotOf(piece);
    within(limits.callName, Math.max(id.length, name.length, slot.name.length));
    const event: ModelEvent = { type: "call", index: this.all.indexOf(slot), argumentsDelta: args };
    if (slot.id === "" && id !== "") event.id = slot.id = id;
    if (name !== "" && slot.args === "") slot.name = this.#names.grown(slot.name, name);
    const meant = this.#names.meant(slot.name);
    const isSure = args !== "" || this.#names.has(meant) || !this.#names.isBeginning(meant);
    if (meant !== slot.told && isSure) event.name = slot.told = meant;
    slot.size += this.#sizes.count("replyArguments", args);
    within(limits.callArguments, slot.size);
    slot.args += args;
    slot.end.push(args);
    slot.signature ??= piece.signature ?? null;
    slot.problem ??= piece.problem;
    return event;
  }

  #slotOf(piece: CallPiece): Slot {
    const { index } = piece;
    const found = index === undefined ? openSlot(this.all, piece, this.#names) : this.#byIndex.get(index);
    if (found !== undefined && !(index !== undefined && isAnother(found, piece))) return found;
    within(limits.replyCalls, this.all.length + 1);
    const fresh = { id: "", name: "", told: "", args: "", size: 0, signature: null, problem: undefined };
    const slot: Slot = { index, ...fresh, end: new ObjectEnd() };
    this.all.push(slot);
    if (index !== undefined) this.#byIndex.set(index, slot);
    return slot;
  }
}

/**
 * A fold for one reply. Arguments stay the text that the model wrote: nothing is parsed or mended here.
 * @param keeps what the server needs back.
 * @param offered the tools that it may call.
 */
export function foldReply(
  keeps: Quirks["sendBack"] = "nothing",
  offered: readonly { readonly name: string }[] = [],
): ReplyFold {
  const sizes = new ReplySizes();
  const names = new OfferedNames(offered.map(({ name }) => name));
  const slots = new Slots(sizes, names);
  const inText = new ThoughtsInText();
  let [text, thoughts] = ["", ""];
  let finish: string | undefined;
  let usage: Usage | undefined;
  let anything = false;

  const told = (said: readonly Said[]): ModelEvent[] => {
    for (const one of said) if (one.type === "text") text += one.text;
    return said.map((one) => ({ ...one }));
  };

  return {
    get ended() {
      return finish !== undefined;
    },
    get text() {
      return text;
    },
    get usage() {
      return usage;
    },
    get taken() {
      return sizes.total + slots.all.length;
    },
    push(piece) {
      const events: ModelEvent[] = [];
      if (piece.thought !== undefined && piece.thought !== "") {
        sizes.count("replyThoughts", piece.thought);
        thoughts += piece.thought;
        events.push({ type: "thought", text: piece.thought });
      }
      if (piece.text !== undefined && piece.text !== "") {
        sizes.count("replyText", piece.text);
        anything = true;
        events.push(...told(inText.take(piece.text)));
      }
      for (const call of piece.calls ?? []) events.push(slots.push(call));
      finish = piece.finish ?? finish;
      usage = piece.usage ?? usage;
      anything ||= events.length > 0;
      return events;
    },
    rest: () => told(inText.rest()),
    finish() {
      if (finish === undefined) {
        const failure = cutReply("The reply was cut off: the stream ended without a finish reason");
        throw anything ? failure : new Passing(failure);
      }
      const sentBack = sentBackOf(keeps, thoughts, inOrder(slots.all));
      const reply: ModelReply = { text, calls: wholeCalls(slots.all, finish, text, names), finish };
      return {
        ...reply,
        ...(usage === undefined ? {} : { usage }),
        ...(sentBack === undefined ? {} : { sentBack }),
      };
    },
  };
}

/** @throws ModelFailure `cut` where they are not a whole reply's. */
function wholeCalls(slots: readonly Slot[], finish: string, text: string, names: OfferedNames): RawCall[] {
  if (!isWhole(finish)) throw notWhole(finish);
  if (slots.some((slot) => slot.name === "")) throw cutReply("The reply was cut off: it has a call without a name");
  if (slots.length === 0 && finish === "tool_calls" && text === "") {
    throw endedReply("The reply was cut off: it announced tool calls and none came");
  }
  return inOrder(slots).map(({ id, name, args, problem }) => ({
    ...{ id, name: names.meant(name), rawArguments: args },
    ...(problem === undefined ? {} : { problem }),
  }));
}

function sentBackOf(keeps: Quirks["sendBack"], thoughts: string, slots: readonly Slot[]): SentBack | undefined {
  if (keeps === "thoughts" && thoughts !== "" && slots.length > 0) return { thoughts };
  const isSigned = keeps === "signatures" && slots.some(({ signature }) => signature !== null);
  return isSigned ? { signatures: slots.map(({ signature }) => signature) } : undefined;
}

/** By index, whatever came first; of one index, and where there is none, as they came. */
function inOrder(slots: readonly Slot[]): readonly Slot[] {
  return slots.some(({ index }) => index === undefined)
    ? slots
    : slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** Without an index: the call that this piece goes on with, if it does not begin one. */
function openSlot(slots: readonly Slot[], piece: CallPiece, names: OfferedNames): Slot | undefined {
  const id = piece.id ?? "";
  const last = id === "" ? slots.at(-1) : slots.findLast((slot) => slot.id === id);
  if (last === undefined) return undefined;
  const { name = "" } = piece;
  if (last.args === "" && names.goesOn(last.name, name)) return last;
  const begins = name !== "" && (last.name !== name || isComplete(last));
  return begins ? undefined : last;
}

/** Servers that send each call whole and all of them under index 0: another id, or a second whole call. */
function isAnother(slot: Slot, piece: CallPiece): boolean {
  if (piece.name === undefined || piece.name === "") return false;
  const id = piece.id ?? "";
  if (id !== "" && slot.id !== "") return id !== slot.id;
  return (piece.args ?? "").trim() !== "" && isComplete(slot);
}

function isComplete(slot: Slot): boolean {
  if (!slot.end.reached) return false;
  slot.parses ??= isJson(slot.args); // behind its end only blanks can have come
  return slot.parses;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
