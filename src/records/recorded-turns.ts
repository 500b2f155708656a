import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../core/call.ts";
import type { StepId } from "../core/step-id.ts";
import type { Journal, TurnRow } from "../store/types.ts";

/** One step as the journal has it. */
export interface RecordedStep {
  id: StepId;
  /** From 1 in the turn. */
  number: number;
  message: BaseMessage;
  calls: ToolCallInfo[];
}

export interface RecordedTurn {
  turn: TurnRow;
  message: BaseMessage;
  steps: RecordedStep[];
}

/** All that was said and done, in its order, from the journal alone. Turns that are only queued are not yet said. */
export function recordedTurns(journal: Pick<Journal, "turns" | "turnMessage" | "findReply">): RecordedTurn[] {
  return journal
    .turns()
    .filter((turn) => turn.state !== "queued")
    .map((turn) => ({ turn, message: journal.turnMessage(turn.turn), steps: stepsOf(journal, turn.turn) }));
}

/** The steps of one turn, in their order. */
export function stepsOf(journal: Pick<Journal, "findReply">, turn: number): RecordedStep[] {
  const steps: RecordedStep[] = [];
  for (let number = 1; ; number++) {
    const id = { turn, step: number };
    const reply = journal.findReply(id);
    if (reply === undefined) return steps;
    steps.push({ id, number, message: reply.message, calls: reply.calls });
  }
}
