import type { ChildNote } from "../../core/child.ts";
import type { HookEvent, HookSaid } from "../../core/hooks.ts";
import { parseStep, stepText } from "../../core/step-id.ts";
import { fromText, toText } from "../plain-codec.ts";
import { StaleMove } from "../problems.ts";
import type { HookRun, HookUse } from "../rows.ts";
import type { HookRunColumns } from "../tables.ts";
import type { Draft } from "./draft.ts";

/** @returns its number @throws StaleMove where it was begun before */
export function draftHookBegun(draft: Draft, use: HookUse): number {
  const runs = draft.rows.all("hook_run");
  const { step, event, callId, attempt, hook } = use;
  const row = { step: stepText(step), event, call: callId ?? null, attempt, hook };
  const isIt = (run: HookRunColumns): boolean =>
    Object.entries(row).every(([column, value]) => run[column as keyof typeof row] === value);
  if (runs.some(isIt)) throw new StaleMove(`a hook of ${callId ?? row.step} was begun before`);
  const seq = (runs.at(-1)?.seq ?? 0) + 1;
  draft.must("hook_run", { seq }, "absent");
  draft.insert("hook_run", { seq, ...row, child: null, said: null });
  return seq;
}

/** @throws StaleMove where its end was written before */
export function draftHookEnded(draft: Draft, seq: number, said: HookSaid): void {
  draft.must("hook_run", { seq }, { said: null });
  draft.patch("hook_run", { seq }, { said: toText(said) });
}

export const hookRunIn = ({ seq, step, event, call, attempt, hook, child, said }: HookRunColumns): HookRun => ({
  ...{ seq, step: parseStep(step), event: event as HookEvent, attempt, hook },
  ...(call === null ? {} : { callId: call }),
  ...(child === null ? {} : { child: fromText(child) as unknown as ChildNote }),
  ...(said === null ? {} : { said: fromText(said) as unknown as HookSaid }),
});
