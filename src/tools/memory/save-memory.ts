import { basename } from "node:path";
import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Plan, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { recordedDiff, totalOf } from "../../files/diff/diff-text.ts";
import { lineProblem } from "../use/one-line.ts";
import { changeMemoryFile, type MemoryChange } from "./memory-file.ts";
import { type Memory, memoryLine, safeFact } from "./memory-line.ts";
import { knownAlready, memoriesOf, memorySplice } from "./memory-section.ts";

const longestFact = limits.memoryLength.most;

const args = z.strictObject({
  fact: z
    .string()
    .describe(`What to remember, as one line of at most ${longestFact} characters, understood on its own.`),
  scope: z
    .enum(["project", "everywhere"])
    .default("project")
    .describe(
      "project: told in this workspace only. everywhere: told in all of the person's projects; they are asked.",
    ),
});

type Args = z.infer<typeof args>;

export interface SaveMemoryOptions {
  /** The user's CONTEXT.md, absolute; made when it is missing. Without it every call is refused. */
  memoryFile?: string | undefined;
}

/** The day that a memory is dated with. */
const isoDay = (): string => new Date().toISOString().slice(0, 10);

/**
 * Adds one line under "## Agent Memories", marked with where it comes from; a fact that is told there already is not added again.
 * What is to be told in other projects too a person is asked about each time: whoever can make the agent call this tool could
 * else speak in all of them.
 */
export function createSaveMemoryTool({ memoryFile }: SaveMemoryOptions): Tool {
  const turns = new Map<string, Set<string>>();
  return defineTool({
    name: "save_memory",
    description:
      "Remembers a fact about the project, or about the user's way of working in it, beyond this session, when they ask for it or it is clearly of lasting use. Not for what only this task needs.",
    args,
    risk: "low",
    effect: "store",
    outlasts: true,
    display: {
      en: { name: "Save memory", params: { fact: "Fact", scope: "Told in" } },
      zh: { name: "保存记忆", params: { fact: "事实", scope: "范围" } },
    },
    validate: ({ fact }) => complaint(fact),
    plan: async (given, ctx) => planOf(memoryOf(given, ctx, isoDay()), ctx),
    execute: async (given, ctx) => {
      const wrong = complaint(given.fact);
      if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
      if (memoryFile === undefined)
        throw new ToolRefusal("NOT_FOUND", "there is no memory file here: nothing was saved");
      return save(memoryFile, memoryOf(given, ctx, isoDay()), ctx, turns);
    },
  });
}

function complaint(given: string): string | undefined {
  const wrong = lineProblem("fact", given, longestFact);
  if (wrong !== undefined) return wrong;
  return /^#/.test(given.trim()) ? "the fact must not be a heading: leave out the # before it" : undefined;
}

const memoryOf = ({ fact, scope }: Args, ctx: ToolContext, date: string): Memory => ({
  fact: safeFact(fact.trim()),
  by: "agent",
  date,
  ...(scope === "everywhere" ? {} : { project: ctx.workspace }),
  ...(ctx.sessionId === "" ? {} : { session: ctx.sessionId }),
});

function planOf(memory: Memory, { cwd }: ToolContext): Plan {
  if (memory.project !== undefined) return { summary: `remember in this project: ${memory.fact}`, cwd };
  return {
    summary: `remember everywhere: ${memory.fact}`,
    cwd,
    confirm: "it would be told to the model in every project",
    diff: `+${memoryLine(memory)}\n`,
  };
}

async function save(
  memoryFile: string,
  memory: Memory,
  ctx: ToolContext,
  turns: Map<string, Set<string>>,
): Promise<ToolResult> {
  const { fact } = memory;
  const turn = savedIn(turns, ctx);
  const change = await changeMemoryFile(memoryFile, ctx.signal, (form) => {
    const entries = memoriesOf(form.text);
    if (knownAlready(entries, memory) !== undefined) return undefined;
    if (!turn.has(ctx.callId) && turn.size >= limits.memoriesOfTurn.most)
      throw new ToolRefusal("TOO_LARGE", `${limits.memoriesOfTurn.most} facts were saved in this turn: no more are`);
    if (entries.length >= limits.memories.most)
      throw new ToolRefusal("TOO_LARGE", `there are ${entries.length} memories: the person must remove some first`);
    return [memorySplice(form, memory)];
  });
  if (change === undefined) return { output: `Already remembered: ${fact}`, title: `known already: ${fact}` };
  turn.add(ctx.callId);
  const where = memory.project === undefined ? " everywhere" : "";
  return {
    output: `Remembered: ${fact}`,
    title: `remembered${where}: ${fact}`,
    metadata: { ...metadataOf(change), savedMemory: memoryLine(memory) },
  };
}

function metadataOf({ real, before, after, sha }: MemoryChange) {
  const change = diffOf(before, after, real);
  const recorded = recordedDiff([{ name: basename(real), kind: before === null ? "new" : "modify", ...change }]);
  return { path: real, ...recorded, ...totalOf([change]), sha };
}

/** The calls of this turn that saved something; those of turns before it are forgotten. */
function savedIn(turns: Map<string, Set<string>>, { sessionId, stepId }: ToolContext): Set<string> {
  // a call outside of a session is in no turn
  if (sessionId === "") return new Set();
  const [turn] = stepId.split(".");
  const key = `${sessionId} ${turn}`;
  const known = turns.get(key);
  if (known !== undefined) return known;
  const saved = new Set<string>();
  turns.clear();
  turns.set(key, saved);
  return saved;
}
