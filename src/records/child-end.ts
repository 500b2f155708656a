import type { ChildEnd } from "../core/child-session.ts";
import type { StepId } from "../core/step-id.ts";
import type { HelperTook, TurnReason } from "../graph/events.ts";
import { wordsOf } from "../graph/talk/no-words.ts";
import type { LimitReached } from "../graph/tree-limits.ts";
import type { ChildRow, JournalReading } from "../store/types.ts";
import { agentOf, changedFiles } from "./session-progress.ts";

/** A child has one turn: once its end is noted nothing more happens in it, also where a turn of a person's could be gone on with. */
export function isOver(journal: Pick<JournalReading, "turns">): boolean {
  const turn = journal.turns().at(-1);
  return turn !== undefined && (turn.state === "done" || turn.reason !== undefined);
}

/** The mark by which the journal notes that a limit of its own ended a child. */
const ownLimit = /^own_(?=max_)/u;

const statuses: Partial<Record<string, ChildEnd["status"]>> = {
  done: "done",
  max_steps: "max_steps",
  max_cost: "max_cost",
  stuck: "stuck",
  context_full: "context_full",
  cancelled: "cancelled",
  superseded: "cancelled",
  stopped: "cancelled",
};

/** Tells the end of a child, by its journal alone, so that it is the same whoever asks again. @param reason where it could not be noted */
export function childEnd(
  journal: Pick<JournalReading, "turns" | "steps" | "findReply" | "spent" | "fileChanges" | "callsOf">,
  row: Pick<ChildRow, "id" | "spec">,
  reason?: TurnReason,
): ChildEnd {
  const noted = journal.turns().at(-1)?.reason ?? reason ?? "failed";
  const status = statuses[noted.replace(ownLimit, "")] ?? "failed";
  const steps = journal.steps();
  const last = steps.at(-1)?.id;
  const reply = last && journal.findReply(last);
  const { inputTokens, outputTokens, cost } = journal.spent();
  return {
    session: row.id,
    agent: agentOf(row),
    status,
    ...(status === "max_cost" || status === "max_steps" ? { limit: ownLimit.test(noted) ? "own" : "turn" } : {}),
    text: reply === undefined || last === undefined ? "" : wordsOf(reply.message) || lastOutput(journal, last),
    files: changedFiles(journal.fileChanges()),
    steps: steps.length,
    inputTokens,
    outputTokens,
    ...(cost === undefined ? {} : { cost }),
  };
}

/** Of one for which a limit of the turn left nothing, or whose agent is not there any more. */
export const notBegun = (status: LimitReached | "no_agent", agent: string): ChildEnd => ({
  ...{ session: "", agent, status, text: "", files: [] },
  ...(status === "no_agent" ? {} : { limit: "turn" }),
  ...{ steps: 0, inputTokens: 0, outputTokens: 0 },
});

/** Sums up the usage of a child, as its parent's turn tells it. */
export function tookIn(journal: Pick<JournalReading, "steps" | "spent">, row: ChildRow): HelperTook {
  const { unpriced: _, ...figures } = journal.spent();
  return { session: row.id, agent: agentOf(row), steps: journal.steps().length, ...figures };
}

/** A tool that ends turns says the last word where the model says none. */
function lastOutput(journal: Pick<JournalReading, "callsOf">, step: StepId): string {
  const call = journal.callsOf(step).findLast(({ status }) => status === "success");
  return call?.status === "success" ? call.result.output : "";
}
