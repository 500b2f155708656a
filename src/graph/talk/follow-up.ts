import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../core/json.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Journal } from "../../store/types.ts";

/**
 * The reason why the model's last words were not taken for that: there are none, it was to call a tool first, a call of it was only shown, in a
 * code fence or a quote, or could not be read, or they do not fit the turn's schema. `last`: it was told before, and the turn ends with this
 * one; of a call that is only shown it is told once until the next call comes.
 */
export type FollowUp =
  /** Neither text nor a call; `thoughts`: it has thought, and not gone on to speak. */
  | { why: "empty_reply"; thoughts?: true; last?: true }
  | { why: "no_call"; last?: true }
  /** `wrong` says why it was not taken, where it stood in no code: in a form that answers have, too. */
  | { why: "fenced_call"; wrong?: string; last?: never }
  /** It ends in a call that was written as text, or that its server did not take; `wrong` says why it was not run. */
  | { why: "unread_call"; wrong: string; last?: true }
  | { why: "no_output"; wrong: string; last?: true };

/** On a message of the model after which the agent asks it on by itself. */
const mark = "holdfast_asked_on";

export const markFollowUp = (asked: FollowUp | undefined): Record<string, unknown> =>
  asked === undefined ? {} : { [mark]: asked };

export function followUpOf(message: BaseMessage | undefined): FollowUp | undefined {
  const asked: unknown = message?.additional_kwargs[mark];
  return isJsonObject(asked) ? (asked as FollowUp) : undefined;
}

/** Tells whether a turn that ended with this can be gone on with, and the model is told of it then. */
export const endedUntold = (asked: FollowUp | undefined): boolean =>
  asked?.why === "empty_reply" || asked?.why === "unread_call";

/** Tells whether the model was told of an empty reply with the request of this step, and has said nothing to the person since. */
export const wasEmptyBefore = (journal: Pick<Journal, "findReply">, { turn, step }: StepId): boolean => {
  const before = followUpOf(journal.findReply({ turn, step: step - 1 })?.message);
  return before?.why === "empty_reply" && before.last !== true;
};

/** So often in a turn the model is told of a call that could not be read; the next one ends the turn. */
export const mostUnread = 2;

/** Counts the follow-ups that the model got for this reason in the turn, before this step. */
export const timesAskedOn = (
  journal: Pick<Journal, "steps" | "findReply">,
  { turn, step }: StepId,
  why: FollowUp["why"],
): number =>
  journal
    .steps()
    .filter(({ id }) => id.turn === turn && id.step < step && followUpOf(journal.findReply(id)?.message)?.why === why)
    .length;

/** Tells whether the model was told of a call that is only shown, and has made none since in this turn. */
export const wasShownBefore = (journal: Pick<Journal, "steps" | "findReply">, { turn, step }: StepId): boolean =>
  journal
    .steps()
    .filter(({ id }) => id.turn === turn && id.step < step)
    .reduce((told, { id, calls }) => {
      if (calls > 0) return false;
      return told || followUpOf(journal.findReply(id)?.message)?.why === "fenced_call";
    }, false);
