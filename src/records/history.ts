import type { ToolCallInfo } from "../core/call.ts";
import { isSameStep, type StepId } from "../core/step-id.ts";
import { changesOf, isStructured, totalOf } from "../files/diff/diff-text.ts";
import type { TranscriptEntry } from "../graph/events.ts";
import { wordsOf } from "../graph/talk/no-words.ts";
import type { Journal, SteerRow, TurnRow } from "../store/types.ts";

export interface History {
  transcript: TranscriptEntry[];
  /** Messages and calls before those of the transcript. */
  earlier: number;
}

type Readable = Pick<Journal, "session" | "turns" | "steps" | "findReply" | "planOf" | "steers">;

/** A message with its calls, read only if it is shown. */
interface Part {
  /** Entries of the transcript. */
  size: number;
  read(): TranscriptEntry[];
}

/**
 * Reads the talk and the calls of a session, from its journal alone: a session that is driven elsewhere can be read too.
 * @param most at most so many of the last messages and calls; where a step has more, all of that one.
 */
export function historyOf(journal: Readable, most = Number.POSITIVE_INFINITY): History {
  const spoken = journal.turns().filter((turn) => turn.state !== "queued");
  const steps = new Map<number, Part[]>(spoken.map(({ turn }) => [turn, []]));
  const told = journal.steers().filter(({ step }) => step !== undefined);
  for (const { id, calls } of journal.steps()) {
    const before = told.filter(({ step }) => step !== undefined && isSameStep(step, id));
    steps.get(id.turn)?.push(...before.map(toldPart), { size: 1 + calls, read: () => done(journal, id) });
    for (const one of before) told.splice(told.indexOf(one), 1);
  }
  // The model has not replied to these.
  for (const one of told) steps.get(one.step?.turn ?? 0)?.push(toldPart(one));
  const parts = spoken.flatMap((turn) => [{ size: 1, read: () => said(turn) }, ...(steps.get(turn.turn) ?? [])]);
  let first = parts.length;
  for (let size = 0; first > 0; first -= 1) {
    size += parts[first - 1]?.size ?? 0;
    if (size > most && first < parts.length) break;
  }
  return {
    transcript: parts.slice(first).flatMap(({ read }) => read()),
    earlier: parts.slice(0, first).reduce((sum, { size }) => sum + size, 0),
  };
}

const said = (turn: TurnRow): TranscriptEntry[] => [{ role: "user", id: turn.messageId, text: turn.text }];

const toldPart = ({ messageId: id, text }: SteerRow): Part => ({
  size: 1,
  read: () => [{ role: "user", id, text, steer: true }],
});

function done(journal: Readable, stepId: StepId): TranscriptEntry[] {
  const { message, calls } = journal.findReply(stepId) ?? {};
  if (message === undefined || calls === undefined) return [];
  const callIds = calls.map((call) => call.callId);
  return [
    { role: "assistant", id: message.id ?? "", text: wordsOf(message), calls: callIds },
    ...calls.map(
      (call): TranscriptEntry => ({ role: "call", session: journal.session, call, ...summaryOf(journal, call) }),
    ),
  ];
}

function summaryOf(
  journal: Readable,
  { callId, status }: ToolCallInfo,
): Pick<Extract<TranscriptEntry, { role: "call" }>, "summary" | "counts"> {
  const plan = status === "cancelled" ? journal.planOf(callId) : undefined;
  if (plan === undefined) return {};
  const counted = plan.files !== undefined && changesOf(plan).every(isStructured);
  return { summary: plan.summary, ...(counted && { counts: totalOf(plan.files ?? []) }) };
}
