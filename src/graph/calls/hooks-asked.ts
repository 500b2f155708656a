import { isSameStep, type StepId } from "../../core/step-id.ts";
import type { HookRun, JournalReading } from "../../store/types.ts";
import type { Runtime } from "../runtime.ts";
import { hookWords } from "../talk/hook-words.ts";

/** Whether a hook has the model go on after its words of this step. */
export const hooksGoOn = (journal: Pick<JournalReading, "hookRuns">, step: StepId): boolean =>
  journal.hookRuns().some((run) => hasGoOn(run) && isSameStep(run.step, step));

/** In how many steps of the turn before this one. */
export const timesGoneOn = (journal: Pick<JournalReading, "hookRuns">, { turn, step }: StepId): number =>
  new Set(
    journal
      .hookRuns()
      .flatMap((run) => (hasGoOn(run) && run.step.turn === turn && run.step.step < step ? [run.step.step] : [])),
  ).size;

const hasGoOn = ({ event, said }: HookRun): boolean => event === "Stop" && said?.decision === "deny";

/** Why a hook wants a person to be asked about this call; undefined where none does. One whose end was not seen may have wanted it. */
export function hooksAsk({ journal }: Pick<Runtime, "journal">, callId: string): string | undefined {
  const runs = journal.hookRuns().filter((run) => run.callId === callId && run.event === "PreToolUse");
  const asks = runs.find(({ said }) => said === undefined || said.decision === "ask");
  return asks === undefined ? undefined : hookWords.asks(asks.said?.reason);
}
