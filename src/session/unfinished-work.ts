import type { ChildSessions } from "../graph/child-sessions.ts";
import { cutOf } from "../graph/talk/cut-reply.ts";
import { endedUntold, followUpOf } from "../graph/talk/follow-up.ts";
import { forkedReason } from "../records/fork.ts";
import type { Journal, TurnRow } from "../store/types.ts";
import type { Position, Start } from "./position.ts";

/** A session with what its calls drive. */
export interface WithChildren {
  readonly journal: Pick<Journal, "openCalls">;
  readonly children?: Pick<ChildSessions, "openCalls" | "canGoOn">;
}

/** Counts the calls that need the person's word. */
export function openCallsOf({ journal, children }: WithChildren): { waiting: number; interrupted: number } {
  const open = [...journal.openCalls(), ...(children?.openCalls() ?? []).map(({ call }) => call)];
  return {
    waiting: open.filter((call) => call.status === "awaiting_approval").length,
    interrupted: open.filter((call) => call.status === "interrupted").length,
  };
}

/** Some call needs the person's word. */
export function needsPerson(session: WithChildren): boolean {
  const { waiting, interrupted } = openCallsOf(session);
  return waiting + interrupted > 0;
}

/** Nothing of its own waits, and a child has nothing more to ask: that one goes on beside those that wait. */
export const goesOnBeside = ({ journal, children }: WithChildren): boolean =>
  !needsPerson({ journal }) && journal.openCalls().some(({ callId }) => children?.canGoOn(callId) === true);

/** The turn that is being worked on, the newest where several are open. */
export const runningTurn = (journal: Pick<Journal, "turns">): TurnRow | undefined =>
  journal.turns().findLast((turn) => turn.state === "running");

export type Unfinished =
  | { kind: "question" }
  | { kind: "run"; start: Start }
  /** At most an end is to be written down. */
  | { kind: "nothing" };

/** Finds the work that a session that was opened again has still to do. Reads only. */
export function unfinishedWork(
  { journal, children }: WithChildren & { journal: Journal },
  { question, next, values }: Position,
): Unfinished {
  const turn = runningTurn(journal);
  // A newer prompt was acknowledged before the graph had it: the older turn was left for it.
  if (turn !== undefined && values.turn < turn.turn) return { kind: "run", start: { from: "message", turn } };
  if (question !== undefined && needsPerson({ journal, ...(children && { children }) })) return { kind: "question" };
  if (turn === undefined) return { kind: "nothing" };
  if (next.length > 0) return { kind: "run", start: { from: "position" } };
  // A turn that failed for another reason than its replies has nothing more to ask the model.
  const last = values.messages.at(-1);
  const isUnsaid = cutOf(last) !== undefined || endedUntold(followUpOf(last));
  const cutShort =
    (turn.reason === "failed" && isUnsaid) || ["max_steps", "max_cost", forkedReason].includes(turn.reason ?? "");
  return cutShort ? { kind: "run", start: { from: "model" } } : { kind: "nothing" };
}
