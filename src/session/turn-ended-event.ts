import type { ToolCallInfo } from "../core/call.ts";
import type { AgentEventBody, TokenFigures, TurnReason } from "../graph/events.ts";
import { type OutputRead, outputOf } from "../graph/output.ts";
import type { SessionRuntime } from "../graph/runtime.ts";
import { isCheckMessage } from "../graph/talk/checks.ts";
import { wordsOf } from "../graph/talk/no-words.ts";
import { isCommandCall } from "../graph/talk/person-call.ts";
import { endingCall } from "../graph/turn-end.ts";
import type { CallStanding, Journal, Spent, TurnRow } from "../store/types.ts";
import type { Children } from "./children.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Position } from "./position.ts";

export interface CallCounts {
  success: number;
  error: number;
  cancelled: number;
  interrupted: number;
}

export function countCalls(calls: readonly Pick<ToolCallInfo, "status">[]): CallCounts {
  const count = (status: ToolCallInfo["status"]) => calls.filter((call) => call.status === status).length;
  return {
    success: count("success"),
    error: count("error"),
    cancelled: count("cancelled"),
    interrupted: count("interrupted"),
  };
}

/** @param isDenied a call of the turn was not let be done */
export function exitCodeOf(reason: TurnReason, isDenied: boolean): number {
  switch (reason) {
    case "done":
      return isDenied ? exitCodes.denied : exitCodes.done;
    case "awaiting_approval":
    case "awaiting_recovery":
      return exitCodes.waiting;
    case "max_steps":
    case "max_cost":
    case "stuck":
      return exitCodes.turnLimit;
    case "cancelled":
      return 130;
    case "context_full":
    case "failed":
      return exitCodes.failed;
  }
}

/** A command of the person has failed where its call has; what the model's calls came to, the model reads. */
const isRefusedCommand = ({ catalogue }: SessionRuntime, call: CallStanding): boolean =>
  call.status === "error" && isCommandCall(catalogue, call);

/** Returns the outcome of the turn: the model's last words, or those of a tool of its that ends turns. */
function lastWords({ journal, catalogue }: SessionRuntime, { values }: Position): string {
  const last = values.messages.at(-1);
  if (last?.getType() === "ai") return wordsOf(last);
  if (values.ending !== "ends_turn") return "";
  const stepId = { turn: values.turn, step: values.step - 1 };
  const reply = journal.findReply(stepId)?.message;
  // Checks that passed leave the model's words as they were: the last.
  if (reply !== undefined && isCheckMessage(reply)) return wordsOf(reply);
  const calls = journal.callsOf(stepId).filter((call) => !isCommandCall(catalogue, call));
  return endingCall({ journal, catalogue }, values.turn, calls)?.call.result.output ?? "";
}

/** Nothing where no server told any. */
function figuresOf<Name extends string>(name: Name, spent: Spent | undefined): { [key in Name]?: TokenFigures } {
  if (spent === undefined || spent.inputTokens + spent.outputTokens === 0) return {};
  const { unpriced: _, ...figures } = spent;
  return { [name]: figures } as { [key in Name]: TokenFigures };
}

/** Before its first message a session has no turn. */
const outputIn = (journal: Journal, turn: number, text: string): OutputRead | undefined =>
  turn === 0 ? undefined : outputOf(journal, turn)?.read(text);

/** The calls of a turn, what they came to, and whether one of them, or of those whom they drive, was denied. */
function callsIn(
  journal: Journal,
  turn: number,
  children: Pick<Children, "hasDenied"> | undefined,
): { calls: CallStanding[]; counts: CallCounts; isDenied: boolean } {
  const calls = journal.standingsOf(turn);
  const counts = countCalls(calls);
  return { calls, counts, isDenied: counts.cancelled > 0 || children?.hasDenied(turn) === true };
}

const noCalls: ReturnType<typeof callsIn> = { calls: [], counts: countCalls([]), isDenied: false };

/** Sums up the usage of a turn, with the part of each session that its calls drove. */
function tookIn(journal: Journal, turn: number, children: Pick<Children, "took"> | undefined) {
  const usage = figuresOf("usage", journal.spent(turn));
  const helpers = children?.took(turn) ?? [];
  if (helpers.length === 0) return usage;
  return { ...usage, steps: journal.steps().filter(({ id }) => id.turn === turn).length, helpers };
}

/** A turn that failed for good is over; one that a failure stopped still runs. */
function mayGoOn(reason: TurnReason, leaving: boolean, turn: TurnRow | undefined): boolean {
  if (reason === "done" || reason === "stuck") return false;
  return reason === "cancelled" ? leaving : reason !== "failed" || turn?.state !== "done";
}

/**
 * The last word on a turn: its calls counted over all its steps, and how to go on where it is not done.
 * @param leaving the process leaves it as it is. @param children none of a session that is a child itself: it is gone on with by its parent alone
 */
export function turnEnded(
  runtime: SessionRuntime,
  position: Position,
  { reason, exitCode, leaving }: { reason: TurnReason; exitCode?: number | undefined; leaving: boolean },
  children: Pick<Children, "took" | "hasDenied"> | undefined,
): AgentEventBody {
  const { journal, sessionId } = runtime;
  const { turn } = position.values;
  const driven = journal.turns().findLast((one) => one.state !== "queued");
  // A turn that failed before its first checkpoint has neither words nor calls yet.
  const known = driven === undefined || driven.turn === turn;
  const { calls, counts, isDenied } = known ? callsIn(journal, turn, children) : noCalls;
  const text = known ? lastWords(runtime, position) : "";
  const output = known && reason === "done" ? outputIn(journal, turn, text) : undefined;
  const refused = reason === "done" && (output?.ok === false || calls.some((call) => isRefusedCommand(runtime, call)));
  return {
    type: "turn_ended",
    reason: refused ? "failed" : reason,
    exitCode: exitCode ?? exitCodeOf(refused ? "failed" : reason, isDenied),
    ...(text === "" ? {} : { text }),
    ...(output?.ok === true ? { output: output.value } : {}),
    calls: counts,
    ...(known ? tookIn(journal, turn, children) : {}),
    ...figuresOf("sessionUsage", journal.spent()),
    ...(children !== undefined && mayGoOn(reason, leaving, driven) ? { resume: `agent resume ${sessionId}` } : {}),
  };
}
