import { answererOf, type ToolCallInfo } from "../core/call.ts";
import { planToolName } from "../core/proposed-plan.ts";
import type { Mode } from "../policy/types.ts";
import type { JournalReading } from "../store/types.ts";

/**
 * The mode of the newest turn where nobody can set another one, as it is at each time: that of planning is `ask` from the moment on at which
 * the turn's plan was approved. Calls are read from the store where a turn is met first, and where an approved plan is about to be worked.
 */
export function modeOfTurns(
  mode: Mode,
  journal: Pick<JournalReading, "turns" | "steps" | "callsOf" | "openCalls">,
): () => Mode {
  let known: { turn: number; isApproved: boolean } | undefined;
  const isApprovedIn = (turn: number): boolean =>
    journal.steps().some(({ id }) => id.turn === turn && journal.callsOf(id).some(isApproved));
  return () => {
    const turn = mode === "plan" ? journal.turns().at(-1)?.turn : undefined;
    if (turn === undefined) return mode;
    if (known?.turn !== turn || (!known.isApproved && journal.openCalls().some(isApproved)))
      known = { turn, isApproved: isApprovedIn(turn) };
    return known.isApproved ? "ask" : mode;
  };
}

const isApproved = (call: ToolCallInfo): boolean =>
  call.toolName === planToolName && call.status !== "cancelled" && "by" in call && answererOf(call.by) !== undefined;

/** A plan was presented, and nobody has approved it. */
export const presentsPlan = (journal: Pick<JournalReading, "openCalls">): boolean =>
  journal.openCalls().some((call) => call.toolName === planToolName && waits(call));

const waits = (call: ToolCallInfo): boolean =>
  call.status === "awaiting_approval" || (call.status === "pending" && answererOf(call.by) === undefined);
