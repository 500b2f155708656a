import { goalCounts, goalsInOrder, isOpen } from "../../../core/goals.ts";
import { status as words } from "../../../words/en/status.ts";
import { plainText, type SpanStyle, type StyledLine } from "../../terminal/span.ts";
import { cells, cut, cutSpans, elidePath } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { View } from "../view/view.ts";
import { goalMarks, planLines } from "./plan-line.ts";
import { jobsText, spentPieces } from "./status-lines.ts";

/** Columns of the terminal from which there is room for it. */
export const leastForSide = 140;

/** Cells that it takes, with its rule and the blank before that. */
export const sideCells = 42;

const room = sideCells - 3;

/** A row that is always told, where anything of it is, and those that stand below it where there is room. */
interface Section {
  head: StyledLine;
  more: StyledLine[];
  /** In the place of the first where none of the others has room. */
  alone?: StyledLine | undefined;
}

/**
 * The column beside the live part: the session's title, its plan, the changes of its calls, its background jobs, and what it took. Nothing
 * where there is no plan, change or job.
 */
export interface Side {
  sections: Section[];
}

type Told = Pick<View, "title" | "goals" | "changed" | "changedLately" | "usage" | "spent">;

/**
 * @param planFolded the person folded the plan
 * @param jobs background jobs that run
 */
export function sideOf(view: Told, planFolded: boolean, jobs: number): Side {
  const { title, goals, changed, changedLately } = view;
  const sections = [
    ...(planFolded || !goals.some(isOpen) ? [] : [planSection(goals)]),
    ...(changed.length === 0 ? [] : [filesSection(changed, changedLately)]),
    ...(jobs === 0 ? [] : [{ head: [span(jobsText(jobs), { color: "cyan" })], more: [] }]),
  ];
  const named = title === undefined ? [] : [{ head: [span(cut(title, room), { bold: true })], more: [] }];
  return { sections: sections.length === 0 ? [] : [...named, ...sections, ...spentSection(view)] };
}

function spentSection(view: Told): Section[] {
  const pieces = spentPieces(view);
  if (pieces.length === 0) return [];
  const line = pieces.flatMap(({ text, style }, at) => [
    ...(at === 0 ? [] : [span(" · ", { dim: true })]),
    span(text, style ?? { dim: true }),
  ]);
  return [{ head: cutSpans(line, room), more: [] }];
}

function planSection(goals: View["goals"]): Section {
  const { done, of } = goalCounts(goals);
  const styles: Partial<Record<string, SpanStyle>> = { done: { dim: true }, active: { bold: true } };
  return {
    head: [span(words().plan({ done, of }), { color: "cyan" })],
    alone: planLines(goals, room)[0],
    more: goalsInOrder(goals).map(({ goal }) => {
      const mark = goalMarks[goal.state] ?? "·";
      return [span(`${mark} `, { color: "cyan" }), span(cut(goal.text, room - 2), styles[goal.state] ?? {})];
    }),
  };
}

const countsText = ({ added, removed }: { added: number; removed: number }): string => `+${added} −${removed}`;

function filesSection(changed: View["changed"], lately = false): Section {
  const files = new Map<string, { added: number; removed: number }>();
  for (const { subject, added, removed } of changed) {
    const before = files.get(subject) ?? { added: 0, removed: 0 };
    files.delete(subject);
    files.set(subject, { added: before.added + added, removed: before.removed + removed });
  }
  const all = [...files.values()].reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  return {
    head: [
      span(words().changed({ files: files.size, lately }), { color: "cyan" }),
      span(` ${countsText(all)}`, { dim: true }),
    ],
    // The newest first: where not all have room it is these that matter.
    more: [...files].reverse().map(([subject, counts]) => {
      const text = countsText(counts);
      return [span(elidePath(subject, room - text.length - 1)), span(` ${text}`, { dim: true })];
    }),
  };
}

/** Its rows where there are `rows` of them: each section's own, then what stands below these, from the top. */
function sideRows({ sections }: Side, rows: number): StyledLine[] {
  const heads = sections.slice(0, rows);
  let left = rows - heads.length;
  return heads.flatMap(({ head, more, alone = head }) => {
    if (left === 0) return [alone];
    const shown = more.length <= left ? more : more.slice(0, Math.max(0, left - 1));
    const cutOff = more.length - shown.length;
    const rest = cutOff > 0 && left > shown.length ? [[span(words().more({ more: cutOff }), { dim: true })]] : [];
    left -= shown.length + rest.length;
    return [head, ...shown, ...rest];
  });
}

/** `lines`, none of them wider than `columns`, with the side column at their right. */
export function besideLines(lines: readonly StyledLine[], side: Side, columns: number): StyledLine[] {
  const rows = sideRows(side, lines.length);
  return lines.map((line, at) => {
    const blank = " ".repeat(Math.max(0, columns - cells(plainText(line))) + 1);
    return [...line, span(blank), span("│ ", { dim: true }), ...(rows[at] ?? [])];
  });
}
