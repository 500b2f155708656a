import type { CallRef } from "../../../core/call-ref.ts";
import type { CallDecision } from "../../../graph/decisions.ts";
import type { RecoveryChoice } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import { cleanLine, errorText, refusalOf } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { Mode } from "../view/view.ts";

export interface Answer {
  ref: CallRef;
  decision: CallDecision;
}

/** Gives the person's answers to the session. The mode of one that counts is shown from then on. */
export async function answer({ answers }: { answers: readonly Answer[] }, hands: ChatHands): Promise<void> {
  const outcomes = answers.map(async ({ ref, decision }) => {
    const { mode } = { mode: undefined, ...decision };
    const why = mode === undefined ? undefined : refusalOfMode(mode, hands);
    if (why !== undefined) return hands.refused(ref, why);
    const counts = await settled(ref, hands.session().answer(ref, { ...decision, by: "person" }), hands);
    if (counts && mode !== undefined) hands.show(mode);
  });
  await Promise.all(outcomes);
}

/** Gives the session the choice for a call whose end was not seen. */
export async function recover(
  { ref, choice }: { ref: CallRef; choice: RecoveryChoice },
  hands: ChatHands,
): Promise<void> {
  await settled(ref, hands.session().recover(ref, choice), hands);
}

/** The screen shows the new mode already; where it cannot be had it shows the old one again. */
export async function changeMode({ mode, from }: { mode: Mode; from: Mode }, hands: ChatHands): Promise<void> {
  const why = refusalOfMode(mode, hands);
  if (why === undefined) {
    hands.session().setMode(mode);
    return;
  }
  hands.show(from);
  hands.say({ kind: "notice", level: "warn", text: why });
}

/** @returns whether the answer counts; false too where nobody knows. Why not is said at its question. */
async function settled(ref: CallRef, outcome: ReturnType<Session["answer"]>, hands: ChatHands): Promise<boolean> {
  const message = await outcome.then(refusalOf, errorText);
  if (message !== undefined) hands.refused(ref, message);
  return message === undefined;
}

function refusalOfMode(mode: Mode, { services, session }: ChatHands): string | undefined {
  const why = services.folder.refusesMode(mode, session().workspace);
  return why === undefined ? undefined : cleanLine(why);
}
