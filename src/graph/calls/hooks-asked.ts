import type { JsonObject } from "../../core/json.ts";
import { isSameStep, type StepId } from "../../core/step-id.ts";
import type { HookRun, JournalReading } from "../../store/types.ts";
import type { Runtime } from "../runtime.ts";
import { hookWords } from "../talk/hook-words.ts";

/* Apart from hooks.ts: who only asks what hooks have said loads nothing of LangChain's. */

type Known = Pick<JournalReading, "hookRuns">;

/** Runs of hooks that have the model go on after its words of this step. */
export const stopsOf = (journal: Known, step: StepId): HookRun[] =>
  journal.hookRuns().filter((run) => hasGoOn(run) && isSameStep(run.step, step));

export const hooksGoOn = (journal: Known, step: StepId): boolean => stopsOf(journal, step).length > 0;

/** The arguments that hooks have put in the place of the model's. */
export const hookedArguments = (journal: Known, callId: string): JsonObject | undefined =>
  journal.hookRuns().findLast((run) => run.callId === callId && run.said?.input !== undefined)?.said?.input;

/** In how many steps of the turn before this one. */
export const timesGoneOn = (journal: Known, { turn, step }: StepId): number =>
  new Set(
    journal
      .hookRuns()
      .flatMap((run) => (hasGoOn(run) && run.step.turn === turn && run.step.step < step ? [run.step.step] : [])),
  ).size;

const hasGoOn = ({ event, said }: HookRun): boolean => event === "Stop" && said?.decision === "deny";

/**
 * Returns the reason why a hook wants a person to be asked about this call; undefined where none does. One whose end was not seen may have
 * wanted it.
 */
export function hooksAsk({ journal }: Pick<Runtime, "journal">, callId: string): string | undefined {
  const runs = journal.hookRuns().filter((run) => run.callId === callId && run.event === "PreToolUse");
  const asks = runs.find(({ said }) => said === undefined || said.decision === "ask");
  return asks === undefined ? undefined : hookWords.asks(asks.said?.reason);
}
