import type { BaseMessage } from "@langchain/core/messages";
import { type StepId, stepText } from "../../core/step-id.ts";
import type { TurnRow } from "../rows.ts";
import type { SteerColumns, TurnColumns } from "../tables.ts";
import type { Draft } from "./draft.ts";
import { draftModelTold } from "./jobs.ts";
import { nextTurn } from "./turns.ts";

/** In the place of the turn that a message became: turns are counted from 1. */
const withdrawnSteer = 0;

export const waits = ({ step, turn }: SteerColumns): boolean => step === null && turn === null;

/** A message for the turn under way, after those that wait already. @throws TypeError where it has no id */
export function draftSteer(draft: Draft, message: BaseMessage): void {
  if (message.id === undefined) throw new TypeError("a message needs an id before it is stored");
  const seq = (draft.rows.all("steer").at(-1)?.seq ?? 0) + 1;
  const key = draft.message(message, "unknown");
  draft.must("steer", { seq }, "absent");
  draft.insert("steer", { seq, message: key, step: null, turn: null });
}

/** From now on all that waited belong to this step, and ends of jobs that were not told. @returns what waited */
export function draftTold(draft: Draft, stepId: StepId): SteerColumns[] {
  const step = stepText(stepId);
  const waiting = draft.rows.all("steer").filter(waits);
  for (const { seq } of waiting) patchSteer(draft, seq, { step });
  draftModelTold(draft, step);
  return waiting;
}

/**
 * Withdraws the messages that wait, queued turns and steering messages not yet sent: they stay stored, and nothing reads them as said.
 * @returns the keys of its messages with their words, in the order in which they were said
 */
export function draftWithdrawn(draft: Draft): { message: number; text: string | null }[] {
  const turns = draft.rows.all("turn").filter(({ state }) => state === "queued");
  const steers = draft.rows.all("steer").filter(waits);
  for (const { turn } of turns) {
    draft.must("turn", { turn }, { state: "queued" });
    draft.patch("turn", { turn }, { state: "withdrawn" });
  }
  for (const { seq } of steers) patchSteer(draft, seq, { turn: withdrawnSteer });
  const said = steers.map(({ message }) => ({ message, text: null }));
  return [...turns.map(({ message, text }) => ({ message, text })), ...said].sort((a, b) => a.message - b.message);
}

/**
 * The first that waits becomes a turn, before the queued ones that were said after it.
 * @param before only where it was said before this queued turn
 * @returns its number, or undefined where none waits
 */
export function draftSteerAsTurn(draft: Draft, before?: TurnRow["turn"]): TurnRow["turn"] | undefined {
  const turns = draft.rows.all("turn");
  const first = draft.rows.all("steer").find(waits);
  if (first === undefined) return undefined;
  // Messages are numbered as they are said.
  const later = turns.filter(({ state, message }) => state === "queued" && message > first.message);
  if (before !== undefined && !later.some(({ turn }) => turn === before)) return undefined;
  const turn = later[0]?.turn ?? nextTurn(turns);
  if (later.length > 0) makePlace(draft, turns, turn);
  draft.insert("turn", { turn, message: first.message, text: null, state: "queued", reason: null });
  patchSteer(draft, first.seq, { turn });
  return turn;
}

/** Queued turns from this one on have one number more; nothing but their steers names them yet. */
function makePlace(draft: Draft, turns: readonly TurnColumns[], from: number): void {
  // The last first: two rows never have the same number.
  for (const { turn } of turns.toReversed()) if (turn >= from) draft.patch("turn", { turn }, { turn: turn + 1 });
  for (const { seq, turn } of draft.rows.all("steer"))
    if (turn !== null && turn >= from) draft.patch("steer", { seq }, { turn: turn + 1 });
}

function patchSteer(draft: Draft, seq: number, set: Partial<SteerColumns>): void {
  draft.must("steer", { seq }, { step: null, turn: null });
  draft.patch("steer", { seq }, set);
}
