import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleave, runToEnd, type Spread, spreadOf } from "./measure.ts";
import { ms, type Row, ratioRow, times } from "./row.ts";
import { measureStart, startListener } from "./screen.ts";
import { agentPath, makeWorkspace, startModelServer, type World } from "./world.ts";

const files = 100;
const steps = 20;

const toolFile = (name: string): string => `import { defineTool, z } from "holdfast";
export default defineTool({
  name: "${name}",
  description: "Looks something up in the table ${name}.",
  args: z.object({ key: z.string().describe("what to look for"), most: z.number().optional() }),
  effect: "none",
  risk: "low",
  execute: ({ key }) => key,
});
`;

/** Two homes: one whose settings name 100 files of tools, and one without. */
function makeHomes(folder: string): { bare: string; tools: string } {
  const [bare, tools] = [join(folder, "bare-home"), join(folder, "tools-home")];
  mkdirSync(bare, { recursive: true });
  mkdirSync(join(tools, "tools"), { recursive: true });
  const names = Array.from({ length: files }, (_, at) => `look_up_${at}`);
  for (const name of names) writeFileSync(join(tools, "tools", `${name}.mjs`), toolFile(name));
  writeFileSync(join(tools, "config.json"), JSON.stringify({ tools: names.map((name) => `tools/${name}.mjs`) }));
  return { bare, tools };
}

/** What 100 files of tools of one's own cost: the prompt, the first request, each step. */
export async function benchTools(world: World): Promise<Row[]> {
  const folder = join(world.folder, "tools");
  const workspace = makeWorkspace(join(folder, "work"), 3);
  const homes = makeHomes(folder);
  return [...(await startRows(world, workspace, homes)), await stepRow(world, workspace, homes)];
}

type Homes = ReturnType<typeof makeHomes>;

async function startRows({ env }: World, workspace: string, homes: Homes): Promise<Row[]> {
  const listener = await startListener();
  const prompts: Record<keyof Homes, number[]> = { bare: [], tools: [] };
  const request = (name: keyof Homes) => async (): Promise<number> => {
    const start = await measureStart(env(listener.baseUrl, homes[name]), workspace, listener.asked());
    prompts[name].push(start.promptMs);
    return start.requestMs;
  };
  try {
    const spread = await interleave({ bare: request("bare"), tools: request("tools") }, 9);
    const prompt = { what: "without", spread: spreadOf(prompts.bare.slice(1)) };
    return [
      ratioRow(`chat with ${files} tool files: prompt on the screen`, spreadOf(prompts.tools.slice(1)), prompt, 1.1),
      moreRow(`chat with ${files} tool files: first request`, spread, 400),
    ];
  } finally {
    listener.close();
  }
}

function moreRow(what: string, { bare, tools }: Record<keyof Homes, Spread>, mostMs: number): Row {
  const more = tools.min - bare.min;
  return {
    what,
    figure: times(tools),
    beside: `without ${times(bare)}`,
    aim: `<= ${mostMs} ms more`,
    kept: more <= mostMs,
  };
}

/** The time of a run of 20 steps more than of one, shared among them. */
async function stepRow({ env }: World, workspace: string, homes: Homes): Promise<Row> {
  const [few, many] = await Promise.all([startModelServer(1, 3), startModelServer(1 + steps, 3)]);
  const run = (name: keyof Homes, baseUrl: string) => async (): Promise<number> => {
    const argv = [agentPath, "run", "-m", "openai:bench", "--json", "Read the files."];
    return (await runToEnd(process.execPath, argv, { env: env(baseUrl, homes[name]), cwd: workspace })).ms;
  };
  try {
    const spread = await interleave(
      {
        bareFew: run("bare", few.baseUrl),
        toolsFew: run("tools", few.baseUrl),
        bareMany: run("bare", many.baseUrl),
        toolsMany: run("tools", many.baseUrl),
      },
      5,
    );
    const bare = (spread.bareMany.min - spread.bareFew.min) / steps;
    const tools = (spread.toolsMany.min - spread.toolsFew.min) / steps;
    return {
      what: `a step with ${files} tool files`,
      figure: `${tools.toFixed(1)} ms`,
      beside: `without ${bare.toFixed(1)} ms, whole run ${ms(spread.toolsMany.min)}`,
      aim: "<= 3 ms more",
      kept: tools - bare <= 3,
    };
  } finally {
    few.close();
    many.close();
  }
}
