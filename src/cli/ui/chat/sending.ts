import { cells as cellWords } from "../../../words/en/cells.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import type { Chat, Sending } from "./chat.ts";
import { input, takenBack } from "./surfaces.ts";

/** Most messages are the session's before this many milliseconds. */
export const lateMs = 200;

export const withSending = (chat: Chat, one: Sending): Chat => ({ ...chat, sending: [...chat.sending, one] });

export const withoutSending = (chat: Chat, id: number): Chat => ({
  ...chat,
  sending: chat.sending.filter((one) => one.id !== id),
});

const changed = (chat: Chat, id: number, change: Partial<Sending>): Chat => ({
  ...chat,
  sending: chat.sending.map((one) => (one.id === id ? { ...one, ...change } : one)),
});

export const grownLate = (chat: Chat, id: number): Chat => changed(chat, id, { late: true });

/** It is with the session now. Undefined where it was taken back before. */
export const handedOver = (chat: Chat, id: number): Chat | undefined =>
  chat.sending.some((one) => one.id === id) ? changed(chat, id, { behind: false }) : undefined;

// Keeps cli 5.
/** Messages that no session has yet come back into the input. */
export function withUnsent(chat: Chat): Chat {
  const unsent = chat.sending.filter(({ behind }) => behind).map(({ text }) => text);
  if (unsent.length === 0) return chat;
  return {
    ...chat,
    open: takenBack(chat.open, unsent),
    sending: chat.sending.filter(({ behind }) => !behind),
  };
}

/** Returns the person's texts that nobody has, in words for the end of the chat. */
export function unsentWords({ open, sending }: Chat): string[] {
  const waiting = sending.filter(({ behind }) => behind).map(({ text }) => text);
  return notSentWords([...waiting, input.unsent(open.input)]);
}

export const notSentWords = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.trim() !== "").map((text) => cellWords().notSent({ text: cleanText(text) }));
