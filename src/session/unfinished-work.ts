import type { AgentEventBody, TurnReason } from "../graph/events.ts";
import { isCommandCall } from "../graph/talk/person-call.ts";
import { forkedReason } from "../records/fork.ts";
import type { CallStanding, TurnRow } from "../store/types.ts";
import type { Live } from "./live.ts";
import { countCalls, exitCodeOf, exitCodes } from "./turn-end.ts";

/** How many calls need the person's word. */
export function openCallsOf(live: Live): { waiting: number; interrupted: number } {
  const open = live.runtime.journal.openCalls();
  return {
    waiting: open.filter((call) => call.status === "awaiting_approval").length,
    interrupted: open.filter((call) => call.status === "interrupted").length,
  };
}

export type Left =
  | { kind: "wait" }
  | { kind: "run"; how: "turn" | "resume" | "again"; turn?: TurnRow }
  /** Nothing; `turn` ended without its end being written down. */
  | { kind: "nothing"; turn?: TurnRow };

/** The turn that is being worked on, the newest where several are open. */
export const runningTurn = (live: Live): TurnRow | undefined =>
  live.runtime.journal.turns().findLast((turn) => turn.state === "running");

/** What a session that was opened again has still to do. Reads only. */
export function whatIsLeft(live: Live): Left {
  const { question, next, values } = live.standing();
  const turn = runningTurn(live);
  // A newer prompt was acknowledged before the graph had it: the older turn was left for it.
  if (turn !== undefined && values.turn < turn.turn) return { kind: "run", how: "turn", turn };
  const { waiting, interrupted } = openCallsOf(live);
  if (question !== undefined && waiting + interrupted > 0) return { kind: "wait" };
  if (turn === undefined) return { kind: "nothing" };
  if (next.length > 0) return { kind: "run", how: "resume" };
  const cutShort = turn.reason === "max_steps" || turn.reason === forkedReason;
  return cutShort ? { kind: "run", how: "again" } : { kind: "nothing", turn };
}

/** A command of the person has failed where its call has; what the model's calls came to, the model reads. */
const isRefusedCommand = (live: Live, call: CallStanding): boolean =>
  call.status === "error" && isCommandCall(live.runtime.registry, call);

/** The last word on a turn: its calls counted over all its steps, and how to go on where it is not done. */
export function turnEnded(
  live: Live,
  reason: TurnReason,
  exitCode: number | undefined,
  leaving: boolean,
): AgentEventBody {
  const { journal, sessionId } = live.runtime;
  const { turn } = live.standing().values;
  const driven = journal.turns().findLast((one) => one.state !== "queued");
  // A turn that failed before its first checkpoint has neither words nor calls yet.
  const known = driven === undefined || driven.turn === turn;
  const calls = known ? journal.standingsOf(turn) : [];
  const counts = countCalls(calls);
  const text = known ? live.lastWords() : "";
  const refused = reason === "done" && calls.some((call) => isRefusedCommand(live, call));
  const goesOn = reason !== "done" && reason !== "stuck" && (reason !== "cancelled" || leaving);
  return {
    type: "turn_ended",
    reason: refused ? "failed" : reason,
    exitCode: exitCode ?? (refused ? exitCodes.failed : exitCodeOf(reason, counts)),
    ...(text === "" ? {} : { text }),
    calls: counts,
    ...(goesOn ? { resume: `agent resume ${sessionId}` } : {}),
  };
}
