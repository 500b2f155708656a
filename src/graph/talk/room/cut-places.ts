import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isFinal } from "../../../core/call.ts";
import type { JournalReading } from "../../../store/types.ts";
import { picturesIdOf } from "../show-images.ts";
import { messageTokens } from "./token-estimate.ts";

/** Of the room for what stays: less is not worth a summary. */
const leastGain = 0.4;

/** The places where a talk may be cut. Pure but for what the journal says of calls. */
export interface Places {
  /** The last message up to which the outputs of calls may be left out, so that the newest ones of `room` tokens stay. */
  outputsUpTo(room: number): BaseMessage | undefined;
  /**
   * The first message that stays whole where about `room` tokens of the newest ones do, or less, so that the model has said something
   * before it; undefined where it has not.
   */
  staysFrom(room: number): number | undefined;
  /** The last message with calls. */
  lastWithCalls: BaseMessage | undefined;
}

/**
 * @param messages as they are stored
 * @param rendered the same as the model reads them now
 */
export function placesIn(
  journal: Pick<JournalReading, "call" | "turns">,
  messages: readonly BaseMessage[],
  rendered: readonly BaseMessage[],
): Places {
  const outputs = new Map<string, number>();
  const own = new Map<string | undefined, number>();
  for (const message of rendered) {
    if (ToolMessage.isInstance(message)) outputs.set(message.tool_call_id, messageTokens(message));
    else own.set(message.id, messageTokens(message));
  }
  const callsOf = (message: BaseMessage): string[] =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id ?? "") : [];
  const ofOutputs = (message: BaseMessage): number =>
    callsOf(message).reduce((sum, id) => sum + (outputs.get(id) ?? 0) + (own.get(picturesIdOf(id)) ?? 0), 0);
  const sizeOf = (message: BaseMessage): number =>
    message.getType() === "tool" ? 0 : (own.get(message.id) ?? 0) + ofOutputs(message);
  const isOpen = (message: BaseMessage): boolean =>
    callsOf(message).some((id) => {
      const call = journal.call(id);
      return call !== undefined && !isFinal(call);
    });
  const read = readUpTo(messages);
  const open = messages.findIndex(isOpen);
  const firstOpen = open < 0 ? messages.length : open;
  /** The place of the first message that nobody may cut: its calls are open, or the model has not answered it yet. */
  const bound = Math.min(read, firstOpen);
  /**
   * The place of the first message that a summary may not stand for: the same, but for turns that have ended: all that they left may be too long
   * to be read at all.
   */
  const foldable = Math.min(Math.max(read, turnBegins(journal, messages)), firstOpen);

  return {
    outputsUpTo(room) {
      let left = room;
      for (let at = messages.length - 1; at >= 0; at -= 1) {
        const message = messages[at] as BaseMessage;
        left -= ofOutputs(message);
        if (left < 0 && at < bound && callsOf(message).length > 0) return message;
      }
      return undefined;
    },
    staysFrom(room) {
      let [from, left] = [foldable, room];
      for (let at = messages.length - 1; at >= 0; at -= 1) {
        const message = messages[at] as BaseMessage;
        left -= sizeOf(message);
        if (left < 0) break;
        if (at < from && message.getType() !== "tool") from = at;
      }
      const words = messages.findIndex((message) => AIMessage.isInstance(message) && own.has(message.id));
      if ((words >= 0 && words < from) || isUnanswered(messages, from - 1)) return from;
      return words < 0
        ? undefined
        : leastFold(messages.slice(0, foldable + 1), { words, least: room * leastGain, sizeOf });
    },
    lastWithCalls: messages.findLast((message) => callsOf(message).length > 0),
  };
}

/**
 * Finds the place where the talk begins that stays, if its first words are so long that all the rest would: then as little goes as is worth a
 * summary.
 * @param words the first message of the model
 * @param least tokens that are to go
 */
function leastFold(
  messages: readonly BaseMessage[],
  { words, least, sizeOf }: { words: number; least: number; sizeOf: (message: BaseMessage) => number },
): number | undefined {
  let gone = 0;
  const found = messages.findIndex((message, at) => {
    if (at > words && gone >= least && message.getType() !== "tool") return true;
    gone += sizeOf(message);
    return false;
  });
  return found < 0 ? undefined : found;
}

/** The place of the first message that the model has still to answer: its own last calls, or the person's words; else its last words. */
function readUpTo(messages: readonly BaseMessage[]): number {
  const last = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const message = messages[last];
  if (message === undefined) return 0;
  const hasCalls = AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0;
  return hasCalls || last === messages.length - 1 ? last : last + 1;
}

/** The place of the message that began the turn under way, or the last one; -1 where it is not there. */
function turnBegins(journal: Pick<JournalReading, "turns">, messages: readonly BaseMessage[]): number {
  const turn = journal.turns().findLast(({ state }) => state !== "queued");
  return messages.findLastIndex(({ id }) => id === turn?.messageId);
}

/** Tells whether the person said this, and then the next thing, without a word of the model between. */
const isUnanswered = (messages: readonly BaseMessage[], at: number): boolean =>
  messages[at]?.getType() === "human" && messages[at + 1]?.getType() === "human";
