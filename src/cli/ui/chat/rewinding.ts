import type { AgentEvent } from "../../../graph/events.ts";
import { draftOf, withTakenBack } from "../composer/composer-state.ts";
import { newRewinding, type RewindEffect, withTakeBack } from "../rewind/rewind-state.ts";
import { cleanLine } from "../safe-text.ts";
import type { Chat } from "./chat-state.ts";
import type { Held } from "./errands.ts";

/** A list that opened now would take what is being written for its keys. */
export const isWriting = (chat: Chat): boolean => draftOf(chat.composer) !== "" || chat.held.length > 0;

export const notListed = "the list came while you were writing, and was not opened";

/** Shows the person's messages, to go on from one of them. */
export async function listMessages(held: Held): Promise<void> {
  const points = (await held.ports.options.rewind?.points(held.session().id)) ?? [];
  const chat = held.chat();
  if (isWriting(chat)) return held.set({ ...chat, flash: notListed });
  if (points.length === 0) return held.set({ ...chat, flash: "there is no earlier message to go on from" });
  held.set({ ...chat, rewinding: newRewinding(points) });
}

export async function lookAtFiles({ point }: Extract<RewindEffect, { do: "rewind_look" }>, held: Held): Promise<void> {
  const takeBack = await held.ports.options.rewind?.look(held.session().id, point);
  const chat = held.chat();
  if (chat.rewinding === undefined || takeBack === undefined) return;
  held.set({ ...chat, rewinding: withTakeBack(chat.rewinding, point.turn, takeBack) });
}

/** The files by an undo, which is asked about like any; the talk by a fork, once the undo is done. */
export async function goBackTo(
  { point, choice, calls }: Extract<RewindEffect, { do: "rewind" }>,
  held: Held,
): Promise<void> {
  const { rewind } = held.ports.options;
  if (rewind === undefined) return;
  if (choice === "talk") return goOnFrom(held, point.turn);
  const mark = choice === "both" ? { rewind: await rewind.to(point) } : {};
  const begun = await held.session().undo({ calls: [...calls], rest: true, ...mark });
  if (!begun.ok) held.say({ kind: "notice", level: "warn", text: cleanLine(begun.message) });
}

/** It may be the undo of a rewind that has ended so: the talk is forked then. */
export const mayEndUndo = (event: AgentEvent): boolean =>
  event.type === "turn_ended" && event.parent === undefined && event.reason === "done" && event.calls.success === 1;

/** Goes over to the fork, with the message in the input. @param turn absent: only where an undo was done for it, and the fork is left to do */
export async function goOnFrom(held: Held, turn?: number): Promise<void> {
  const from = held.session();
  const done = await held.ports.options.rewind?.finish(from.id, turn);
  if (done === undefined) return;
  await (done.id === undefined ? held.command("new", "") : held.command("sessions", done.id));
  const chat = held.chat();
  if (held.session() === from) return;
  held.set({ ...chat, composer: withTakenBack(chat.composer, [done.draft]) });
}
