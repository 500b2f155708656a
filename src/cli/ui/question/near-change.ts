import type { Hunk, HunkLine } from "../../../core/tool.ts";
import type { Change } from "../../../files/diff/diff-text.ts";

/** A change with at most `near` of the lines that stay before and after each changed line; all changed lines are in it. */
export function nearChange(change: Change, near: number): Change {
  if (typeof change === "string") return change;
  return { ...change, hunks: change.hunks.flatMap((hunk) => nearHunks(hunk, near)) };
}

/** The parts of a hunk that are near a changed line, each with its own line numbers. */
function nearHunks(hunk: Hunk, near: number): Hunk[] {
  const isNear = nearness(hunk.lines, near);
  const found: Hunk[] = [];
  const at = { old: hunk.oldStart, new: hunk.newStart };
  for (const [index, line] of hunk.lines.entries()) {
    const begins = isNear[index] === true && isNear[index - 1] !== true;
    if (begins) found.push({ ...hunk, oldStart: at.old, newStart: at.new, oldLines: 0, newLines: 0, lines: [] });
    const open = isNear[index] === true ? found.at(-1) : undefined;
    open?.lines.push(line);
    const sides = { old: line.kind === "+" ? 0 : 1, new: line.kind === "-" ? 0 : 1 };
    if (open !== undefined) {
      open.oldLines += sides.old;
      open.newLines += sides.new;
    }
    at.old += sides.old;
    at.new += sides.new;
  }
  return found;
}

/** For each line whether a changed one is at most `near` lines away. */
function nearness(lines: readonly HunkLine[], near: number): boolean[] {
  const distances = lines.map(() => Number.POSITIVE_INFINITY);
  const pass = (indexes: readonly number[]): void => {
    let away = Number.POSITIVE_INFINITY;
    for (const index of indexes) {
      away = lines[index]?.kind === " " ? away + 1 : 0;
      distances[index] = Math.min(distances[index] ?? away, away);
    }
  };
  const order = lines.map((_, index) => index);
  pass(order);
  pass(order.reverse());
  return distances.map((away) => away <= near);
}
