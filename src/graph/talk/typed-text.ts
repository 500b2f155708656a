import type { BaseMessage } from "@langchain/core/messages";
import { servedKey, typedKey } from "../../model/port.ts";
import { textOf } from "./message-text.ts";

/** Only the agent itself marks a message so. */
export const typedKeys: readonly string[] = [typedKey, servedKey];

/** @param typed of a message that says another text @param byServers that is what servers gave for it */
export const markTyped = (typed: string | undefined, byServers = false): Record<string, unknown> =>
  typed === undefined ? {} : { [typedKey]: typed, ...(byServers ? { [servedKey]: true } : {}) };

/** It holds what servers gave. */
export const isServed = (message: BaseMessage): boolean => message.additional_kwargs[servedKey] === true;

/** Returns the text that the person typed: where a message comes back to them, it is that. @param text what it says */
export function typedOf(message: BaseMessage, text: string): string {
  const typed: unknown = message.additional_kwargs[typedKey];
  return typeof typed === "string" ? typed : text;
}

/** A message by whose words are in it: what the person wrote or named, and what servers gave for that, undefined where it has none. */
export function bySpeaker(message: BaseMessage): { person: string; servers?: string } {
  const text = textOf(message);
  if (!isServed(message)) return { person: text };
  const person = typedOf(message, "");
  return { person, servers: text.startsWith(person) ? text.slice(person.length).trim() : text };
}
