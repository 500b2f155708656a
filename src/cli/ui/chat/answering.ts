import type { CallRef } from "../../../core/call-ref.ts";
import type { Session } from "../../../session/session.ts";
import type { Answer } from "../dialog/dialog-state.ts";
import { cleanLine, errorText, refusalOf } from "../safe-text.ts";
import type { Mode } from "../view/view.ts";
import { type Effect, refused } from "./chat-state.ts";
import type { Held } from "./errands.ts";

/**
 * Gives the person's answers to the session. The mode holds from the next call on: it is set first, and taken back where the answer does
 * not count.
 */
export async function answer({ answers, mode }: Extract<Effect, { do: "answer" }>, held: Held): Promise<void> {
  const before = held.chat().view.mode;
  if (mode !== undefined) {
    const why = refusalOfMode(mode, held);
    if (why !== undefined) return refuse(answers, why, held);
    setMode(mode, held);
  }
  const outcomes = answers.map(async ({ ref, decision }) => {
    const counts = await settled(ref, held.session().answer(ref, decision), held);
    if (!counts && mode !== undefined) setMode(before, held);
  });
  await Promise.all(outcomes);
}

/** What is to become of a call whose end was not seen. */
export async function recover({ ref, choice }: Extract<Effect, { do: "recover" }>, held: Held): Promise<void> {
  await settled(ref, held.session().recover(ref, choice), held);
}

/** The screen shows the new mode already; where it cannot be had it shows the old one again. */
export async function changeMode({ mode, from }: Extract<Effect, { do: "mode" }>, held: Held): Promise<void> {
  const why = refusalOfMode(mode, held);
  if (why === undefined) {
    held.session().setMode(mode);
    return;
  }
  held.set({ ...held.chat(), view: { ...held.chat().view, mode: from } });
  held.say({ kind: "notice", level: "warn", text: why });
}

/** @returns whether the answer counts; false too where nobody knows. Why not is said at its question. */
async function settled(ref: CallRef, outcome: ReturnType<Session["answer"]>, held: Held): Promise<boolean> {
  const message = await outcome.then(refusalOf, errorText);
  if (message !== undefined) held.set(refused(held.chat(), ref, message));
  return message === undefined;
}

function refusalOfMode(mode: Mode, { ports, session }: Held): string | undefined {
  const why = ports.options.refusesMode?.(mode, session().workspace);
  return why === undefined ? undefined : cleanLine(why);
}

function refuse(answers: readonly Answer[], why: string, held: Held): void {
  for (const { ref } of answers) held.set(refused(held.chat(), ref, why));
}

function setMode(mode: Mode, held: Held): void {
  held.session().setMode(mode);
  held.set({ ...held.chat(), view: { ...held.chat().view, mode } });
}
