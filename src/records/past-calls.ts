import type { ToolCallInfo } from "../core/call.ts";
import { canonicalJson, type JsonObject } from "../core/json.ts";
import { stepText } from "../core/step-id.ts";
import type { Bounds } from "../core/tool.ts";
import { factsOf } from "../graph/calls/call-facts.ts";
import type { PastCall } from "../policy/suggest/past-call.ts";
import type { Verdict } from "../policy/types.ts";
import type { AnswerRow, CallEvent, JournalReading } from "../store/types.ts";
import { type CallLife, callLives } from "./call-life.ts";

/** The calls of a session that had a plan, oldest first, as rules are suggested from them. */
export function pastCalls(journal: JournalReading, bounds: Bounds): PastCall[] {
  const lives = new Map(callLives(journal).map((life) => [life.call.callId, life]));
  return journal
    .steps()
    .flatMap(({ id, calls }) =>
      calls === 0
        ? []
        : journal.callsOf(id).flatMap(({ callId }) => pastCall(journal, lives.get(callId), stepText(id), bounds)),
    );
}

function pastCall(journal: JournalReading, life: CallLife | undefined, step: string, bounds: Bounds): PastCall[] {
  const plan = life === undefined ? undefined : journal.planOf(life.call.callId);
  if (life === undefined || plan === undefined) return [];
  const { call, events, answers } = life;
  const { callId, toolName } = call;
  const verdict = journal.verdictOf(callId) as unknown as Verdict | undefined;
  const { answer, byPerson, at = call.times.proposed } = saidIn(answers, events, call);
  // Of a command the effect is told by its plan, which is judged anew.
  const effect = plan.command === undefined ? call.effect : "once";
  const asked: JsonObject = { tool: toolName, arguments: journal.askedArguments(callId) ?? call.arguments };
  return [
    {
      identity: [callId, call.times.proposed, call.digest ?? "", at].join(" "),
      session: journal.session,
      callId,
      message: `${journal.session} ${step}`,
      at,
      summary: plan.summary,
      asked: canonicalJson(asked),
      facts: factsOf({ name: toolName, effect }, plan, bounds),
      ...(verdict === undefined ? {} : { verdict }),
      answer,
      byPerson,
      ...(events.some(({ ended }) => ended?.why === "overstepped") ? { overstepped: true as const } : {}),
    },
  ];
}

/**
 * Finds the answer to a call, and whether a person gave it who saw the question: its rows must say so, and the life of the call, whose events
 * are a chain, must have such a decision of a person.
 */
function saidIn(
  answers: readonly AnswerRow[],
  events: readonly CallEvent[],
  call: ToolCallInfo,
): Pick<PastCall, "answer" | "byPerson"> & { at?: number } {
  const said = answers.filter(({ decision }) => decision === "approve" || decision === "deny" || decision === "edit");
  const last = said.at(-1);
  if (last === undefined) return { answer: "none", byPerson: false };
  const { at } = last;
  if (said.some(({ decision }) => decision === "edit")) return { answer: "edited", byPerson: false, at };
  const isYes = last.decision === "approve";
  const isTold = events.some(
    ({ from, to, by }) => by === "person" && from === "awaiting_approval" && to === (isYes ? "pending" : "cancelled"),
  );
  const byPerson = isTold && said.every(({ by }) => by === "person") && last.digest === call.digest;
  return { answer: isYes ? "yes" : "no", byPerson, at };
}
