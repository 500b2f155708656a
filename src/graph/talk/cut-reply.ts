import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { StepId } from "../../core/step-id.ts";
import { noticeMark } from "../../model/port.ts";
import type { Journal } from "../../store/types.ts";
import { isWordless } from "./no-words.ts";

/** In the place of the words of a reply that was cut before the first of them. */
export const nothingCame = "(cut off before a word of it came)";

/** Returns the messages that the model reads of a reply of its own that was cut: the text as far as it came, and that it is not whole. */
export function shownCut(message: AIMessage, why: string): BaseMessage[] {
  const shown = isWordless(message) ? new AIMessage({ ...idOf(message), content: nothingCame }) : message;
  const content = `(This is from the agent, not from the person.) Your last message is not whole. ${why}. None of its calls was run. Go on where it ended; if it was too long, go on in smaller parts.`;
  const notice = new HumanMessage({ id: `cut-${message.id}`, content, additional_kwargs: { [noticeMark]: true } });
  return [shown, notice];
}

const idOf = ({ id }: BaseMessage): { id?: string } => (id === undefined ? {} : { id });

/** On a message that is only the beginning of what the model wanted to say: why it ended there. */
const cutMark = "holdfast_cut";

export const markCut = (why: string): Record<string, unknown> => ({ [cutMark]: why });

/** Returns the reason why this message of the model is not whole; undefined for a whole one. */
export function cutOf(message: BaseMessage | undefined): string | undefined {
  const why = message?.additional_kwargs[cutMark];
  return typeof why === "string" ? why : undefined;
}

/** On what the model had said when the person stopped it. */
const stoppedMark = "holdfast_stopped";

export const markStopped = (): Record<string, unknown> => ({ [stoppedMark]: true });

export const isStopped = (message: BaseMessage): boolean => message.additional_kwargs[stoppedMark] === true;

/** Tells whether a reply of this turn was cut before this step: the model goes on once by itself. */
export const wasCutBefore = (journal: Pick<Journal, "steps" | "findReply">, { turn, step }: StepId): boolean =>
  journal
    .steps()
    .some(({ id }) => id.turn === turn && id.step < step && cutOf(journal.findReply(id)?.message) !== undefined);
