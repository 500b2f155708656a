import type { BaseMessage } from "@langchain/core/messages";
import type { CallOf, ToolCallInfo } from "../core/call.ts";
import { faultPoint } from "../core/fault-point.ts";
import type { TurnRow } from "../store/types.ts";
import { gaveUpMark } from "../tools/ending/end-tools.ts";
import { inXml } from "../words/contract/turn-notices.ts";
import type { EndedWith } from "./calls/ended-with.ts";
import type { TurnReason } from "./events.ts";
import { mostTries, type OutputRead, outputOf } from "./output.ts";
import type { Runtime, SessionRuntime } from "./runtime.ts";
import { type AgentStateValue, type Ending, isAskedOn } from "./state.ts";
import { type Getting, gettingOn, mostInRow } from "./stuck.ts";
import { cutOf } from "./talk/cut-reply.ts";
import { followUpOf, mostUnread } from "./talk/follow-up.ts";
import { isWordless } from "./talk/no-words.ts";
import { isOverOwnCost } from "./tree-limits.ts";

const failures: ReadonlySet<Ending> = new Set(["cut", "empty_reply", "unread_call", "no_call", "no_output"]);
/** The model may do better when it is asked again. */
const passing: ReadonlySet<Ending> = new Set(["cut", "empty_reply", "unread_call"]);

/** Tells how a turn ended whose graph went through to LangGraph's end. */
export function reasonOf(state: Pick<AgentStateValue, "ending" | "messages" | "turn" | "step">): TurnReason {
  const { ending } = state;
  if (ending === "stuck") return "stuck";
  if (ending !== null && failures.has(ending)) return "failed";
  if (ending === "max_cost" || ending === "max_steps") return ending;
  if (ending === "cancelled" || ending === "superseded") return "cancelled";
  const isUnfinished = state.messages.at(-1)?.getType() === "tool" || isAskedOn(state);
  return ending === null && isUnfinished ? "max_steps" : "done";
}

// Keeps graph 28.
/**
 * The end of a turn whose graph went through: writes down how it ended, and tells why where it failed. One that ran out of steps or money, or
 * whose replies were cut off, empty or not to be read, can be continued.
 * @returns how
 */
export async function endTurn(runtime: Runtime, values: AgentStateValue): Promise<TurnReason> {
  const { journal, emit } = runtime;
  const reason = reasonOf(values);
  const { ending } = values;
  const goesOn = reason === "max_steps" || reason === "max_cost" || (ending !== null && passing.has(ending));
  faultPoint("before turn end written");
  const noted = limitMet(runtime, values, reason) === "own" ? (`own_${reason}` as const) : reason;
  await journal.setTurn(values.turn, goesOn ? "running" : "done", noted);
  await journal.setState("idle");
  faultPoint("after turn end written");
  const failure = endFailure(runtime, values, reason);
  if (failure !== undefined) emit({ type: "error", ...failure });
  return reason;
}

/**
 * The end of a turn that runs no more because a newer message came, or what drives its session was stopped. What it had come to by itself
 * and could have been continued from stays its reason.
 */
export async function endLeftTurn(
  { journal }: Pick<Runtime, "journal">,
  { turn, reason }: TurnRow,
  { ended: { why } }: EndedWith,
): Promise<void> {
  await journal.setTurn(turn, "done", reason ?? (why === "superseded" ? why : "stopped"));
}

/** The call by which the model ended the turn, and what it ended it with. */
interface EndingCall {
  readonly call: CallOf<"success">;
  /** The JSON of the result, or what is wrong with it, where the turn is to end with JSON. */
  readonly output: OutputRead | undefined;
}

type Ended = Pick<SessionRuntime, "catalogue" | "journal">;

/**
 * The last of these calls by whose result, as its tool says, the turn ends. Where it is to end with JSON, one that has none does not end it,
 * unless the model gave up with it.
 */
export function endingCall(
  { catalogue, journal }: Ended,
  turn: number,
  calls: readonly ToolCallInfo[],
): EndingCall | undefined {
  const ends = (call: ToolCallInfo): call is CallOf<"success"> => {
    const said = catalogue.get(call.toolName)?.endsTurn;
    if (said === undefined || call.status !== "success") return false;
    return typeof said === "function" ? said(call.result) : said;
  };
  const output = outputOf(journal, turn);
  return calls
    .filter(ends)
    .map((call) => ({ call, output: output?.read(call.result.output) }))
    .findLast(({ call, output: read }) => read?.ok !== false || call.result.metadata?.[gaveUpMark] === true);
}

type Meeting = Pick<
  Runtime,
  "agent" | "model" | "journal" | "costEver" | "lastStepEver" | "limits" | "limitNames" | "maxCost" | "maxSteps"
>;

/** Whose limit a turn has come to: a child's own, which its definition set, or that of the whole run. */
type LimitOf = "own" | "turn";

/** By the same order in which they are looked at before a request. @param reason how the turn ended. @returns undefined where that was no limit */
function limitMet(
  runtime: Pick<Meeting, "model" | "journal" | "costEver" | "lastStepEver">,
  { ending, step }: Pick<AgentStateValue, "ending" | "step">,
  reason: string,
): LimitOf | undefined {
  if (reason === "max_cost") return isOverOwnCost(runtime) ? "own" : "turn";
  if (reason !== "max_steps") return undefined;
  return ending === null && step > (runtime.lastStepEver ?? Number.POSITIVE_INFINITY) ? "own" : "turn";
}

/** Returns the words on the limit: whose it is, who set it, how much it is, and where it could not be kept, why. */
function limitWords(
  runtime: Meeting,
  reason: "max_cost" | "max_steps",
  of: LimitOf,
): { message: string; hint: string } {
  const { agent = "the helper", costEver, lastStepEver, limitNames, maxSteps } = runtime;
  if (of === "own") {
    const hint = "its session is told what it came to";
    if (reason === "max_cost") return { message: ownCost(runtime, agent, costEver), hint };
    return { message: `${agent} has taken as many steps as its own maxSteps lets it (${lastStepEver})`, hint };
  }
  if (reason === "max_cost")
    return { message: turnCost(runtime), hint: "go on with a budget of the same size: agent resume" };
  const message = `the turn has taken as many steps as ${limitNames.maxSteps} lets it (${maxSteps}), with all its helpers`;
  return { message, hint: "go on with as many again: agent resume" };
}

function ownCost({ model, journal }: Meeting, agent: string, most: number | undefined): string {
  const kept = `so its own maxCost (${most}) cannot be kept`;
  if (model.price === undefined) return `${agent} asks its model nothing: ${model.spec} has no price, ${kept}`;
  if (journal.spent().unpriced > 0) return `it is not known what a reply of ${agent} cost, ${kept}`;
  return `${agent} has cost as much as its own maxCost lets it (${most})`;
}

function turnCost({ limits, limitNames, maxCost }: Meeting): string {
  const { maxCost: name } = limitNames;
  if ((limits?.unpriced ?? 0) > 0)
    return `it is not known what a reply of this turn cost, so ${name} (${maxCost}) cannot be kept`;
  return `the turn has cost as much as ${name} lets it (${maxCost}), with all its helpers`;
}

interface EndFailure {
  code: string;
  message: string;
  hint: string;
}

/** Returns the failure of a turn that came to a limit, or failed without a throw; undefined for any other. */
function endFailure(runtime: Runtime, values: AgentStateValue, reason: TurnReason): EndFailure | undefined {
  if (reason === "stuck") {
    const why = stuckText(gettingOn(runtime.journal, { turn: values.turn, step: values.step - 1 }));
    return { code: "STUCK", message: `${why}, so the turn was ended`, hint: "say what to do differently" };
  }
  const of = limitMet(runtime, values, reason);
  if (of !== undefined && reason === "max_cost") return { code: "MAX_COST", ...limitWords(runtime, reason, of) };
  // Of a session that took its steps alone the turn's end says all.
  const isTold = values.ending !== null || runtime.agent !== undefined;
  if (of !== undefined && reason === "max_steps")
    return isTold ? { code: "MAX_STEPS", ...limitWords(runtime, reason, of) } : undefined;
  return reason === "failed" ? failedTurn(values) : undefined;
}

function failedTurn({ ending, messages }: AgentStateValue): EndFailure {
  const last = messages.at(-1);
  if (ending === "no_call") {
    const message = "a tool was to be called, and the model called none, though it was told";
    return {
      code: "NO_CALL",
      message,
      hint: "ask for something that needs a tool, or leave out --tool-choice required",
    };
  }
  if (ending === "no_output") {
    const asked = followUpOf(last);
    const wrong = asked?.why === "no_output" ? `: ${asked.wrong}` : "";
    const message = `the turn was to end with JSON that fits its schema, and did not in up to ${mostTries} tries${wrong}`;
    return {
      code: "NO_OUTPUT",
      message,
      hint: "say in the prompt what is to stand in it, or ask for less in the schema",
    };
  }
  if (ending === "empty_reply") return emptyReply(last);
  if (ending === "unread_call") return unreadCall(last);
  const hint =
    last !== undefined && isWordless(last)
      ? `Not a word of it came. Say \`go on\`; if it was still thinking, ${moreRoom}.`
      : "What came of it is kept, and none of its calls was run. Say `go on`, or what to do in smaller parts.";
  return { code: "REPLY_CUT", message: `${cutOf(last)}, for the second time in this turn`, hint };
}

/** Settings of a model that thinks until nothing is left of its reply. */
const moreRoom = "raise maxOutput of the model in config.json, or lower its reasoning";

function emptyReply(last: BaseMessage | undefined): EndFailure {
  const asked = followUpOf(last);
  const onlyThought = asked?.why === "empty_reply" && asked.thoughts === true;
  const what = onlyThought ? "the model thought and said nothing" : "the model gave an empty reply";
  const mend = onlyThought ? `${moreRoom}, or ` : "";
  return {
    code: "EMPTY_REPLY",
    message: `${what}, neither text nor a call, also when it was asked once more`,
    hint: `Say \`go on\` (agent resume) to ask again. If it stays so, ${mend}go on with another model (-m).`,
  };
}

function unreadCall(last: BaseMessage | undefined): EndFailure {
  const asked = followUpOf(last);
  const wrong = asked?.why === "unread_call" ? `: ${asked.wrong}` : "";
  return {
    code: "UNREAD_CALL",
    message: `the model's tool calls could not be read, though it was told ${mostUnread} times${wrong}; none of them was run`,
    hint: `Let it ${inXml}. Or go on with another model (-m).`,
  };
}

function stuckText({ equal, timeouts, alike }: Getting): string {
  if (Math.max(0, ...equal.values()) >= mostInRow) return `the same call failed ${mostInRow} times in a row`;
  if (timeouts >= mostInRow) return `a call ran out of its time ${mostInRow} times in a row`;
  const [most] = [...alike.values()].toSorted((one, other) => other.times - one.times);
  const what =
    most?.tool === undefined ? "tools were called that are not there," : `${most.tool} failed with ${most.code}`;
  return `${what} ${most?.times ?? 0} times, and no file was changed in between`;
}
