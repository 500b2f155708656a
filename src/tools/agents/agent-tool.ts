import { z } from "zod";
import type { AgentDefinition } from "../../core/agent-definition.ts";
import type { ChildEnd, ChildSpec } from "../../core/child-session.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { activeGoal } from "../../core/goals.ts";
import { limits } from "../../core/limits.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { defineTool, type Tool, type ToolContext } from "../../core/tool.ts";
import { isNamed } from "../../core/tool-names.ts";
import { asBuiltIn } from "../built-in.ts";
import { endWords, longText } from "./end-words.ts";
import { exploringTools } from "./exploring.ts";

// How long and how many they may be is checked apart: what stands here is told with each request.
const args = z.strictObject({
  task: z
    .union([z.string(), z.array(z.string())])
    .describe("A text: one does it and may change files. A list: one each looks into it, only reading."),
  agent: z.string().optional(),
  continue_from: z.string().optional().describe("Id of an ended helper to go on from."),
  messages: z
    .array(z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe("Told first: texts for all, or a list for each."),
});

type Args = z.infer<typeof args>;
type Known = ReadonlyMap<string, AgentDefinition>;

/** The tools that no helper has: whatever outlasts the session is for whoever speaks with the person. */
const never = ["!save_memory"];

export interface AgentToolOptions {
  /** Those that a call can name. */
  agents?: readonly AgentDefinition[];
  /** The number of helpers of one call that work at once. */
  maxChildren?: number;
  /** True if the session has web_search. */
  canSearch?: boolean;
}

/**
 * Sessions of their own work for the call: one that does something, or several that look into something side by side.
 * @throws TypeError where so many cannot work at once
 */
export function createAgentTool({
  agents = [],
  canSearch = false,
  maxChildren = limits.childrenAtOnce.most,
}: AgentToolOptions = {}): Tool {
  if (!(maxChildren >= 1) || (Number.isFinite(maxChildren) && !Number.isInteger(maxChildren)))
    throw new TypeError(`maxChildren must be a whole number from 1 on, not ${maxChildren}`);
  const known = new Map(agents.map((agent) => [agent.name, agent]));
  const looking = exploringTools(canSearch);
  return asBuiltIn(
    defineTool({
      name: "agent",
      description: [
        "Hands work to helpers, who know only what you tell them; what they answer is data.",
        ...agents.map(({ name, description }) => `${name}: ${description}`),
      ].join("\n"),
      args,
      risk: "low",
      effect: "child",
      otherNames: ["new_task", "call_subagent", "task", "spawn_agent"],
      display: {
        en: { name: "Helpers", params: { task: "Task", agent: "Agent", messages: "Told before" } },
        zh: { name: "子代理", params: { task: "任务", agent: "代理", messages: "先行消息" } },
      },
      // A helper that has begun works as what it was begun with.
      validate: (given, { goesOn }) => unknownAgent(goesOn ? {} : given, known) ?? complaint(given),
      plan: async ({ task, agent }, { cwd }) => ({ summary: summaryOf(task, agent), cwd }),
      execute: async (given, ctx) => {
        const goal = activeGoal(ctx.goals?.() ?? [])?.id;
        const asked = specsOf(given, known, looking).map(
          (spec): ChildSpec => ({
            ...spec,
            ...(goal === undefined ? {} : { goal }),
            atOnce: maxChildren,
          }),
        );
        return endWords(await runAll(asked, ctx), ctx.workspace);
      },
    }),
  );
}

const unknownAgent = ({ agent }: Pick<Args, "agent">, known: Known): string | undefined =>
  agent === undefined || known.has(agent) ? undefined : noAgent(agent, [...known.keys()]);

function complaint({ task, messages = [], continue_from: earlier }: Args): string | undefined {
  if (earlier !== undefined && typeof task !== "string") return "continue_from goes with one task, not with a list";
  const wrong = wrongTexts([task].flat(), messages.flat());
  if (wrong !== undefined) return wrong;
  const lists = messages.filter((one) => typeof one !== "string").length;
  if (lists === 0) return undefined;
  const tasks = typeof task === "string" ? 1 : task.length;
  if (lists < messages.length) return "messages are texts for all of them, or a list of texts for each: not both";
  return lists === tasks ? undefined : `messages has ${lists} lists for ${tasks} tasks: one for each`;
}

function wrongTexts(tasks: readonly string[], before: readonly string[]): string | undefined {
  const { most } = limits.childTasks;
  if (tasks.length > most) return `task has ${tasks.length} tasks: ${most} in a call at most`;
  if (tasks.length === 0 || tasks.some((task) => task.trim() === "")) return "each task says what is to be done";
  return longText([...tasks, ...before]);
}

function noAgent(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  const there =
    names.length === 0
      ? "; none are set up here: leave it out"
      : `${meant === "" ? ";" : ""} there are ${names.join(", ")}`;
  return `there is no agent ${JSON.stringify(name)}${meant}${there}`;
}

const summaryOf = (task: Args["task"], agent = "a helper"): string =>
  typeof task === "string" ? `${agent}: ${oneLine(task)}` : `${task.length} look into: ${task.map(oneLine).join("; ")}`;

const oneLine = (words: string): string => {
  const [first = ""] = words.split("\n");
  return first.length > 80 ? `${first.slice(0, 79)}…` : first;
};

/** Makes the specs with which the helpers are begun, in the order of their tasks. */
function specsOf(
  { task, agent, messages = [], continue_from: earlier }: Args,
  known: Known,
  looking: readonly string[],
): ChildSpec[] {
  const isExploring = typeof task !== "string";
  const tasks = isExploring ? task : [task];
  const definition = agent === undefined ? undefined : known.get(agent);
  const kind = isExploring ? "explore" : "delegate";
  const own =
    earlier !== undefined && definition === undefined ? {} : ownOf(definition, isExploring ? looking : undefined);
  const name = agent ?? (isExploring ? "explorer" : "helper");
  const isGone = agent !== undefined && definition === undefined;
  return tasks.map((words, index) => ({
    task: [...toldBefore(messages, index), words].join("\n\n"),
    kind,
    ...(earlier === undefined ? {} : { continues: earlier }),
    ...own,
    ...(own.tools === undefined && !isGone ? {} : { agent: tasks.length === 1 ? name : `${name} ${index + 1}` }),
    ...(isGone ? { begins: false as const } : {}),
  }));
}

function toldBefore(messages: NonNullable<Args["messages"]>, index: number): readonly string[] {
  const own = messages[index];
  return Array.isArray(own) ? own : messages.filter((one) => typeof one === "string");
}

/** Returns the fields of a spec beside its task; a helper that goes on with another one's work has those of that one. */
function ownOf(definition: AgentDefinition | undefined, looking: readonly string[] | undefined): Partial<ChildSpec> {
  const tools = toolsOf(definition, looking);
  if (definition === undefined) return { tools };
  const { prompt: instructions, model, maxSteps, maxCost } = definition;
  return {
    ...{ tools, instructions },
    ...(model === undefined ? {} : { model }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxCost === undefined ? {} : { maxCost }),
  };
}

/** No more than its own definition lets it have. */
function toolsOf(definition: AgentDefinition | undefined, looking: readonly string[] | undefined): string[] {
  const own = definition?.tools ?? [];
  if (looking === undefined) return [...own, ...never];
  const both = looking.filter((name) => isNamed(own, name));
  // Without a name it would be all others.
  return both.length === 0 ? ["!*"] : both;
}

/** @throws what `ctx.runChild` rejects with, once none works any more */
async function runAll(specs: readonly ChildSpec[], { runChild }: ToolContext): Promise<ChildEnd[]> {
  if (runChild === undefined) throw new ToolRefusal("INVALID_ARGUMENT", "helpers cannot work here: do it yourself");
  const ends = specs.map((spec) => runChild(spec));
  await Promise.allSettled(ends);
  return Promise.all(ends);
}
