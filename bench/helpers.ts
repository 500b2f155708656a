import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../src/index.ts";
import type { Model, ModelReply } from "../src/model/port.ts";
import { interleave, type Spread } from "./measure.ts";
import type { Row } from "./row.ts";
import type { World } from "./world.ts";

const helpers = 50;
const steps = 100;
const rounds = 5;

const inLists = Array.from({ length: helpers / 10 }, () => Array.from({ length: 10 }, () => "look"));

/** Asks for helpers in its first turn, where it is to have some, and for a listing a step in its second. @param asked gets the time of each request */
function modelWith(hasHelpers: boolean, asked: number[]): Model {
  const reply = (text: string, ...calls: [name: string, args: object][]): ModelReply => ({
    text,
    calls: calls.map(([name, args], i) => ({ id: `x${i}`, name, rawArguments: JSON.stringify(args) })),
    finish: calls.length === 0 ? "stop" : "tool_calls",
  });
  const answer = (said: readonly string[], spoken: number): ModelReply => {
    const [first, second] = said;
    if (first === "look") return reply("Looked.");
    if (second === undefined)
      return hasHelpers && spoken === 0
        ? reply("", ...inLists.map((task): [string, object] => ["agent", { task }]))
        : reply("Begun.");
    asked.push(performance.now());
    return asked.length <= steps ? reply("", ["ls", {}]) : reply("Done.");
  };
  return {
    spec: "bench",
    async *stream({ messages }) {
      const said = messages.filter((one) => one.getType() === "human").map(({ content }) => String(content));
      yield { type: "done", reply: answer(said, messages.filter((one) => one.getType() === "ai").length) };
    },
  };
}

/** Milliseconds of a step of the second turn, on average. */
async function stepOf(folder: string, hasHelpers: boolean): Promise<number> {
  const workspace = join(folder, "work");
  await mkdir(workspace, { recursive: true });
  const asked: number[] = [];
  const model = modelWith(hasHelpers, asked);
  const agent = createAgent({ workspace, model, store: join(folder, "agent.db"), maxSteps: 1000 });
  try {
    const session = agent.start();
    let begun = 0;
    const heard = (async () => {
      for await (const { type, parent } of session.events())
        if (type === "session_started" && parent !== undefined) begun += 1;
    })();
    await session.submit("begin");
    await session.settled();
    await session.submit("go on");
    await session.settled();
    await session.close();
    await heard;
    if (begun !== (hasHelpers ? helpers : 0)) throw new Error(`${begun} helpers were begun`);
    return ((asked.at(-1) ?? 0) - (asked[0] ?? 0)) / steps;
  } finally {
    await agent.close();
    await rm(folder, { recursive: true });
  }
}

/** What fifty helpers that have ended cost a step of their session, beside a session that has none. */
export async function benchHelpers({ folder }: World): Promise<Row[]> {
  const at = join(folder, "helpers");
  const { mine, bare } = await interleave({ bare: () => stepOf(at, false), mine: () => stepOf(at, true) }, rounds);
  const fine = (value: number): string => `${value.toFixed(2)} ms`;
  const told = ({ min, median }: Spread): string => `${fine(min)} (${fine(median)})`;
  const beside = `with none ${told(bare)}`;
  const kept = mine.median - bare.median <= 2;
  const what = `a step of a session with ${helpers} helpers`;
  return [{ what, figure: told(mine), beside, ratio: mine.min / bare.min, aim: "<= 2 ms more", kept }];
}
