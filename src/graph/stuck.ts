import type { CallOf, ToolCallInfo } from "../core/call.ts";
import { isFinal } from "../core/call.ts";
import type { ErrorCode } from "../core/codes.ts";
import { canonicalJson } from "../core/json.ts";
import type { StepId } from "../core/step-id.ts";
import type { Journal } from "../store/types.ts";
import { changedBy } from "./calls/partly.ts";

/** As many equal failing calls, or time-outs, in a row end the turn. */
export const mostInRow = 3;
/** So often may a tool fail with one code, and neither it succeed nor a file change in between, before the model is told. */
export const toldAt = 3;
/** So often, and the turn ends. */
export const mostAlike = 5;

/** The results of one message's calls. */
export interface StepEnd {
  readonly calls: readonly ToolCallInfo[];
  /** One of its successes changed a file: the turn gets on, whatever else of it failed. */
  readonly changed: boolean;
  /** The person said something before it: what failed until then may be worth trying again. */
  readonly spoken: boolean;
}

/** The number of times that one tool has failed with one code; no `tool` where each time another one was called that is not there. */
export interface Alike {
  readonly tool?: string;
  readonly code: ErrorCode;
  readonly times: number;
}

/** The progress of a turn, step by step: a value, made anew by each step. */
export interface Getting {
  /** Failing calls of the last step that had calls, with the steps in a row that each of them has come in. */
  readonly equal: ReadonlyMap<string, number>;
  /** Steps in a row in which a call ran out of its time. */
  readonly timeouts: number;
  readonly alike: ReadonlyMap<string, Alike>;
  /** Failures that the model is to be told of now, with the results of this step. */
  readonly told: readonly Alike[];
  readonly stuck: boolean;
}

export const atFirst: Getting = { equal: new Map(), timeouts: 0, alike: new Map(), told: [], stuck: false };

/** Not the tool's or the model's doing: somebody said no, stopped it, or saved the file meanwhile. */
const never: ReadonlySet<string> = new Set<ErrorCode>(["DENIED", "STALE", "CANCELLED"]);

const isFailure = (call: ToolCallInfo): call is CallOf<"error"> =>
  call.status === "error" && !never.has(call.errorCode);

/**
 * Returns the progress of the turn after one more step. Pure. The calls of a message count as one: what fails several times in it has failed
 * once. Only failures count, so that asking again for something that goes on is never in the way. A tool that succeeds gets on: who explores
 * meets files that are not there among many that are.
 */
export function afterStep(before: Getting, { calls, changed, spoken }: StepEnd): Getting {
  const since = spoken || changed ? atFirst : before;
  if (calls.length === 0) return { ...since, told: [] };
  const failures = calls.filter(isFailure);
  const successes = new Set(calls.flatMap(({ status, toolName }) => (status === "success" ? [toolName] : [])));
  const alike = new Map([...since.alike].filter(([, { tool }]) => tool === undefined || !successes.has(tool)));
  const equal = new Map(failures.map((call) => [nameOf(call), (since.equal.get(nameOf(call)) ?? 0) + 1]));
  const timeouts = failures.some(({ errorCode }) => errorCode === "TIMEOUT") ? since.timeouts + 1 : 0;
  const failed = new Map(failures.map((call) => [kindOf(call), alikeOf(call, alike)]));
  const now = [...failed.values()];
  return {
    equal,
    timeouts,
    alike: new Map([...alike, ...failed]),
    told: now.filter(({ times }) => times === toldAt),
    stuck: Math.max(timeouts, ...equal.values()) >= mostInRow || now.some(({ times }) => times >= mostAlike),
  };
}

const nameOf = (call: CallOf<"error">): string => canonicalJson([call.toolName, call.rawArguments ?? call.arguments]);

/** Tools that are not there are one: a model that makes up names does not get on by making up more. */
const kindOf = ({ toolName, errorCode }: CallOf<"error">): string =>
  errorCode === "UNKNOWN_TOOL" ? errorCode : `${toolName} ${errorCode}`;

const alikeOf = (call: CallOf<"error">, alike: Getting["alike"]): Alike => ({
  ...(call.errorCode === "UNKNOWN_TOOL" ? {} : { tool: call.toolName }),
  code: call.errorCode,
  times: (alike.get(kindOf(call))?.times ?? 0) + 1,
});

type Record = Pick<Journal, "callsOf" | "steers" | "planOf" | "doneOf">;

interface Walked {
  turn: number;
  /** The last step that is in `getting`. */
  step: number;
  getting: Getting;
}

/** As far as it was worked out in this process: a settled step does not change. */
const walked = new WeakMap<Record, Walked>();

/** Returns the progress of the turn up to this step, whose calls are settled, by the journal alone. */
export function gettingOn(journal: Record, { turn, step }: StepId): Getting {
  const known = walked.get(journal);
  let at =
    known !== undefined && known.turn === turn && known.step <= step ? known : { turn, step: 0, getting: atFirst };
  if (at.step < step) {
    const spoken = new Set(journal.steers().map((steer) => (steer.step?.turn === turn ? steer.step.step : 0)));
    while (at.step < step) at = { turn, step: at.step + 1, getting: afterStep(at.getting, endOf(journal, at, spoken)) };
  }
  if (journal.callsOf({ turn, step }).every(isFinal)) walked.set(journal, at);
  return at.getting;
}

function endOf(journal: Record, { turn, step }: Walked, spoken: ReadonlySet<number>): StepEnd {
  const calls = journal.callsOf({ turn, step: step + 1 });
  return { calls, changed: calls.some((call) => hasChanged(journal, call)), spoken: spoken.has(step + 1) };
}

/** Of a command whose changes could not be kept nobody knows what it changed: it counts as if it had. */
function hasChanged(journal: Record, call: ToolCallInfo): boolean {
  if (call.status !== "success" || call.effect === "none") return false;
  return changedBy(journal, call).length > 0 || journal.planOf(call.callId)?.covered === false;
}
