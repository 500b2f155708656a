import type { ErrorCode } from "./codes.ts";
import type { JsonObject } from "./json.ts";
import { limits } from "./limits.ts";
import { planToolName, proposedPlan } from "./proposed-plan.ts";

export const goalToolName = "goal";

export type GoalState = "pending" | "active" | "done" | "dropped";

/** One part of what a session is to reach. */
export interface Goal {
  /** `g1`, `g2`, …: in the order in which they were added, none given twice. */
  readonly id: string;
  readonly text: string;
  readonly state: GoalState;
  /** The goal that it is a part of. */
  readonly parent?: string;
  /** Its outcome, once it is done or dropped. */
  readonly summary?: string;
  /** Helpers have worked for it, the last of them in this way; all of them by their ids, the first one first. */
  readonly type?: "agent_call";
  readonly agentCallMode?: AgentCallMode;
  readonly subSessionIds?: readonly string[];
}

const agentCallModes = ["delegate", "explore", "evaluate"] as const;
export type AgentCallMode = (typeof agentCallModes)[number];

/** The work of a helper for the session that drives it. */
export interface GoalWork {
  readonly goal: string;
  readonly mode: AgentCallMode;
}

/** The goals of a session, in the order in which they were added; one of them is active at most. */
export type Goals = readonly Goal[];

export type GoalChange =
  | { readonly action: "add"; readonly text: string; readonly parent?: string | undefined }
  | { readonly action: "start"; readonly id: string }
  /** Without an id the active one is meant. */
  | { readonly action: "done" | "drop"; readonly id?: string | undefined; readonly summary?: string | undefined };

/** The outcome of a change. */
export interface GoalsChanged {
  readonly goals: Goals;
  readonly goal: Goal;
  /** Others whose state it changed: one that was active before, open ones below one that is dropped. */
  readonly also: readonly Goal[];
}

/** Nothing is changed; in words for the model. */
export interface GoalProblem {
  readonly code: ErrorCode;
  readonly problem: string;
}

/** Of a call's record what tells what it did. */
interface RecordedCall {
  readonly toolName: string;
  readonly effect: string;
  readonly status: string;
  readonly arguments: JsonObject;
}

export const isOpen = ({ state }: Pick<Goal, "state">): boolean => state === "pending" || state === "active";

export const activeGoal = (goals: Goals): Goal | undefined => goals.find(({ state }) => state === "active");

/** Those that were not dropped, and how many of them are done. */
export function goalCounts(goals: Goals): { done: number; of: number } {
  const counted = goals.filter(({ state }) => state !== "dropped");
  return { done: counted.filter(({ state }) => state === "done").length, of: counted.length };
}

/** The goals that it is a part of, the nearest first. */
export function goalsAbove(goals: Goals, { parent }: Pick<Goal, "parent">): Goal[] {
  const above = goals.find(({ id }) => id === parent);
  return above === undefined ? [] : [above, ...goalsAbove(goals, above)];
}

/** Each goal before its parts, with the number of goals above it. */
export function goalsInOrder(goals: Goals): { goal: Goal; depth: number }[] {
  const below = (parent: string | undefined, depth: number): { goal: Goal; depth: number }[] =>
    goals.filter((goal) => goal.parent === parent).flatMap((goal) => [{ goal, depth }, ...below(goal.id, depth + 1)]);
  return below(undefined, 0);
}

/** Pure. */
export function changeGoals(goals: Goals, change: GoalChange): GoalsChanged | GoalProblem {
  switch (change.action) {
    case "add":
      return added(goals, change);
    case "start":
      return started(goals, change.id);
    case "done":
    case "drop":
      return ended(goals, change);
  }
}

// Keeps graph 18.
/** The goals as this call leaves them: only one of the tool that came to its own end, or was said to have, changes them. */
export function goalsAfter(goals: Goals, call: RecordedCall): Goals {
  if (!makesGoals(call) || call.effect !== "store" || call.status !== "success") return goals;
  return changesIn(call).reduce((before, change) => {
    const made = changeGoals(before, change);
    return "problem" in made ? before : made.goals;
  }, goals);
}

const goalMakers = [goalToolName, planToolName];

export const makesGoals = ({ toolName }: Pick<RecordedCall, "toolName">): boolean => goalMakers.includes(toolName);

/** The calls that made a session's goals, in their order. */
export const goalCalls = <Made extends { call: { callId: string } }>(journal: {
  succeeded(toolName: string): readonly Made[];
}): Made[] =>
  goalMakers
    .flatMap((name) => journal.succeeded(name))
    .toSorted((one, other) => numberOf(one.call) - numberOf(other.call));

const numberOf = ({ callId }: { callId: string }): number => Number(callId.slice(1));

/** Those that a session's calls made, in their order: nothing else is kept of them. */
export const goalsOf = (calls: readonly RecordedCall[]): Goals => calls.reduce<Goals>(goalsAfter, []);

/** By what a helper was begun with; undefined where it works for no goal. */
export function goalWork({ kind, goal }: { kind?: unknown; goal?: unknown }): GoalWork | undefined {
  const mode = agentCallModes.find((one) => one === kind);
  return mode === undefined || typeof goal !== "string" ? undefined : { goal, mode };
}

/** With a helper that was begun behind all those that they name. */
export const goalsWithHelper = (goals: Goals, session: string, work: GoalWork | undefined): Goals =>
  work === undefined ? goals : goals.map((goal) => (goal.id === work.goal ? helped(goal, session, work) : goal));

function helped(goal: Goal, session: string, { mode }: GoalWork): Goal {
  const { subSessionIds = [] } = goal;
  return subSessionIds.includes(session)
    ? goal
    : { ...goal, type: "agent_call", agentCallMode: mode, subSessionIds: [...subSessionIds, session] };
}

/** Lists the changes that a call asks for. */
function changesIn(call: RecordedCall): GoalChange[] {
  if (call.toolName === planToolName)
    return proposedPlan(call)?.goals.map((text): GoalChange => ({ action: "add", text })) ?? [];
  const change = changeIn(call.arguments);
  return change === undefined ? [] : [change];
}

/** Undefined where the arguments ask for nothing. */
function changeIn(args: JsonObject): GoalChange | undefined {
  const { action } = args;
  const [id, text, parent, summary] = ["id", "text", "parent", "summary"].map((name) => {
    const value = args[name];
    return typeof value === "string" ? value : undefined;
  });
  if (action === "add") return text === undefined ? undefined : { action, text, parent };
  if (action === "start") return id === undefined ? undefined : { action, id };
  return action === "done" || action === "drop" ? { action, id, summary } : undefined;
}

function added(goals: Goals, { text, parent }: Extract<GoalChange, { action: "add" }>): GoalsChanged | GoalProblem {
  if (goals.length >= limits.goals.most)
    return { code: "TOO_LARGE", problem: `there are ${goals.length} goals, and more are not kept: work on those` };
  const goal: Goal = {
    ...{ id: `g${goals.length + 1}`, text: text.trim(), state: "pending" },
    ...(parent === undefined ? {} : { parent }),
  };
  if (parent !== undefined) {
    const above = goals.find(({ id }) => id === parent);
    if (above === undefined) return unknown(goals, parent);
    const depth = goalsAbove(goals, goal).length + 1;
    if (depth > limits.goalDepth.most)
      return {
        code: "TOO_LARGE",
        problem: `${parent} is ${depth - 1} goals deep, and none is deeper: add it higher up`,
      };
    const closed = [above, ...goalsAbove(goals, above)].find((one) => !isOpen(one));
    if (closed !== undefined)
      return {
        code: "INVALID_ARGUMENT",
        problem: `${closed.id} is ${closed.state}: start it again before it gets parts`,
      };
  }
  return { goals: [...goals, goal], goal, also: [] };
}

function started(goals: Goals, id: string): GoalsChanged | GoalProblem {
  const goal = goals.find((one) => one.id === id);
  if (goal === undefined) return unknown(goals, id);
  if (goal.state === "active") return { code: "NO_CHANGE", problem: `${id} is active already` };
  const closed = goalsAbove(goals, goal).find((one) => !isOpen(one));
  if (closed !== undefined)
    return {
      code: "INVALID_ARGUMENT",
      problem: `${id} is part of ${closed.id}, which is ${closed.state}: start that one first`,
    };
  const { summary: _, ...rest } = goal;
  return put(goals, [
    { ...rest, state: "active" },
    ...goals.filter(({ state }) => state === "active").map((one): Goal => ({ ...one, state: "pending" })),
  ]);
}

/** The goal with that id, or else the active one. */
export function goalMeant(goals: Goals, id: string | undefined): Goal | GoalProblem {
  const goal = id === undefined ? activeGoal(goals) : goals.find((one) => one.id === id);
  if (goal !== undefined) return goal;
  if (id !== undefined) return unknown(goals, id);
  return { code: "INVALID_ARGUMENT", problem: `no goal is active: say which one by its id; ${theIds(goals)}` };
}

function ended(goals: Goals, { action, id, summary }: Extract<GoalChange, { action: "done" | "drop" }>) {
  const goal = goalMeant(goals, id);
  if ("problem" in goal) return goal;
  if (!isOpen(goal)) return { code: "NO_CHANGE", problem: `${goal.id} is ${goal.state} already` } as const;
  const below = goals.filter((one) => isOpen(one) && goalsAbove(goals, one).includes(goal));
  if (action === "done" && below.length > 0) {
    const ids = below.map((one) => one.id).join(", ");
    return { code: "INVALID_ARGUMENT", problem: `${goal.id} has open parts: ${ids}; end or drop them first` } as const;
  }
  const state = action === "done" ? "done" : "dropped";
  const words = summary === undefined || summary.trim() === "" ? {} : { summary: summary.trim() };
  return put(goals, [{ ...goal, state, ...words }, ...below.map((one): Goal => ({ ...one, state }))]);
}

/** These in the places of those with their ids; the first is the one that is meant. */
function put(goals: Goals, changed: readonly [Goal, ...Goal[]]): GoalsChanged {
  const [goal, ...also] = changed;
  return { goals: goals.map((one) => changed.find(({ id }) => id === one.id) ?? one), goal, also };
}

const unknown = (goals: Goals, id: string): GoalProblem => ({
  code: "NOT_FOUND",
  problem: `there is no goal ${JSON.stringify(id)}; ${theIds(goals)}`,
});

function theIds(goals: Goals): string {
  if (goals.length === 0) return "there are none yet: add one";
  const all = goals.length <= 4 ? goals.map(({ id }) => id).join(", ") : `g1 to g${goals.length}`;
  const open = goals.filter(isOpen).map(({ id }) => id);
  const some = open.length > 20 ? `${open.slice(0, 20).join(", ")}, …` : open.join(", ");
  return open.length === goals.length ? `the goals are ${all}` : `the goals are ${all}, open of them ${some || "none"}`;
}
