import { describe, expect, test } from "vitest";
import { doneText, goalLines, openGoalLines } from "../../src/core/goal-lines.ts";
import {
  activeGoal,
  changeGoals,
  type GoalChange,
  type Goals,
  goalsAfter,
  goalsWithHelper,
  goalWork,
} from "../../src/core/goals.ts";

type Made = GoalChange | string;

const add = (text: string, parent?: string): GoalChange => ({ action: "add", text, parent });
const start = (id: string): GoalChange => ({ action: "start", id });
const done = (id?: string, summary?: string): GoalChange => ({ action: "done", id, summary });
const drop = (id?: string, summary?: string): GoalChange => ({ action: "drop", id, summary });

function treeOf(...changes: Made[]): Goals {
  return changes.reduce<Goals>((goals, change) => {
    const made = changeGoals(goals, typeof change === "string" ? add(change) : change);
    if ("problem" in made) throw new Error(made.problem);
    return made.goals;
  }, []);
}

const problem = (goals: Goals, change: GoalChange): string => {
  const made = changeGoals(goals, change);
  return "problem" in made ? `${made.code}: ${made.problem}` : "none";
};

describe("the goals of a session", () => {
  test("get their ids in order, none twice, and are told as a tree", () => {
    const goals = treeOf("one", "two", add("a part", "g1"), drop("g2", "not needed"), "three");
    expect(goalLines(goals)).toEqual([
      "g1 pending: one",
      "  g3 pending: a part",
      "g2 dropped: two → not needed",
      "g4 pending: three",
    ]);
    expect(doneText(treeOf("one", "two", "three", done("g1"), drop("g3")))).toBe("1 of 2 done");
  });

  test("are active one at a time: the one before is pending again", () => {
    const made = changeGoals(treeOf("one", "two", start("g1")), start("g2"));
    expect(made).toMatchObject({ goal: { id: "g2", state: "active" }, also: [{ id: "g1", state: "pending" }] });
    expect(activeGoal(treeOf("one", "two", start("g1"), start("g2")))?.id).toBe("g2");
  });

  test("done and drop mean the active one without an id; a dropped one takes its open parts along", () => {
    expect(treeOf("one", start("g1"), done(undefined, " it works "))).toEqual([
      { id: "g1", text: "one", state: "done", summary: "it works" },
    ]);
    const made = changeGoals(treeOf("one", add("a", "g1"), add("b", "g2"), add("c", "g1"), done("g4")), drop("g1"));
    expect(made).toMatchObject({ goal: { id: "g1" }, also: [{ id: "g2" }, { id: "g3" }] });
    expect("goals" in made && made.goals.map(({ state }) => state)).toEqual(["dropped", "dropped", "dropped", "done"]);
  });

  test("one that has ended may be started again, and loses its summary", () => {
    expect(treeOf("one", done("g1", "well"), start("g1"))).toEqual([{ id: "g1", text: "one", state: "active" }]);
  });

  test("what cannot be says what it is about, and which there are", () => {
    const three = treeOf("one", "two", "three", done("g2"));
    expect(problem([], start("g1"))).toBe('NOT_FOUND: there is no goal "g1"; there are none yet: add one');
    expect(problem(three, start("g9"))).toBe(
      'NOT_FOUND: there is no goal "g9"; the goals are g1, g2, g3, open of them g1, g3',
    );
    expect(problem(three, add("x", "g7"))).toMatch(/^NOT_FOUND: there is no goal "g7"; the goals are/);
    expect(problem(three, done())).toMatch(/^INVALID_ARGUMENT: no goal is active: say which one by its id; the goals/);
    expect(problem(three, done("g2"))).toBe("NO_CHANGE: g2 is done already");
    expect(problem(treeOf("one", start("g1")), start("g1"))).toBe("NO_CHANGE: g1 is active already");
    expect(problem(three, add("x", "g2"))).toMatch(/^INVALID_ARGUMENT: g2 is done: start it again/);
    const parts = treeOf("one", add("a", "g1"), add("b", "g1"));
    expect(problem(parts, done("g1"))).toBe("INVALID_ARGUMENT: g1 has open parts: g2, g3; end or drop them first");
    const ended = treeOf("one", add("a", "g1"), done("g2"), done("g1"));
    expect(problem(ended, start("g2"))).toMatch(/^INVALID_ARGUMENT: g2 is part of g1, which is done: start that one/);
  });

  test("are a hundred at most, four deep", () => {
    const many = treeOf(...Array.from({ length: 100 }, (_, n) => `goal ${n}`));
    expect(problem(many, add("one more"))).toMatch(/^TOO_LARGE: there are 100 goals/);
    const deep = treeOf("1", add("2", "g1"), add("3", "g2"), add("4", "g3"));
    expect(problem(deep, add("5", "g4"))).toBe("TOO_LARGE: g4 is 4 goals deep, and none is deeper: add it higher up");
  });

  test("are changed by calls of the tool alone that came to a success", () => {
    const call = {
      toolName: "goal",
      effect: "store",
      status: "success",
      arguments: { action: "add", text: "one" },
    } as const;
    expect(goalsAfter([], call)).toHaveLength(1);
    for (const other of [
      { ...call, status: "error" as const },
      { ...call, toolName: "save_memory" },
      { ...call, effect: "once" as const },
      { ...call, arguments: { action: "add", text: 1 } },
      { ...call, arguments: { action: "start", id: "g1" } },
      { ...call, arguments: {} },
    ])
      expect(goalsAfter([], other)).toEqual([]);
  });
});

describe("helpers", () => {
  const begun = (kind: unknown, goal: unknown) => goalWork({ kind, goal });
  const help = (goals: Goals, session: string, work = begun("delegate", "g1")) => goalsWithHelper(goals, session, work);

  test("are named at the goal that they were begun for, each once, and stay there whatever becomes of it", () => {
    const goals = treeOf("one", add("a", "g1"), start("g1"));
    const worked = help(help(help(goals, "s@1"), "s@2", begun("evaluate", "g1")), "s@1");
    const marks = { type: "agent_call", agentCallMode: "evaluate", subSessionIds: ["s@1", "s@2"] };
    expect(worked).toEqual([{ ...goals[0], ...marks }, goals[1]]);
    const made = changeGoals(worked, drop("g1", "no need"));
    expect("goals" in made && made.goals[0]).toEqual({ ...goals[0], ...marks, state: "dropped", summary: "no need" });
    const many = ["s@3", "s@4", "s@5"].reduce((now, id) => help(now, id, begun("explore", "g1")), worked);
    expect(goalLines(many)).toEqual([
      "g1 active: one",
      "  by helpers, the last to explore: 1 before, s@2, s@3, s@4, s@5",
      "  g2 pending: a",
    ]);
    expect(openGoalLines(many)).toEqual(["Plan of this session, 0 of 2 done:", "g1 active: one", "  g2 pending: a"]);
  });

  test("are named nowhere where they work for no goal, or for none that there is", () => {
    const goals = treeOf("one");
    for (const work of [
      begun("delegate", undefined),
      begun("other", "g1"),
      begun(undefined, "g1"),
      begun("explore", "g9"),
    ])
      expect(goalsWithHelper(goals, "s@1", work)).toEqual(goals);
  });
});

describe("what the model is told unasked", () => {
  test("is what is open, indented; nothing where nothing is", () => {
    expect(
      openGoalLines(treeOf("one", add("a", "g1"), add("b", "g1"), done("g2"), start("g3"), "two", drop("g4"))),
    ).toEqual(["Plan of this session, 1 of 3 done:", "g1 pending: one", "  g3 active: b"]);
    expect(openGoalLines([])).toEqual([]);
    expect(openGoalLines(treeOf("one", done("g1")))).toEqual([]);
  });

  test("is twelve lines at most, the active one with those above it among them", () => {
    const many = Array.from({ length: 30 }, (_, n) => `goal ${n}`);
    const lines = openGoalLines(treeOf(...many, add("deep", "g30"), add("deeper", "g31"), start("g32")));
    expect(lines).toHaveLength(12);
    expect(lines.slice(8)).toEqual([
      "g30 pending: goal 29",
      "  g31 pending: deep",
      "    g32 active: deeper",
      'and 22 more: goal {"action":"list"}',
    ]);
    expect(openGoalLines(treeOf(...many.slice(0, 11)))).toHaveLength(12);
    expect(openGoalLines(treeOf(...many.slice(0, 12)))).toHaveLength(12);
  });
});
