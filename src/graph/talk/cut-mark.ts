import type { BaseMessage } from "@langchain/core/messages";
import type { StepId } from "../../core/step-id.ts";
import type { Journal } from "../../store/types.ts";

/** On a message that is only the beginning of what the model wanted to say: why it ended there. */
const cutMark = "holdfast_cut";

export const markCut = (why: string): Record<string, unknown> => ({ [cutMark]: why });

/** Why this message of the model is not whole; undefined for a whole one. */
export function cutOf(message: BaseMessage | undefined): string | undefined {
  const why = message?.additional_kwargs[cutMark];
  return typeof why === "string" ? why : undefined;
}

/** On what the model had said when the person stopped it. */
const stoppedMark = "holdfast_stopped";

export const markStopped = (): Record<string, unknown> => ({ [stoppedMark]: true });

export const isStopped = (message: BaseMessage): boolean => message.additional_kwargs[stoppedMark] === true;

/** Whether a reply of this turn was cut before this step: the model goes on once by itself. */
export const wasCutBefore = (journal: Pick<Journal, "steps" | "findReply">, { turn, step }: StepId): boolean =>
  journal
    .steps()
    .some(({ id }) => id.turn === turn && id.step < step && cutOf(journal.findReply(id)?.message) !== undefined);
