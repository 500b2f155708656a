import { endingCall } from "../graph/ending-call.ts";
import type { AgentEventBody, TokenFigures, TurnReason } from "../graph/events.ts";
import { type OutputRead, outputOf } from "../graph/output.ts";
import type { SessionRuntime } from "../graph/runtime.ts";
import { askedOnOf } from "../graph/talk/asked-on.ts";
import { isCheckMessage } from "../graph/talk/checks.ts";
import { cutOf } from "../graph/talk/cut-mark.ts";
import { wordsOf } from "../graph/talk/no-words.ts";
import { isCommandCall } from "../graph/talk/person-call.ts";
import { forkedReason } from "../records/fork.ts";
import type { CallStanding, Journal, Spent, TurnRow } from "../store/types.ts";
import type { Position, Start } from "./position.ts";
import { countCalls, exitCodeOf } from "./turn-end.ts";

/** How many calls need the person's word. */
export function openCallsOf(journal: Pick<Journal, "openCalls">): { waiting: number; interrupted: number } {
  const open = journal.openCalls();
  return {
    waiting: open.filter((call) => call.status === "awaiting_approval").length,
    interrupted: open.filter((call) => call.status === "interrupted").length,
  };
}

/** Some call needs the person's word. */
export function needsPerson(journal: Pick<Journal, "openCalls">): boolean {
  const { waiting, interrupted } = openCallsOf(journal);
  return waiting + interrupted > 0;
}

/** The turn that is being worked on, the newest where several are open. */
export const runningTurn = (journal: Pick<Journal, "turns">): TurnRow | undefined =>
  journal.turns().findLast((turn) => turn.state === "running");

export type Unfinished =
  | { kind: "question" }
  | { kind: "run"; start: Start }
  /** Nothing; `turn` ended without its end being written down. */
  | { kind: "nothing"; turn?: TurnRow };

/** What a session that was opened again has still to do. Reads only. */
export function unfinishedWork(journal: Journal, { question, next, values }: Position): Unfinished {
  const turn = runningTurn(journal);
  // A newer prompt was acknowledged before the graph had it: the older turn was left for it.
  if (turn !== undefined && values.turn < turn.turn) return { kind: "run", start: { from: "message", turn } };
  if (question !== undefined && needsPerson(journal)) return { kind: "question" };
  if (turn === undefined) return { kind: "nothing" };
  if (next.length > 0) return { kind: "run", start: { from: "position" } };
  // A turn that failed for another reason than its replies has nothing more to ask the model.
  const last = values.messages.at(-1);
  const isUnsaid = cutOf(last) !== undefined || askedOnOf(last)?.why === "empty_reply";
  const cutShort =
    (turn.reason === "failed" && isUnsaid) || ["max_steps", "max_cost", forkedReason].includes(turn.reason ?? "");
  return cutShort ? { kind: "run", start: { from: "model" } } : { kind: "nothing", turn };
}

/** A command of the person has failed where its call has; what the model's calls came to, the model reads. */
const isRefusedCommand = ({ registry }: SessionRuntime, call: CallStanding): boolean =>
  call.status === "error" && isCommandCall(registry, call);

/** What the turn came to: the model's last words, or what a tool of its said that ends turns. */
function lastWords({ journal, registry }: SessionRuntime, { values }: Position): string {
  const last = values.messages.at(-1);
  if (last?.getType() === "ai") return wordsOf(last);
  if (values.ending !== "ends_turn") return "";
  const stepId = { turn: values.turn, step: values.step - 1 };
  const reply = journal.findReply(stepId)?.message;
  // Checks that passed leave the model's words as they were: the last.
  if (reply !== undefined && isCheckMessage(reply)) return wordsOf(reply);
  const calls = journal.callsOf(stepId).filter((call) => !isCommandCall(registry, call));
  return endingCall({ journal, registry }, values.turn, calls)?.call.result.output ?? "";
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

/** A turn that failed for good is over; one that a failure stopped still runs. */
function mayGoOn(reason: TurnReason, leaving: boolean, turn: TurnRow | undefined): boolean {
  if (reason === "done" || reason === "stuck") return false;
  return reason === "cancelled" ? leaving : reason !== "failed" || turn?.state !== "done";
}

/**
 * The last word on a turn: its calls counted over all its steps, and how to go on where it is not done.
 * @param leaving the process leaves it as it is
 */
export function turnEnded(
  runtime: SessionRuntime,
  position: Position,
  { reason, exitCode, leaving }: { reason: TurnReason; exitCode?: number | undefined; leaving: boolean },
): AgentEventBody {
  const { journal, sessionId } = runtime;
  const { turn } = position.values;
  const driven = journal.turns().findLast((one) => one.state !== "queued");
  // A turn that failed before its first checkpoint has neither words nor calls yet.
  const known = driven === undefined || driven.turn === turn;
  const calls = known ? journal.standingsOf(turn) : [];
  const counts = countCalls(calls);
  const text = known ? lastWords(runtime, position) : "";
  const output = known && reason === "done" ? outputIn(journal, turn, text) : undefined;
  const refused = reason === "done" && (output?.ok === false || calls.some((call) => isRefusedCommand(runtime, call)));
  return {
    type: "turn_ended",
    reason: refused ? "failed" : reason,
    exitCode: exitCode ?? exitCodeOf(refused ? "failed" : reason, counts),
    ...(text === "" ? {} : { text }),
    ...(output?.ok === true ? { output: output.value } : {}),
    calls: counts,
    ...figuresOf("usage", known ? journal.spent(turn) : undefined),
    ...figuresOf("sessionUsage", journal.spent()),
    ...(mayGoOn(reason, leaving, driven) ? { resume: `agent resume ${sessionId}` } : {}),
  };
}
