import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../core/call.ts";
import { isSameStep, type StepId } from "../core/step-id.ts";
import type { Journal, SteerRow, TurnRow } from "../store/types.ts";

/** One step as the journal has it. */
export interface RecordedStep {
  id: StepId;
  /** From 1 in the turn. */
  number: number;
  /** The steering messages that the person gave while the turn ran, sent with this step's request. */
  steers: SteerRow[];
  message: BaseMessage;
  calls: ToolCallInfo[];
}

export interface RecordedTurn {
  turn: TurnRow;
  message: BaseMessage;
  steps: RecordedStep[];
  /** Told to the model, which has not replied since. */
  unanswered: SteerRow[];
}

type Readable = Pick<Journal, "turns" | "turnMessage" | "findReply" | "steers">;

/** All that was said and done, in its order, from the journal alone. What is only queued, or waits to be told, is not yet said. */
export function recordedTurns(journal: Readable): RecordedTurn[] {
  return journal
    .turns()
    .filter((turn) => turn.state !== "queued")
    .map((turn) => {
      const steps = stepsOf(journal, turn.turn);
      const unanswered = journal
        .steers()
        .filter(({ step }) => step !== undefined && step.turn === turn.turn && step.step > steps.length);
      return { turn, message: journal.turnMessage(turn.turn), steps, unanswered };
    });
}

/** The steps of one turn, in their order. */
export const stepsOf = (journal: Pick<Journal, "findReply" | "steers">, turn: number): RecordedStep[] => [
  ...eachStep(journal, turn),
];

/** The same, each read when it is asked for. */
export function* eachStep(journal: Pick<Journal, "findReply" | "steers">, turn: number): Generator<RecordedStep> {
  const told = journal.steers();
  for (let number = 1; ; number++) {
    const id = { turn, step: number };
    const reply = journal.findReply(id);
    if (reply === undefined) return;
    const steers = told.filter(({ step }) => step !== undefined && isSameStep(step, id));
    yield { id, number, steers, message: reply.message, calls: reply.calls };
  }
}
