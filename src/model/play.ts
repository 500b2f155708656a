import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../core/json.ts";
import type { ModelEvent, ModelReply } from "./port.ts";

export interface ScriptedCall {
  name: string;
  /** A string is played as it is, so that malformed arguments can be scripted. */
  arguments: JsonObject | string;
  id?: string | undefined;
}

export interface ScriptedReply {
  text?: string | undefined;
  calls?: readonly ScriptedCall[] | undefined;
  finish?: string | undefined;
  /** Pieces that the text, and each call's arguments, come in; default 3. */
  chunks?: number | undefined;
  /** Milliseconds between two pieces; default none. */
  delayMs?: number | undefined;
}

/**
 * The pieces of a scripted reply as a server would send them, without `done`.
 * @returns the whole reply, which the caller judges by its finish reason.
 * @throws the signal's reason when it aborts, also between two pieces.
 */
export async function* playReply(reply: ScriptedReply, signal: AbortSignal): AsyncGenerator<ModelEvent, ModelReply> {
  const pieces = reply.chunks ?? 3;
  let first = true;
  const pause = async (): Promise<void> => {
    if (!first && reply.delayMs !== undefined && reply.delayMs > 0) {
      await wait(reply.delayMs, undefined, { signal }).catch(() => undefined);
    }
    first = false;
    signal.throwIfAborted();
  };
  const calls = (reply.calls ?? []).map(({ id, name, arguments: args }) => ({
    id: id ?? "",
    name,
    rawArguments: typeof args === "string" ? args : JSON.stringify(args),
  }));
  for (const text of cutText(reply.text ?? "", pieces)) {
    await pause();
    yield { type: "text", text };
  }
  for (const [index, { id, name, rawArguments }] of calls.entries()) {
    await pause();
    yield { type: "call", index, id, name, argumentsDelta: "" };
    for (const argumentsDelta of cutText(rawArguments, pieces)) {
      await pause();
      yield { type: "call", index, argumentsDelta };
    }
  }
  signal.throwIfAborted();
  const finish = reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return { text: reply.text ?? "", calls, finish };
}

/** `text` in at most `pieces` parts of about the same length, none empty, no character torn apart. */
function cutText(text: string, pieces: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / pieces));
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, at) => characters.slice(at * size, (at + 1) * size).join(""));
}
