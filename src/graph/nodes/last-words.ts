import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { StepId } from "../../core/step-id.ts";
import type { ModelReply, ToolChoice } from "../../model/port.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import { hearStop } from "../calls/hooks.ts";
import { mostTries, outputOf, triesBefore } from "../output.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { cutOf, isStopped, wasCutBefore } from "../talk/cut-reply.ts";
import {
  type FollowUp,
  followUpOf,
  mostUnread,
  timesAskedOn,
  wasEmptyBefore,
  wasShownBefore,
} from "../talk/follow-up.ts";
import { saysNothing } from "../talk/no-words.ts";
import { askedNotice } from "../talk/notices.ts";

/** A call is asked for until the turn has its first one. */
export const choiceNow = ({ toolChoice, journal }: Runtime, turn: number): ToolChoice =>
  toolChoice === "required" && journal.standingsOf(turn).length > 0 ? "auto" : toolChoice;

/** Returns the reason why a reply without calls cannot be the last of its turn; undefined where it can. @param thought thoughts came with it */
export function askedOnFor(
  runtime: Runtime,
  stepId: StepId,
  { text, fenced, untaken, unread }: Pick<ModelReply, "text" | "fenced" | "untaken" | "unread">,
  thought: boolean,
): FollowUp | undefined {
  const { journal } = runtime;
  const told =
    unread !== undefined ? unreadCall(journal, stepId, unread.wrong) : emptyReply(journal, stepId, text, thought);
  if (told !== undefined) return told;
  if (choiceNow(runtime, stepId.turn) === "required")
    return { why: "no_call", ...(timesAskedOn(journal, stepId, "no_call") > 0 ? { last: true } : {}) };
  if ((fenced === true || untaken !== undefined) && !wasShownBefore(journal, stepId))
    return { why: "fenced_call", ...untaken };
  const read = outputOf(journal, stepId.turn)?.read(text);
  if (read === undefined || read.ok) return undefined;
  const isLast = triesBefore(journal, stepId) + 1 >= mostTries;
  return { why: "no_output", wrong: read.wrong, ...(isLast ? { last: true } : {}) };
}

function unreadCall(journal: Runtime["journal"], stepId: StepId, wrong: string): FollowUp {
  const isLast = timesAskedOn(journal, stepId, "unread_call") >= mostUnread;
  return { why: "unread_call", wrong, ...(isLast ? { last: true } : {}) };
}

function emptyReply(journal: Runtime["journal"], stepId: StepId, text: string, thought: boolean): FollowUp | undefined {
  const empty = saysNothing(text, thought);
  if (empty === undefined) return undefined;
  const isLast = wasEmptyBefore(journal, stepId);
  return { why: "empty_reply", ...(empty.thoughts ? { thoughts: true } : {}), ...(isLast ? { last: true } : {}) };
}

/** Once it is stored. Where a call is shown again, the person is told what to set: the model was told, and may know no other way. */
export function tellAskedOn(
  { emit }: Runtime,
  asked: FollowUp | undefined,
  { fenced, untaken }: Pick<ModelReply, "fenced" | "untaken">,
): void {
  if (asked !== undefined && asked.last !== true) emit({ type: "notice", code: asked.why, text: askedNotice(asked) });
  const isShown = fenced === true || untaken !== undefined;
  if (isShown && asked === undefined) emit({ type: "notice", code: "fenced_call", text: turnNotices.shownAgain });
}

/**
 * After words that are stored. The person's hooks are asked where these are the turn's last; a step with calls is gone on with by what comes of
 * them.
 */
export async function afterWords(
  runtime: Runtime,
  state: AgentStateValue,
  message: AIMessage,
): Promise<Pick<AgentStateUpdate, "step" | "ending">> {
  const after = afterAskedOn(runtime, state, message);
  if (after.step !== undefined || (message.tool_calls ?? []).length > 0) return after;
  if (isStopped(message)) return { ending: "cancelled" };
  return (await hearStop(runtime, stepIdOf(state), message)) ? { step: state.step + 1 } : {};
}

/** After a reply that is not its last word comes the next step, or the turn ends with it: a second cut one, the last that was in vain. */
export function afterAskedOn(
  { journal }: Runtime,
  state: AgentStateValue,
  message: BaseMessage,
): Pick<AgentStateUpdate, "step" | "ending"> {
  const asked = followUpOf(message);
  if (asked !== undefined) return { step: state.step + 1, ...(asked.last === true ? { ending: asked.why } : {}) };
  if (cutOf(message) === undefined) return {};
  const isSecond = wasCutBefore(journal, stepIdOf(state));
  return { step: state.step + 1, ...(isSecond ? { ending: "cut" } : {}) };
}
