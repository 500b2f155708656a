import { expect, test } from "vitest";
import { cells } from "../../../../src/cli/terminal/width.ts";
import { planLines } from "../../../../src/cli/ui/status/plan-line.ts";
import type { Goal, Goals } from "../../../../src/core/goals.ts";

const goal = (n: number, state: Goal["state"], more: Partial<Goal> = {}): Goal => ({
  ...{ id: `g${n}`, text: `goal ${n}`, state },
  ...more,
});
const row = (goals: Goals, columns = 80): string[] =>
  planLines(goals, columns).map((line) => line.map(({ text }) => text).join(""));

test("is one row with a mark for each goal in the tree's order, and the active one's text", () => {
  const goals = [goal(1, "done"), goal(2, "pending"), goal(3, "dropped"), goal(4, "active", { parent: "g1" })];
  expect(row(goals)).toEqual(["Plan 1/3 ✔▸□  goal 4"]);
  expect(row([goal(1, "pending")])).toEqual(["Plan 0/1 □  none is active"]);
});

test("is nothing where nothing is open, and never wider than the screen", () => {
  expect(row([])).toEqual([]);
  expect(row([goal(1, "done"), goal(2, "dropped")])).toEqual([]);
  const many = Array.from({ length: 30 }, (_, n) =>
    goal(n + 1, n === 4 ? "active" : "pending", { text: "long ".repeat(40) }),
  );
  const [only = ""] = row(many, 40);
  expect(only).toMatch(/^Plan 0\/30 {2}long long/);
  expect(cells(only)).toBeLessThanOrEqual(40);
});
