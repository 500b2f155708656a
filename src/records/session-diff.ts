import { relative } from "node:path";
import type { Sha } from "../core/json.ts";
import type { FilePlan } from "../core/tool.ts";
import { type Content, diffOf } from "../files/diff/diff.ts";
import { type Change, changesOf, diffText, isStructured, namedDiffs, totalOf } from "../files/diff/diff-text.ts";
import { changedBy } from "../graph/calls/partly.ts";
import type { JournalReading } from "../store/types.ts";
import { viewOf } from "../tools/undo/content-view.ts";
import { bytesInTree, callsInTree, type Tree, type TreeCall } from "./tree-calls.ts";

/** One file that a session and its children changed. */
export interface FileDiff {
  /** Relative to the workspace. */
  path: string;
  /** One change from its first bytes to its last; where these are not kept any more, that of each call. */
  changes: Change[];
}

/** The same as a line of `agent sessions show --diff --json`. */
export interface FileDiffText {
  path: string;
  /** Lines, where the change is text. */
  added?: number;
  removed?: number;
  /** As `patch` takes it. */
  diff: string;
}

export const diffTextOf = ({ path, changes }: FileDiff): FileDiffText => ({
  path,
  ...(changes.every(isStructured) ? totalOf(changes) : {}),
  diff: diffText(changes),
});

interface Range {
  real: string;
  before: Sha | null;
  after: Sha | null;
  /** The changes of the calls, for a file whose bytes are not kept any more. */
  plans: Change[];
}

/**
 * All that the calls of a session and its children changed: one diff a file, from the bytes before its first change to those after its
 * last, so that what was taken back does not show. Where the bytes are not kept any more the changes of the calls stand instead.
 */
export function sessionDiff(tree: Tree, workspace: string): FileDiff[] {
  const bytesOf = bytesInTree(tree);
  return rangesOf(tree)
    .filter(({ before, after }) => before !== after)
    .map((range) => {
      const whole = wholeDiff(bytesOf, range, workspace);
      return { path: relative(workspace, range.real), changes: whole ?? range.plans };
    });
}

function rangesOf(tree: Tree): Range[] {
  const ranges = new Map<string, Range>();
  for (const made of callsInTree(tree)) {
    const files = changedBy(made.journal, made.call);
    for (const file of files) {
      const { real, before, after } = file;
      const range = ranges.get(real) ?? { real, before, after, plans: [] };
      ranges.set(real, range);
      range.after = after;
      range.plans.push(...plannedChange(made, file, files.length));
    }
  }
  return [...ranges.values()];
}

/** A plan of before hunks is text; it is that of one file only where the call changed no other. */
function plannedChange(
  { name, call, journal }: TreeCall,
  { real, before, after }: FilePlan,
  changed: number,
): Change[] {
  const plan = journal.planOf(call.callId);
  const file = plan?.files?.find((one) => one.real === real && one.before === before && one.after === after);
  const found = plan === undefined || file === undefined ? [] : changesOf({ ...plan, files: [file] });
  const own = found.every((change) => typeof change !== "string") || (changed === 1 && call.status === "success");
  return found.length > 0 && own ? found : [`\\ changed by call ${name}\n`];
}

/** undefined where the bytes are not kept. */
function wholeDiff(
  bytesOf: JournalReading["bytesOf"],
  { real, before, after }: Range,
  workspace: string,
): Change[] | undefined {
  const [old, fresh] = [before, after].map((sha) => (sha === null ? null : contentOf(bytesOf(sha))));
  if (old === undefined || fresh === undefined) return undefined;
  const kind = before === null ? "new" : after === null ? "delete" : "modify";
  return namedDiffs([{ real, kind, before, after, ...diffOf(old, fresh, real) }], workspace);
}

function contentOf(bytes: Uint8Array | undefined): Content | undefined {
  return bytes && viewOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).content;
}
