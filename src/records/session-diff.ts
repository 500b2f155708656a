import { relative } from "node:path";
import type { Sha } from "../core/json.ts";
import { headOf, unifiedDiff } from "../files/diff.ts";
import { changedBy } from "../graph/calls/partly.ts";
import type { Journal } from "../store/types.ts";
import { asText } from "../tools/undo/take-back.ts";

/** One file that a session changed. */
export interface FileDiff {
  /** Relative to the workspace. */
  path: string;
  diff: string;
}

interface Range {
  real: string;
  before: Sha | null;
  after: Sha | null;
  /** The diffs of the calls, for a file whose bytes are not kept any more. */
  plans: string[];
}

/**
 * All that a session's calls changed: one diff a file, from the bytes before its first change to those after its last, so
 * that what was taken back does not show. Where the bytes are not kept any more the diffs of the calls stand instead.
 */
export function sessionDiff(
  journal: Pick<Journal, "allCalls" | "planOf" | "doneOf" | "bytesOf">,
  workspace: string,
): FileDiff[] {
  return rangesOf(journal)
    .filter(({ before, after }) => before !== after)
    .map((range) => {
      const path = relative(workspace, range.real);
      return { path, diff: wholeDiff(journal, range, path) ?? range.plans.join("") };
    });
}

function rangesOf(journal: Pick<Journal, "allCalls" | "planOf" | "doneOf">): Range[] {
  const ranges = new Map<string, Range>();
  for (const call of journal.allCalls()) {
    const files = changedBy(journal, call);
    for (const { real, before, after } of files) {
      const range = ranges.get(real) ?? { real, before, after, plans: [] };
      ranges.set(real, range);
      range.after = after;
      const diff = files.length === 1 && call.status === "success" ? journal.planOf(call.callId)?.diff : undefined;
      if (diff !== undefined) range.plans.push(diff);
      else range.plans.push(`\\ changed by call ${call.callId}\n`);
    }
  }
  return [...ranges.values()];
}

/** undefined where the bytes are not kept. */
function wholeDiff(journal: Pick<Journal, "bytesOf">, { before, after }: Range, path: string): string | undefined {
  const [old, fresh] = [before, after].map((sha) => (sha === null ? Buffer.alloc(0) : journal.bytesOf(sha)));
  if (old === undefined || fresh === undefined) return undefined;
  const [oldText, freshText] = [old, fresh].map((bytes) => {
    const form = asText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return form === undefined ? undefined : (form.bom ? "\uFEFF" : "") + form.text;
  });
  if (oldText !== undefined && freshText !== undefined)
    return unifiedDiff(before === null ? null : oldText, after === null ? null : freshText, path);
  const head = headOf(before !== null, after !== null, path).join("\n");
  return `${head}\n\\ not shown: no text, ${old.length} -> ${fresh.length} bytes\n`;
}
