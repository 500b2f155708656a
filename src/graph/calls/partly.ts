import { basename } from "node:path";
import type { ToolCallInfo } from "../../core/call.ts";
import type { FilePlan } from "../../core/tool.ts";
import type { CallMove, Journal } from "../../store/types.ts";

type Doings = Pick<Journal, "planOf" | "doneOf">;

/**
 * Makes a move that ends a call of a file effect say what was done of it before: a plan of several files whose process died, or that was
 * stopped, between two of them. What the model and the person read of the rest would else pass for all.
 */
export function tellPartly(journal: Doings, move: CallMove): CallMove {
  const { after } = move;
  const done = [...journal.doneOf(after.callId), ...(move.done ?? [])];
  return done.length === 0 ? move : { ...move, after: told(after, done, move.plan ?? journal.planOf(after.callId)) };
}

function told(call: ToolCallInfo, done: readonly FilePlan[], plan: { files?: FilePlan[] } | undefined): ToolCallInfo {
  switch (call.status) {
    case "cancelled":
    case "interrupted":
      return { ...call, ended: { ...call.ended, files: namesOf(done) } };
    case "error":
      return { ...call, ended: { why: "partly", files: namesOf(done) } };
    case "success": {
      const rest = done.filter((file) => !(plan?.files ?? []).some((planned) => isSame(planned, file)));
      return rest.length === 0 ? call : { ...call, ended: { why: "partly", files: namesOf(rest) } };
    }
    default:
      return call;
  }
}

/** As the person and the model name them, each once. */
export const namesOf = (files: readonly FilePlan[]): string[] => [
  ...new Set(files.map(({ asked, real }) => asked || basename(real))),
];

const isSame = (one: FilePlan, other: FilePlan): boolean =>
  one.real === other.real && one.before === other.before && one.after === other.after;

/** The files that a call changed: what was noted of it, and all of a file effect's plan where that came to its end. */
export function changedBy(journal: Doings, call: ToolCallInfo): FilePlan[] {
  if (call.effect !== "file" && call.effect !== "once") return [];
  const done = journal.doneOf(call.callId);
  const isWhole = call.effect === "file" && call.status === "success";
  const planned = isWhole ? (journal.planOf(call.callId)?.files ?? []) : [];
  const rest = planned.filter((file) => !done.some((one) => isSame(one, file)));
  return [...done, ...rest].filter(({ before, after }) => before !== after);
}
