import type { Runtime } from "../runtime.ts";
import { hookWords } from "../talk/hook-words.ts";

/** Why a hook wants a person to be asked about this call; undefined where none does. One whose end was not seen may have wanted it. */
export function hooksAsk({ journal }: Pick<Runtime, "journal">, callId: string): string | undefined {
  const runs = journal.hookRuns().filter((run) => run.callId === callId && run.event === "PreToolUse");
  const asks = runs.find(({ said }) => said === undefined || said.decision === "ask");
  return asks === undefined ? undefined : hookWords.asks(asks.said?.reason);
}
