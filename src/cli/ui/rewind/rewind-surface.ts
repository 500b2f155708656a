import type { AgentEvent } from "../../../graph/events.ts";
import type { RewindPoint } from "../../../records/undo/rewind.ts";
import { cleanLine } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import { type Opening, opening, type Surface } from "../surface/surface.ts";
import { rewindFrame } from "./rewind-frame.ts";
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
    rewind: (effect, hands) => hands.inOrder(() => goBackTo(effect, hands)),
  },
};

export const rewindOpening = (points: readonly RewindPoint[]): Opening =>
  opening(rewindSurface, () => ({ state: newRewinding(points) }));

/** The files by an undo, which is asked about like any; the talk by a fork, once the undo is done. */
export async function goBackTo({ point, choice, calls }: Omit<GoingBack, "do">, hands: ChatHands): Promise<void> {
  if (choice === "talk") return goOnFrom(hands, point.turn);
  const mark = choice === "both" ? { rewind: await hands.services.rewind.to(point) } : {};
  const begun = await hands.session().undo({ calls: [...calls], rest: true, ...mark });
  if (!begun.ok) hands.say({ kind: "notice", level: "warn", text: cleanLine(begun.message) });
}

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
