import { basename } from "node:path";
import type { Decider, ToolCallInfo } from "../../core/call.ts";
import type { FilePlan, ToolResult } from "../../core/tool.ts";
import type { CallMove, Journal } from "../../store/types.ts";
import { undoToolName } from "../../tools/undo/undo-changes.ts";
import { givenUp, partlyDone, raced } from "../talk/observation-text.ts";

type Doings = Pick<Journal, "planOf" | "doneOf">;

/** Where `metadata` of a result that is an error names the files that were changed as planned before it: FilePlan[]. */
export const filesDone = "filesDone";

/** The files that a tool changed before it failed, by its own word. */
export function doneIn(result: ToolResult): FilePlan[] {
  const named = result.error === undefined ? undefined : result.metadata?.[filesDone];
  return Array.isArray(named) ? (named as unknown as FilePlan[]) : [];
}

/**
 * Makes a move that ends a call say what was done of it before: a plan of several files whose process died, or that was
 * stopped, between two of them. What the model and the person read of the rest would else pass for all.
 */
export function tellPartly(journal: Doings, move: CallMove): CallMove {
  const { after } = move;
  if (after.effect !== "file" || !["cancelled", "error", "success"].includes(after.status)) return move;
  const done = journal.doneOf(after.callId);
  return done.length === 0 ? move : { ...move, after: told(after, done, move.plan ?? journal.planOf(after.callId)) };
}

function told(call: ToolCallInfo, done: readonly FilePlan[], plan: { files?: FilePlan[] } | undefined): ToolCallInfo {
  const what = wordsOf(call, done);
  switch (call.status) {
    case "cancelled":
      if (call.by.rule === raced) return { ...call, by: { ...call.by, rule: partlyDone } };
      if (call.by.rule === givenUp) return { ...call, reason: `${what}; of the rest: ${call.reason}` };
      return {
        ...call,
        by: { ...call.by, rule: ruleOf(call.by) },
        reason: `${what}; the rest was not: ${call.reason}`,
      };
    case "error":
      return { ...call, errorMsg: `${call.errorMsg}; before that, ${what}` };
    case "success": {
      const rest = done.filter((file) => !(plan?.files ?? []).some((planned) => isSame(planned, file)));
      if (rest.length === 0) return call;
      const output = `${call.result.output}\nBefore that, ${wordsOf(call, rest)}.`;
      return { ...call, result: { ...call.result, output } };
    }
    default:
      return call;
  }
}

/** Keeps the rule that called the rest off. */
const ruleOf = ({ rule }: Decider): string => (rule === undefined ? partlyDone : `${partlyDone}:${rule}`);

/** "a.txt, b.txt were put back" */
function wordsOf(call: ToolCallInfo, done: readonly FilePlan[]): string {
  const names = [...new Set(done.map(({ asked, real }) => asked || basename(real)))];
  return `${names.join(", ")} ${names.length === 1 ? "was" : "were"} ${call.toolName === undoToolName ? "put back" : "changed"}`;
}

const isSame = (one: FilePlan, other: FilePlan): boolean =>
  one.real === other.real && one.before === other.before && one.after === other.after;

/** The files that a call changed: what was noted as done, and all of its plan where it came to its end. */
export function changedBy(journal: Doings, call: ToolCallInfo): FilePlan[] {
  if (call.effect !== "file") return [];
  const done = journal.doneOf(call.callId);
  const planned = call.status === "success" ? (journal.planOf(call.callId)?.files ?? []) : [];
  const rest = planned.filter((file) => !done.some((one) => isSame(one, file)));
  return [...done, ...rest].filter(({ before, after }) => before !== after);
}
