import type { BaseMessage } from "@langchain/core/messages";
import { type StepId, stepText } from "../../core/step-id.ts";

/** Names the message that the model says at a step. */
export const replyId = (step: StepId): string => `m${stepText(step)}`;

/** The step that a message of the model was said at. */
export function stepOf({ id = "" }: Pick<BaseMessage, "id">): StepId | undefined {
  const [, turn, step] = /^m(\d+)\.(\d+)$/.exec(id) ?? [];
  return turn === undefined || step === undefined ? undefined : { turn: Number(turn), step: Number(step) };
}
