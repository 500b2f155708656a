import { activeGoal, type Goal, type Goals, goalCounts, goalsInOrder, isOpen } from "../../../core/goals.ts";
import { status as words } from "../../../words/en/status.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { cut } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";

/** More goals are told by their numbers alone. */
const mostMarks = 20;

/** The marks that the states of a goal are drawn as. */
export const goalMarks: Partial<Record<Goal["state"], string>> = { done: "✔", active: "▸", pending: "□" };

/** `Plan 2/5 ✔✔▸□□  mend the parser`: the plan in one row while something of it is open; safe texts are taken for granted. */
export function planLines(goals: Goals, columns: number): StyledLine[] {
  if (!goals.some(isOpen)) return [];
  const { done, of } = goalCounts(goals);
  const row = goalsInOrder(goals).map(({ goal }) => goalMarks[goal.state] ?? "");
  const head = `${words().plan({ done, of })}${of > mostMarks ? "" : ` ${row.join("")}`}`;
  const active = activeGoal(goals);
  const room = Math.max(8, columns - head.length - 2);
  const text = active === undefined ? span(cut(words().noneActive, room), { dim: true }) : span(cut(active.text, room));
  return [[span(head, { color: "cyan" }), span("  "), text]];
}
