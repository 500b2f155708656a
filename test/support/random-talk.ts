import { setImmediate as tick } from "node:timers/promises";
import { compactionAsked, type Model, type ModelEvent, ModelFailure, type RawCall } from "../../src/model/port.ts";
import { openStage, type Stage, toolOf } from "./play.ts";

/** Numbers that only hang on the seed. */
export interface Random {
  below(n: number): number;
  one<T>(of: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  let state = seed;
  const below = (n: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return (((mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ (mixed >>> 14)) >>> 0) % n;
  };
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)] as T };
}

/** A model that talks, calls tools, fails, is cut off and hangs by chance, until it is told to be calm: then it only talks. */
export interface RandomTalk {
  stage: Stage;
  /** The calls that ran, each as often as it did. */
  ran: string[];
  /** What the model was told, request by request: each message as one text. */
  told: string[][];
  calmDown(): void;
}

export async function openRandomTalk(seed: number): Promise<RandomTalk> {
  const random = randomOf(seed);
  const [ran, told]: [string[], string[][]] = [[], []];
  let calmDown = (): void => undefined;
  let isCalm = false;
  const calm = new Promise<void>((resolve) => {
    calmDown = () => {
      isCalm = true;
      resolve();
    };
  });
  const once = (name: string, risk: "low" | "medium", ticks: number) =>
    toolOf(
      name,
      async (_, { callId }) => {
        ran.push(callId);
        for (let i = random.below(ticks); i > 0; i -= 1) await tick();
        return `${name} is done`;
      },
      { effect: "once", risk },
    );
  const broken = toolOf("broken", () => ({ output: "", error: "It failed." }), { effect: "once" });
  const stream: Model["stream"] = async function* (request, signal) {
    if (compactionAsked(request) !== undefined)
      return yield { type: "done", reply: { text: "to count", calls: [], finish: "stop" } };
    told.push(request.messages.map((one) => JSON.stringify([one.getType(), one.content, one.tool_calls])));
    for (let i = random.below(4); i > 0; i -= 1) await tick();
    signal.throwIfAborted();
    yield* reply({ random, signal, calm, kind: isCalm ? "talk" : random.one(kinds) });
  };
  const tools = [once("ring", "low", 1), once("slow", "low", 9), once("pull", "medium", 3), broken];
  const stage = await openStage({
    lines: [],
    tools,
    wrapModel: (model) => ({ spec: model.spec, stream }),
    maxSteps: 6,
  });
  return { stage, ran, told, calmDown: () => calmDown() };
}

const kinds = ["talk", "calls", "calls", "calls", "calls", "fail", "cut", "hang"] as const;

interface Speech {
  random: Random;
  signal: AbortSignal;
  calm: Promise<void>;
  kind: (typeof kinds)[number];
}

async function* reply({ random, signal, calm, kind }: Speech): AsyncGenerator<ModelEvent> {
  if (kind === "fail") throw new ModelFailure(random.one(["unavailable", "refused"] as const), "it failed");
  yield { type: "text", text: "Well" };
  if (kind === "cut") throw new ModelFailure("cut", "it was cut off", { told: true });
  if (kind === "hang") {
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([stopped, calm]);
    signal.throwIfAborted();
  }
  const calls = kind === "calls" ? Array.from({ length: 1 + random.below(3) }, () => callOf(random)) : [];
  yield { type: "done", reply: { text: "Well", calls, finish: calls.length > 0 ? "tool_calls" : "stop" } };
}

function callOf(random: Random): RawCall {
  // So many that two calls never write the same one.
  const file = { file_path: `f-${random.below(2 ** 32 - 1)}.txt`, content: "made\n" };
  const write: [string, object] = ["write_file", file];
  const [name, args] = random.one<[string, object]>([
    ...[write, write, ["pull", {}], ["ring", {}], ["slow", {}], ["broken", {}]],
    ...[
      ["no_such_tool", {}],
      ["write_file", { file_path: 3 }],
      ["ls", {}],
    ],
  ] as [string, object][]);
  return { id: "x", name, rawArguments: JSON.stringify(args) };
}
