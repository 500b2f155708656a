import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { oneLine } from "../../core/fence.ts";
import { limits } from "../../core/limits.ts";
import { planTitle, planToolName } from "../../core/proposed-plan.ts";
import { defineTool, type Tool, type ToolContext } from "../../core/tool.ts";
import { showsNothing } from "../../core/unseen.ts";
import { asBuiltIn } from "../built-in.ts";
import { lineProblem } from "../use/one-line.ts";

const args = z.strictObject({
  plan: z.string().describe("Markdown."),
  goals: z.array(z.string()).optional().describe("Steps, a line each: once approved they are goals of the session."),
});

type Args = z.infer<typeof args>;

/**
 * Makes the tool that ends the work in mode plan. A person is asked about each call, whatever rules, grants and modes say; what they
 * approve is what the model then reads. Its goals are made of the recorded call (`core/goals.ts`).
 */
const presentPlan = (): Tool =>
  defineTool({
    name: planToolName,
    otherNames: ["exit_plan_mode", "ExitPlanMode"],
    description:
      "Ends the planning: shows the person what you would do, step by step, with the files and how it is checked. They approve it, edit it, or deny it with a reason.",
    args,
    risk: "low",
    effect: "store",
    outlasts: false,
    maxObserve: false,
    display: {
      en: { name: "Present a plan", params: { plan: "Plan", goals: "Goals" } },
      zh: { name: "提交计划", params: { plan: "计划", goals: "目标" } },
    },
    validate: complaint,
    async plan({ plan, goals = [] }, ctx) {
      checkRoom(goals, ctx);
      const summary = `work by the plan ${JSON.stringify(oneLine(planTitle(plan), 100))}`;
      return { summary, cwd: ctx.cwd, confirm: "a plan is worked once you have approved it" };
    },
    execute(given, ctx) {
      const wrong = complaint(given);
      if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
      const { plan, goals = [] } = given;
      checkRoom(goals, ctx);
      const kept = goals.length === 0 ? "" : `\n\nIts goals are in the plan of this session.`;
      return { output: `Approved, as follows; work by it now.\n\n${plan}${kept}`, title: "approved", display: plan };
    },
  });

function complaint({ plan, goals = [] }: Args): string | undefined {
  if (showsNothing(plan)) return "the plan is empty: say what you would do";
  const { length } = [...plan];
  if (length > limits.planLength.most)
    return `the plan has ${length} characters, and ${limits.planLength.most} are the most: say it shorter`;
  if (goals.length > limits.planGoals.most)
    return `there are ${goals.length} goals, and ${limits.planGoals.most} are the most of one plan`;
  return goals.map((goal) => lineProblem("text of a goal", goal, limits.goalLength.most)).find((one) => one);
}

/** @throws ToolRefusal where the session has no room for so many more goals */
function checkRoom(goals: readonly string[], ctx: Pick<ToolContext, "goals">): void {
  const there = ctx.goals?.().length ?? 0;
  if (goals.length > 0 && there + goals.length > limits.goals.most)
    throw new ToolRefusal(
      "TOO_LARGE",
      `there are ${there} goals already, and ${limits.goals.most} are the most: leave some out`,
    );
}

/** Tells whether it is the tool by which a plan is presented, whose name no other one may have: it is offered in mode plan alone. */
export const isPlanTool = (tool: Tool): boolean => tool.name === planToolName;

/** The tool by which a plan is presented. */
export const createPlanTool = (): Tool => asBuiltIn(presentPlan());
