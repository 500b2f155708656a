import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { interleave, runToEnd, spreadOf } from "./measure.ts";
import { type Row, ratioRow } from "./row.ts";
import { measureIdle, measureStart, startListener } from "./screen.ts";
import { agentPath, makeWorkspace, startModelServer, type World } from "./world.ts";

const node = process.execPath;
/** In the agent's own environment: whoever runs the bench may have put settings for node into theirs. */
const empty = (env: NodeJS.ProcessEnv) => async (): Promise<number> => (await runToEnd(node, ["-e", "0"], { env })).ms;

/** `--version` and `--help` beside a node that does nothing. */
export async function benchFlags({ env, folder }: World): Promise<Row[]> {
  const options = { env: env("http://127.0.0.1:9/v1", join(folder, "flags")) };
  const agent = (flag: string) => async () => (await runToEnd(node, [agentPath, flag], options)).ms;
  const spread = await interleave(
    { empty: empty(options.env), version: agent("--version"), help: agent("--help") },
    15,
  );
  const beside = { what: "node -e 0", spread: spread.empty };
  return [ratioRow("agent --version", spread.version, beside, 1.5), ratioRow("agent --help", spread.help, beside, 2)];
}

/** The chat in a pseudo-terminal: its prompt, and the first request of a message typed at once. */
export async function benchChat({ env, folder }: World): Promise<Row[]> {
  const workspace = makeWorkspace(join(folder, "chat"), 3);
  const listener = await startListener();
  const home = join(folder, "chat-home");
  try {
    const requests: number[] = [];
    const spread = await interleave(
      {
        empty: empty(env(listener.baseUrl, home)),
        prompt: async () => {
          const start = await measureStart(env(listener.baseUrl, home), workspace, listener.asked());
          requests.push(start.requestMs);
          return start.promptMs;
        },
      },
      11,
    );
    const request = spreadOf(requests.slice(1));
    const beside = { what: "node -e 0", spread: spread.empty };
    return [
      ratioRow("chat: prompt on the screen", spread.prompt, beside, 2),
      ratioRow("chat: first request of a message typed at once", request, beside, 9),
    ];
  } finally {
    listener.close();
  }
}

/** Memory of the chat before the first message. */
export async function benchIdle({ env, folder }: World): Promise<Row[]> {
  const workspace = makeWorkspace(join(folder, "idle"), 3);
  const settings = env("http://127.0.0.1:9/v1", join(folder, "idle-home"));
  const seen: number[] = [];
  for (let i = 0; i < 3; i += 1) seen.push(await measureIdle(settings, workspace));
  const mb = seen.sort((a, b) => a - b)[1] ?? Number.NaN;
  return [
    {
      what: "chat: memory before the first message",
      figure: `${mb.toFixed(0)} MB`,
      beside: "",
      aim: "<= 105 MB",
      kept: mb <= 105,
    },
  ];
}

/** `agent run` from the checkout: the model asks for one file, gets it, answers. */
export const benchStep = async (world: World): Promise<Row[]> => [
  await measureStep(world, { what: "agent run, one step", program: agentPath, most: 10 }),
];

interface Step {
  what: string;
  /** Path of the command's program. */
  program: string;
  /** So many times what an empty node takes. */
  most: number;
}

export async function measureStep({ env, folder }: World, { what, program, most }: Step): Promise<Row> {
  const workspace = makeWorkspace(join(folder, "step"), 3);
  const server = await startModelServer(1, 3);
  const home = join(folder, "step-home");
  mkdirSync(home, { recursive: true });
  const settings = { env: env(server.baseUrl, home), cwd: workspace };
  try {
    const run = async () =>
      (await runToEnd(node, [program, "run", "-m", "openai:bench", "--json", "Read the file."], settings)).ms;
    const spread = await interleave({ empty: empty(settings.env), run }, 15);
    return ratioRow(what, spread.run, { what: "node -e 0", spread: spread.empty }, most);
  } finally {
    server.close();
  }
}
