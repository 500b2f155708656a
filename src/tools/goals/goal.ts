import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { doneText, goalLines } from "../../core/goal-lines.ts";
import {
  activeGoal,
  changeGoals,
  type Goal,
  type GoalChange,
  type Goals,
  type GoalsChanged,
  goalToolName,
  isOpen,
} from "../../core/goals.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool, type ToolResult } from "../../core/tool.ts";
import { lineProblem } from "../use/one-line.ts";

const args = z.strictObject({
  action: z.enum(["add", "start", "done", "drop", "list"]).describe("start makes it the active one."),
  id: z.string().optional().describe("By default the active one."),
  text: z.string().optional().describe(`A line of at most ${limits.goalLength.most} characters.`),
  parent: z.string().optional().describe("Id of the goal above."),
  summary: z.string().optional().describe("What came of it."),
});

type Args = z.infer<typeof args>;

/** Beside the action, what it needs and what it may have. */
const takes: Record<Args["action"], { needs: readonly (keyof Args)[]; may: readonly (keyof Args)[] }> = {
  add: { needs: ["text"], may: ["parent"] },
  start: { needs: ["id"], may: [] },
  done: { needs: [], may: ["id", "summary"] },
  drop: { needs: [], may: ["id", "summary"] },
  list: { needs: [], may: [] },
};

/**
 * The plan of a session, as a tree. It keeps nothing itself: the goals are what the session's calls of it, in their order, have made
 * (`core/goals.ts`), so a call is done once it is recorded, and never twice.
 */
export function createGoalTool(): Tool {
  return defineTool({
    name: goalToolName,
    description: "Keeps the plan of longer work, as a tree that the person sees. Not for what takes a few calls.",
    args,
    risk: "low",
    effect: "store",
    outlasts: false,
    display: {
      en: {
        name: "Plan",
        params: { action: "Action", id: "Goal", text: "Text", parent: "Part of", summary: "Summary" },
      },
      zh: { name: "计划", params: { action: "操作", id: "目标", text: "内容", parent: "上级目标", summary: "总结" } },
    },
    validate: complaint,
    execute(given, { goals }) {
      const wrong = complaint(given);
      if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
      const before = goals?.();
      if (before === undefined)
        throw new ToolRefusal("NOT_FOUND", "goals are kept with a session, and there is none here");
      if (given.action === "list") return listed(before);
      checkSummary(before, given);
      const made = changeGoals(before, given as GoalChange);
      if ("problem" in made) throw new ToolRefusal(made.code, made.problem);
      return changed(given.action, made);
    },
  });
}

function complaint({ action, ...given }: Args): string | undefined {
  const { needs, may } = takes[action];
  const missing = needs.find((name) => given[name as keyof typeof given] === undefined);
  if (missing !== undefined) return `${action} needs ${missing}`;
  const all = [...needs, ...may];
  const more = Object.entries(given).find(([name, value]) => value !== undefined && !all.includes(name as keyof Args));
  if (more !== undefined) return `${action} takes no ${more[0]}: it takes ${all.join(" and ") || "nothing else"}`;
  const { text, summary } = given;
  return (
    (text === undefined ? undefined : lineProblem("text", text, limits.goalLength.most)) ??
    (summary === undefined ? undefined : lineProblem("summary", summary, limits.goalSummary.most))
  );
}

/** Of a goal that helpers worked for nobody but them has seen the work: what came of it is told. Which helpers did is no matter of the calls. */
function checkSummary(goals: Goals, { action, id, summary }: Args): void {
  if (action !== "done" || summary !== undefined) return;
  const goal = id === undefined ? activeGoal(goals) : goals.find((one) => one.id === id);
  if (goal?.type === "agent_call" && isOpen(goal))
    throw new ToolRefusal(
      "INVALID_ARGUMENT",
      `helpers have worked for ${goal.id}: done needs a summary of what came of it`,
    );
}

function listed(goals: Goals): ToolResult {
  if (goals.length === 0) return { output: "There are no goals yet.", title: "no goals" };
  return { output: `${doneText(goals)}\n${goalLines(goals).join("\n")}`, title: doneText(goals) };
}

const said = { add: "added", start: "active", done: "done", drop: "dropped" } as const;

function changed(action: GoalChange["action"], { goals, goal, also }: GoalsChanged): ToolResult {
  const { id, state, parent } = goal;
  const part = action === "add" && parent !== undefined ? ` as part of ${parent}` : "";
  return {
    output: `${id} is ${said[action]}${part}${alsoText(action, also)}. ${doneText(goals)}${openText(goals)}.`,
    title: `${id} ${said[action]}: ${goal.text}`,
    metadata: { goal: id, state },
  };
}

function alsoText(action: GoalChange["action"], also: readonly Goal[]): string {
  const [first] = also;
  if (first === undefined) return "";
  const ids = also.map(({ id }) => id).join(", ");
  return action === "start" ? `; ${ids}, active before, is pending again` : `, and with it its open parts ${ids}`;
}

const mostNamed = 10;

function openText(goals: Goals): string {
  const open = goals.filter(isOpen);
  if (open.length === 0) return "";
  const named = open.slice(0, mostNamed).map(({ id, state }) => (state === "active" ? `${id} (active)` : id));
  return `, open: ${named.join(", ")}${open.length > mostNamed ? ` and ${open.length - mostNamed} more` : ""}`;
}
