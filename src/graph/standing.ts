import type { TurnRow } from "../store/types.ts";
import type { AgentEventBody, TurnReason } from "./events.ts";
import type { Live } from "./live.ts";
import { countCalls, exitCodeOf } from "./turn-end.ts";

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

/** What a session that was opened again has still to do. Reads only. */
export function whatIsLeft(live: Live): Left {
  const { waits, next, values } = live.standing();
  const { waiting, interrupted } = openCallsOf(live);
  if (waits && waiting + interrupted > 0) return { kind: "wait" };
  if (next.length > 0) return { kind: "run", how: "resume" };
  const turn = live.runtime.journal.turns().find((one) => one.state === "running");
  if (turn === undefined) return { kind: "nothing" };
  if (values.turn < turn.turn) return { kind: "run", how: "turn", turn };
  return turn.reason === undefined ? { kind: "nothing", turn } : { kind: "run", how: "again" };
}

/** The last word on a turn: its calls counted over all its steps, and how to go on where it is not done. */
export function turnEnded(live: Live, reason: TurnReason, exitCode?: number): AgentEventBody {
  const { journal, sessionId } = live.runtime;
  const { turn, step } = live.standing().values;
  const counts = countCalls(Array.from({ length: step }, (_, i) => journal.callsOf(`${turn}.${i + 1}`)).flat());
  const text = live.lastWords();
  return {
    type: "turn_ended",
    reason,
    exitCode: exitCode ?? exitCodeOf(reason, counts),
    ...(text === "" ? {} : { text }),
    calls: counts,
    ...(reason === "done" ? {} : { resume: `agent resume ${sessionId}` }),
  };
}
