import { undoToolName } from "../../../core/call.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import type { RewindPoint } from "../../../records/undo/rewind.ts";
import { chatCommands } from "../../../words/en/chat-commands.ts";
import { rewind } from "../../../words/en/rewind.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { cleanLine } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
import { isAsking } from "../view/view.ts";
import { rewindFrame, rewindText } from "./rewind-frame.ts";
import { newRewinding, type RewindEffect, type Rewinding, rewindKey, unchosen, withTakeBack } from "./rewind-state.ts";

type GoingBack = Extract<RewindEffect, { do: "rewind" }>;

/** Messages from one of which the person goes on. */
export const rewindSurface: Surface<Rewinding, RewindEffect> = {
  whole: (rewinding, { columns, rows, view }) => rewindFrame(rewinding, { columns, rows, workspace: view.workspace }),
  key(before, key, { screen, now }) {
    const { rewinding, effect } = rewindKey(before, key, screen.geometry.window, now);
    return { state: rewinding, effect };
  },
  unseen: unchosen,
  effects: {
    async rewind_look({ point }, hands) {
      const takeBack = await hands.services.rewind.look(hands.session().id, point);
      hands.set((rewinding) => withTakeBack(rewinding, point.turn, takeBack));
    },
    rewind: (effect, hands) => hands.inOrder(() => goBackTo(effect, hands), leadsBack(effect.choice)),
  },
};

export const rewindOpening = (points: readonly RewindPoint[]): Opening =>
  opening(
    rewindSurface,
    () => ({ state: newRewinding(points) }),
    (list) => [notice(`${rewindText(list)}\n${chatCommands().rewind.usage}`)],
  );

/** Tells whether a choice goes on in another session: all but the files alone. */
export const leadsBack = (choice: string): boolean => choice === "talk" || choice === "both";

/** The files by an undo, which is asked about like any; the talk by a fork, once the undo is done. */
export async function goBackTo({ point, choice, takeBack }: Omit<GoingBack, "do">, hands: ChatHands): Promise<void> {
  if (choice === "talk") return goOnFrom(hands, point.turn);
  sayLeft(takeBack.left, hands);
  const mark = choice === "both" ? { rewind: await hands.services.rewind.to(point) } : {};
  // What is typed from here on is meant for the fork.
  if (choice === "both") hands.forkDue(true);
  let isBegun = false;
  try {
    const begun = await hands.session().undo({ calls: [...takeBack.calls], rest: true, ...mark });
    isBegun = begun.ok;
    if (!begun.ok) hands.say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(begun.message)) });
    else sayLeft(begun.left ?? [], hands);
  } finally {
    if (!isBegun) hands.forkDue(false);
  }
}

/** Says what an undo cannot take back, of all that it was to. */
function sayLeft(left: readonly string[], hands: ChatHands): void {
  for (const why of left)
    hands.say({ kind: "notice", level: "warn", text: rewind().leftOut({ what: cleanLine(why) }) });
}

/** It asks about an undo, which may be that of a rewind. */
export const asksUndo = (event: AgentEvent): boolean =>
  event.type === "approval_requested" && event.calls.some(({ toolName }) => toolName === undoToolName);

/** Such a question of a rewind that an earlier process began has its fork before it as one of this chat has. */
export async function forkAsked(hands: ChatHands): Promise<void> {
  const session = hands.session();
  const isRewind = await hands.services.rewind.isUnderWay(session.id);
  if (isRewind && hands.session() === session && isAsking(hands.view())) hands.forkDue(true);
}

/** A turn of the session itself has ended: an undo with it, if it was one. */
export const endsTurn = (event: AgentEvent): boolean => event.type === "turn_ended" && event.parent === undefined;

/** It may be the undo of a rewind that has ended so: the talk is forked then. */
export const mayEndUndo = (event: AgentEvent): boolean =>
  event.type === "turn_ended" && event.parent === undefined && event.reason === "done" && event.calls.success === 1;

/** Goes over to the fork, with the message in the input. @param turn absent: only where an undo was done for it, and the fork is left to do */
export async function goOnFrom(hands: ChatHands, turn?: number): Promise<void> {
  const from = hands.session();
  const done = await hands.services.rewind.finish(from.id, turn);
  if (done === undefined) return;
  await (done.id === undefined ? hands.command("new", "") : hands.command("sessions", done.id));
  if (hands.session() !== from) hands.takeBack([done.draft]);
}
