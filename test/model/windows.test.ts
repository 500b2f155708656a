import { HumanMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { openModel } from "../../src/model/open-model.ts";
import type { Model } from "../../src/model/port.ts";
import { SilentCuts, windowIn } from "../../src/model/window-corrections.ts";
import { asRequest, hear } from "../support/collect.ts";
import { type Answer, type ModelServer, type ServerOptions, says, startModelServer } from "../support/model-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answers: Answer[], options: ServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(answers, options);
  closers.push(server.close);
  return server;
}

const open = (name: string, server: ModelServer, contextWindow?: number): Promise<Model> =>
  openModel(`${name}:test-model`, {
    env: {},
    servers: { [name]: { baseUrl: server.url } },
    ...(contextWindow === undefined ? {} : { models: { [`${name}:*`]: { contextWindow } } }),
    clock: { sleep: async () => undefined },
  });

const noticesOf = async (model: Model, characters = 10): Promise<string[]> => {
  const { events } = await hear(model, asRequest([new HumanMessage("x".repeat(characters))]));
  return events.flatMap((event) => (event.type === "notice" ? [`${event.code}: ${event.text}`] : []));
};

describe("how much a model of Ollama reads", () => {
  const show = {
    parameters: 'stop   "x"\nnum_ctx                        8192',
    model_info: { "llama.context_length": 131072 },
  };
  it.each<[string, Record<string, JsonObject>, number]>([
    ["as it is loaded", { ps: { models: [{ name: "test-model:latest", context_length: 4096 }] }, show }, 4096],
    ["as it is set", { ps: { models: [{ name: "other", context_length: 4096 }] }, show }, 8192],
    ["as it could", { show: { model_info: { "llama.context_length": 131072 } } }, 131072],
    ["else what is common", {}, 128_000],
    ["of answers that are none", { ps: { models: "x" }, show: { parameters: 7, model_info: [] } }, 128_000],
  ])("is known %s", async (_, api, window) => {
    const server = await serve([says("a"), says("b")], { models: ["test-model"], api });
    const model = await open("ollama", server);
    const notices = await noticesOf(model);
    expect([model.contextWindow, notices.length]).toEqual([window, window === 128_000 ? 1 : 0]);
    await noticesOf(model);
    expect(server.lists.map(({ path }) => path).toSorted()).toEqual(["/api/ps", "/api/show", "/v1/models"]);
  });

  it("is asked for with the key of a server that wants one", async () => {
    const server = await serve([says("a")], { models: ["test-model"], api: { show }, key: "k" });
    const model = await openModel("ollama:test-model", {
      env: { MY_KEY: "k" },
      servers: { ollama: { baseUrl: server.url, apiKeyEnv: "MY_KEY" } },
    });
    await noticesOf(model);
    expect(model.contextWindow).toBe(8192);
  });

  it("is asked for under another name too, where its list shows that it is Ollama, and of no other server", async () => {
    const api = { show };
    const own = await serve([says("a")], { models: [{ id: "test-model", owned_by: "library" }], api });
    const model = await open("mine", own);
    await noticesOf(model);
    expect(model.contextWindow).toBe(8192);
    const other = await serve([says("a")], { models: ["test-model"], api });
    await noticesOf(await open("mine", other));
    expect(other.lists.map(({ path }) => path)).toEqual(["/v1/models"]);
  });
});

it.each([
  ["This model's maximum context length is 8192 tokens. However, you requested 9001 tokens", 8192],
  ["the request exceeds the available context size (4096 tokens), try increasing it", 4096],
  ["prompt is too long: 210,000 tokens > 200,000 maximum", 200_000],
  ["Input tokens exceed the configured limit of 272000 tokens", 272_000],
  ["Trying to keep the first 5000 tokens when context window overflows: n_ctx: 4096", 4096],
  ["Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768],
  ["The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["no longer fits the model's context window (400 the available context size (4096 tokens))", 4096],
  ["no longer fits the model's context window (413 too long)", undefined],
  ["context length 12", undefined],
  ["too long", undefined],
])("a refusal says what fits: %s", (said, tokens) => {
  expect(windowIn(said)).toBe(tokens);
});

describe("a refusal for length corrects the window", () => {
  const refuses = (message: string): Answer => ({
    status: 400,
    body: { error: { message, code: "context_length_exceeded" } },
  });

  it("by the number of its own words, not by the status beside them", async () => {
    const refusal = refuses("the request exceeds the available context size (4096 tokens), try increasing it");
    const model = await open("mine", await serve([refusal]), 100_000);
    expect(await noticesOf(model)).toEqual([expect.stringContaining("mine:test-model reads 4,096 tokens: ")]);
  });

  it("but not to nothing, of a request that cannot be too long", async () => {
    const model = await open("mine", await serve([refuses("too long")]), 100_000);
    expect([await noticesOf(model), model.contextWindow]).toEqual([[], 100_000]);
  });

  it.each([undefined, 100_000])("that was taken for %s, once and for all that follows", async (known) => {
    const refusal = refuses("This model's maximum context length is 8192 tokens.");
    const server = await serve([refusal, refusal, says("a")], { models: [] });
    const model = await open("mine", server, known);
    const heard = await hear(model, asRequest("hi"));
    expect(heard.failure).toMatchObject({ kind: "context_full" });
    expect(heard.events).toEqual([
      {
        type: "notice",
        code: "window_corrected",
        text: "mine:test-model reads 8,192 tokens: its server said so when it refused a longer request",
      },
    ]);
    expect([model.contextWindow, model.windowAssumed]).toEqual([8192, false]);
    expect(await noticesOf(model)).toEqual([]);
    expect(await noticesOf(model)).toEqual([]);
  });

  it("also where it names no number: to less than what was refused", async () => {
    const model = await open("mine", await serve([refuses("too long")]), 100_000);
    expect((await noticesOf(model, 40_000))[0]).toMatch(
      /^window_corrected: mine:test-model reads about 9,000 tokens: its server refused/,
    );
    expect([model.contextWindow, model.windowAssumed]).toEqual([9_000, true]);
  });

  it("but never to more, and no other failure does", async () => {
    const larger = refuses("maximum context length is 200000 tokens");
    const model = await open(
      "mine",
      await serve([larger, { status: 400, body: { error: { message: "no" } } }]),
      100_000,
    );
    expect([await noticesOf(model), await noticesOf(model), model.contextWindow]).toEqual([[], [], 100_000]);
  });
});

describe("figures of use that no longer grow", () => {
  it("correct the window, and what to set is named", async () => {
    const used = (input: number) => says("a", { usage: { input, output: 1 } });
    const model = await open("mine", await serve([2_500, 4_000, 4_050, 3_900].map(used)), 100_000);
    expect(await noticesOf(model, 10_000)).toEqual([]);
    expect(await noticesOf(model, 16_000)).toEqual([]);
    expect(await noticesOf(model, 24_000)).toEqual([]);
    expect((await noticesOf(model, 25_000))[0]).toMatch(
      /^window_corrected: mine:test-model reads about 4,000 tokens: .*without a word.*num_ctx.*OLLAMA_CONTEXT_LENGTH/,
    );
    expect([model.contextWindow, model.windowAssumed]).toEqual([4_000, true]);
  });

  it.each<[string, [rough: number, told: number][], number | undefined]>([
    [
      "as requests grow",
      [
        [2_000, 2_100],
        [4_000, 4_300],
        [8_000, 8_500],
      ],
      undefined,
    ],
    [
      "where the request grew by little",
      [
        [4_000, 4_100],
        [4_800, 4_100],
      ],
      undefined,
    ],
    [
      "where only what was not in the cache is counted",
      [
        [4_000, 4_100],
        [8_000, 300],
      ],
      undefined,
    ],
    [
      "after the talk was cut",
      [
        [8_000, 8_100],
        [3_000, 3_100],
        [5_000, 5_100],
      ],
      undefined,
    ],
    [
      "of a talk that is dense",
      [
        [1_000, 2_300],
        [2_000, 4_600],
      ],
      undefined,
    ],
    [
      "that stand still",
      [
        [4_000, 4_000],
        [6_000, 4_010],
        [6_100, 3_500],
      ],
      4_000,
    ],
    [
      "once, of what was not in the cache",
      [
        [4_000, 4_000],
        [8_000, 4_000],
        [8_200, 200],
        [12_200, 4_000],
      ],
      undefined,
    ],
    [
      "of another talk, whose text takes fewer",
      [
        [4_000, 5_000],
        [600, 650],
        [5_300, 4_900],
        [5_500, 5_050],
      ],
      undefined,
    ],
    ["at a window's own number, in the first request", [[7_000, 4_096]], 4_096],
    [
      "by little and little, as they grow by little",
      Array.from({ length: 40 }, (_, i): [number, number] => [4_000 + i * 40, 4_000 + i * 40]),
      undefined,
    ],
    ["at such a number of a request that is no longer", [[4_200, 4_096]], undefined],
    [
      "of small requests",
      [
        [500, 500],
        [900, 500],
      ],
      undefined,
    ],
  ])("are seen %s", (_, requests, window) => {
    const cuts = new SilentCuts();
    const seen = requests.map(([rough, inputTokens]) => cuts.see(rough, { inputTokens, outputTokens: 1 }));
    expect(seen.at(-1)).toBe(window);
    expect(seen.slice(0, -1).every((one) => one === undefined)).toBe(true);
  });
});
