import { activeGoal, type Goal, type Goals, goalCounts, goalsAbove, goalsInOrder, isOpen } from "./goals.ts";

const lineOf = ({ id, state, text }: Goal, depth: number): string => `${"  ".repeat(depth)}${id} ${state}: ${text}`;

/** All of the tree, a line a goal, with what came of it and below it who worked for it. */
export const goalLines = (goals: Goals): string[] =>
  goalsInOrder(goals).flatMap(({ goal, depth }) => [
    lineOf(goal, depth) + (goal.summary === undefined ? "" : ` → ${goal.summary}`),
    ...helpersLine(goal).map((line) => `${"  ".repeat(depth + 1)}${line}`),
  ]);

const mostHelpers = 4;

/** The ids begin with that of their session, and say of each how it worked. */
function helpersLine({ agentCallMode, subSessionIds = [] }: Goal): string[] {
  if (agentCallMode === undefined) return [];
  const left = subSessionIds.length - mostHelpers;
  const more = left > 0 ? `${left} before, ` : "";
  return [`by helpers, the last to ${agentCallMode}: ${more}${subSessionIds.slice(-mostHelpers).join(", ")}`];
}

/** "2 of 5 done" */
export function doneText(goals: Goals): string {
  const { done, of } = goalCounts(goals);
  return `${done} of ${of} done`;
}

/** Lines of the plan that the model is told unasked. */
const mostTold = 12;

/**
 * Lists the open goals, in a few lines: the active goal with those above it, then the others from the first on. Those done are
 * counted. Nothing where nothing is open.
 */
export function openGoalLines(goals: Goals, most = mostTold): string[] {
  const open = goalsInOrder(goals).filter(({ goal }) => isOpen(goal));
  if (open.length === 0) return [];
  const active = activeGoal(goals);
  const path = active === undefined ? [] : [active, ...goalsAbove(goals, active)];
  const isWhole = open.length < most;
  const others = open.map(({ goal }) => goal).filter((goal) => !path.includes(goal));
  const room = Math.max(0, most - path.length - (isWhole ? 1 : 2));
  const shown = new Set([...path, ...others.slice(0, room)]);
  const left = open.length - shown.size;
  return [
    `Plan of this session, ${doneText(goals)}:`,
    ...open.filter(({ goal }) => shown.has(goal)).map(({ goal, depth }) => lineOf(goal, depth)),
    ...(left > 0 ? [`and ${left} more: goal {"action":"list"}`] : []),
  ];
}
