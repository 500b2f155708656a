import { answererOf, type ToolCallInfo } from "../core/call.ts";
import { planToolName } from "../core/proposed-plan.ts";
import type { Mode } from "../policy/types.ts";
import type { JournalReading } from "../store/types.ts";

/** The mode of the newest turn where nobody can set another one: that of planning is `ask` from the moment on at which the turn's plan was approved. */
export function modeOfTurn(mode: Mode, journal: Pick<JournalReading, "turns" | "steps" | "callsOf">): Mode {
  if (mode !== "plan") return mode;
  const turn = journal.turns().at(-1)?.turn;
  const steps = journal.steps().filter(({ id }) => id.turn === turn);
  return steps.some(({ id }) => journal.callsOf(id).some(isApproved)) ? "ask" : mode;
}

const isApproved = (call: ToolCallInfo): boolean =>
  call.toolName === planToolName && call.status !== "cancelled" && "by" in call && answererOf(call.by) !== undefined;

/** A plan was presented, and nobody has approved it. */
export const presentsPlan = (journal: Pick<JournalReading, "openCalls">): boolean =>
  journal.openCalls().some((call) => call.toolName === planToolName && waits(call));

const waits = (call: ToolCallInfo): boolean =>
  call.status === "awaiting_approval" || (call.status === "pending" && answererOf(call.by) === undefined);
