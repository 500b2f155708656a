import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, it } from "vitest";
import { allModels, askedServers } from "../../src/model/all-models.ts";
import { entryFor } from "../../src/model/model-entries.ts";
import { type OpenModelOptions, openModel } from "../../src/model/open-model.ts";
import { knownServers, sentBackKey, serverOf } from "../../src/model/servers.ts";
import { asRequest, hear, replyOf, typesOf } from "../support/collect.ts";
import {
  type Answer,
  asks,
  type ModelServer,
  type ServerOptions,
  says,
  startModelServer,
} from "../support/model-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answers: Answer[] = [], options: ServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(answers, options);
  closers.push(async () => {
    await server.close();
    expect(server.violations).toEqual([]);
  });
  return server;
}

const tools = [{ name: "ls", description: "Lists", parameters: { type: "object", properties: {} } }];

type Name = keyof typeof knownServers;
const names = Object.keys(knownServers) as Name[];
const keyOf = (name: Name): string | undefined =>
  (knownServers as Record<Name, { apiKeyEnv?: string }>)[name].apiKeyEnv;

/** A model of the server of this name, which is at this address now. */
function open(name: string, server: ModelServer, more: Partial<OpenModelOptions> = {}) {
  const key = name in knownServers ? keyOf(name as Name) : undefined;
  return openModel(`${name}:test-model`, {
    env: key === undefined ? {} : { [key]: "sk-test" },
    servers: { [name]: { baseUrl: server.url } },
    ...more,
  });
}

/** A turn with a call, its result, and what the person says then. */
const history = (kept: object = {}): BaseMessage[] => [
  new HumanMessage("look"),
  new AIMessage({
    content: "",
    tool_calls: [{ type: "tool_call", id: "c12", name: "ls", args: {} }],
    additional_kwargs: { [sentBackKey]: kept },
  }),
  new ToolMessage({ tool_call_id: "c12", name: "ls", content: "a.txt" }),
  new HumanMessage("and now?"),
];

it("reads the calls of its models itself where it is one of three, and at its own address", async () => {
  const reads = names.filter((name) => serverOf(name, {}, {})?.readsCalls);
  expect(reads).toEqual(["openai", "anthropic", "gemini"]);
  for (const name of reads) {
    const named = { [name]: { baseUrl: knownServers[name].baseUrl, apiKeyEnv: "K" } };
    expect(serverOf(name, named, {})?.readsCalls).toBe(true);
    const slashed = { [name]: { baseUrl: `${knownServers[name].baseUrl}/`.replace("https:", "HTTPS:") } };
    expect(serverOf(name, slashed, {})?.readsCalls).toBe(true);
    const server = await serve([says('[ls(path=".")]')]);
    expect(serverOf(name, { [name]: { baseUrl: server.url } }, {})?.readsCalls).toBe(false);
    const reply = replyOf(await hear(await open(name, server), asRequest("go", { tools })));
    expect(reply).toMatchObject({ textCalls: "Llama in Python", calls: [{ name: "ls" }] });
  }
  expect(serverOf("openai", {}, { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })?.readsCalls).toBe(false);
});

describe.each(names)("%s", (name) => {
  it("is known by its address, speaks, calls tools and goes on after their results", async () => {
    const server = await serve([asks("ls", {}, { text: "I look." }), says("Done.")]);
    const model = await open(name, server);
    expect(knownServers[name].baseUrl).toMatch(/^(https:|http:\/\/127\.0\.0\.1)/);
    const first = await hear(model, asRequest("hi", { tools, toolChoice: "required" }));
    expect(replyOf(first)).toMatchObject({ text: "I look.", calls: [{ name: "ls", rawArguments: "{}" }] });
    expect(replyOf(await hear(model, asRequest(history(), { tools }))).text).toBe("Done.");
    expect([model.spec, model.contextWindow]).toEqual([`${name}:test-model`, 128_000]);
    const { headers, body } = server.requests[0] ?? {};
    expect(headers?.authorization).toBe(keyOf(name) === undefined ? "Bearer none" : "Bearer sk-test");
    expect(body).toMatchObject({ model: "test-model", stream: true });
  });

  it("says which variable its key belongs into", async () => {
    const key = keyOf(name);
    const opened = openModel(`${name}:m`, { env: {} });
    if (key === undefined) expect((await opened).spec).toBe(`${name}:m`);
    else await expect(opened).rejects.toMatchObject({ kind: "credentials", message: `No key: ${key} is not set` });
    const server = await serve([], { key: "another" });
    const { failure } = await hear(await open(name, server), asRequest("hi"));
    expect(failure).toMatchObject({ kind: "credentials", hint: expect.stringContaining(key ?? `servers.${name}`) });
  });
});

describe("what is peculiar to a server", () => {
  const entry = { maxOutput: 500, reasoning: "low", extra: { seed: 7 } } as const;
  const sent = async (name: Name, messages = history()) => {
    const server = await serve([says("x")]);
    const model = await open(name, server, { models: { [`${name}:*`]: entry } });
    await hear(model, asRequest(messages, { tools, toolChoice: "required" }));
    const body = server.requests[0]?.body;
    if (body === undefined) throw new Error("nothing was sent");
    const { model: _model, stream: _stream, messages: said, tools: _tools, ...rest } = body;
    return { said, rest };
  };
  const usage = { stream_options: { include_usage: true } };

  it.each<[Name, object]>([
    ["openai", { max_completion_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
    ["openrouter", { max_tokens: 500, reasoning: { effort: "low" }, tool_choice: "required", ...usage }],
    ["anthropic", { max_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
    ["gemini", { max_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
    ["deepseek", { max_tokens: 500, thinking: { type: "enabled" }, tool_choice: "required", ...usage }],
    ["groq", { max_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
    ["mistral", { max_tokens: 500, reasoning_effort: "low", tool_choice: "any" }],
    ["ollama", { max_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
    ["lmstudio", { max_tokens: 500, reasoning_effort: "low", tool_choice: "required", ...usage }],
  ])("is what %s takes beside the talk", async (name, fields) => {
    expect((await sent(name)).rest).toEqual({ ...fields, seed: 7 });
  });

  it("is nothing in the messages of most of them", async () => {
    const { said } = await sent("groq", history({ thoughts: "Hm.", signatures: [{ a: 1 }] }));
    expect(said.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(JSON.stringify(said)).not.toMatch(/Hm\.|reasoning|extra_content|sent_back/);
    expect(said[1]?.tool_calls).toMatchObject([{ id: "c12" }]);
  });

  it("of mistral are ids of nine characters, and a word of the model between a result and the person", async () => {
    const { said } = await sent("mistral");
    expect(said.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect([said[1]?.tool_calls?.[0]?.id, said[2]?.tool_call_id]).toEqual(["c00000012", "c00000012"]);
  });

  it("of deepseek are thoughts, which it needs back with each message that called tools", async () => {
    const server = await serve([asks("ls", {}, { thought: "I had better look." })]);
    const reply = replyOf(await hear(await open("deepseek", server), asRequest("hi", { tools })));
    expect(reply.sentBack).toEqual({ thoughts: "I had better look." });
    const { said } = await sent("deepseek", history(reply.sentBack));
    expect(said[1]).toMatchObject({ role: "assistant", reasoning_content: "I had better look." });
    expect((await sent("deepseek", history())).said[1]).toMatchObject({ reasoning_content: "" });
  });

  it("of deepseek is nothing of a message without calls: there it refuses thoughts", async () => {
    const server = await serve([says("Hello.", { thought: "A greeting." })]);
    const reply = replyOf(await hear(await open("deepseek", server), asRequest("hi", { tools })));
    expect(reply).not.toHaveProperty("sentBack");
    const kept = { [sentBackKey]: { thoughts: "A greeting." } };
    const words = new AIMessage({ content: "Hello.", additional_kwargs: kept });
    const { said } = await sent("deepseek", [new HumanMessage("hi"), words, new HumanMessage("and?")]);
    expect(said[1]).toEqual({ role: "assistant", content: "Hello." });
  });

  it("of gemini are signatures of calls, and a mark on those that it did not make", async () => {
    const signature = { google: { thought_signature: "abc" } };
    const server = await serve([asks("ls", {}, { signature })]);
    const reply = replyOf(await hear(await open("gemini", server), asRequest("hi", { tools })));
    expect(reply.sentBack).toEqual({ signatures: [signature] });
    expect((await sent("gemini", history(reply.sentBack))).said[1]?.tool_calls).toMatchObject([
      { id: "c12", extra_content: signature },
    ]);
    expect((await sent("gemini", history())).said[1]?.tool_calls).toMatchObject([
      { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
    ]);
  });

  it("is kept of no other server's replies", async () => {
    const server = await serve([asks("ls", {}, { thought: "Hm.", signature: { a: 1 } })]);
    expect(replyOf(await hear(await open("groq", server), asRequest("hi", { tools })))).not.toHaveProperty("sentBack");
  });
});

describe("a server of one's own", () => {
  it("is named with its address and the variable of its key", async () => {
    const server = await serve([says("Hello.")], { key: "sk-mine" });
    const options = {
      env: { MY_KEY: "sk-mine" },
      servers: { mine: { baseUrl: `${server.url}/`, apiKeyEnv: "MY_KEY" } },
    };
    expect((await hear(await openModel("mine:test-model", options), asRequest("hi"))).text).toBe("Hello.");
    await expect(openModel("mine:x", { ...options, env: {} })).rejects.toMatchObject({
      message: "No key: MY_KEY is not set",
    });
    await expect(openModel("other:x", options)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringMatching(/^there is no server "other"; the servers are mine, openai, openrouter, /),
    });
  });

  it("that is down says where it was looked for", async () => {
    const model = await openModel("mine:x", {
      env: {},
      servers: { mine: { baseUrl: "http://127.0.0.1:1/v1" } },
      models: { "mine:x": { contextWindow: 1000 } },
      clock: { sleep: async () => undefined },
    });
    expect((await hear(model, asRequest("hi"))).failure).toMatchObject({
      kind: "unavailable",
      hint: "Nothing listens at http://127.0.0.1:1/v1: is the server running, is servers.mine.baseUrl in config.json right?",
    });
  });
});

describe("an entry for a model", () => {
  const entries = {
    "a:*": { maxOutput: 1 },
    "a:big-*": { maxOutput: 2 },
    "a:big-one": { maxOutput: 3 },
    "*:*-mini": { maxOutput: 4 },
    "a:*b*c*": { maxOutput: 5 },
  };
  it.each([
    ["a:big-one", 3],
    ["a:big-two", 2],
    ["a:small", 1],
    ["b:x-mini", 4],
    ["a:xbxcx", 5],
    ["a:xcxb", 1],
    ["b:x", undefined],
    ["constructor", undefined],
  ])("of %s is the exact one, else the longest pattern: %s", (spec, most) => {
    expect(entryFor(spec, entries).maxOutput).toBe(most);
  });
});

describe("how much a model reads", () => {
  it.each([
    ["context_length", "openrouter"],
    ["context_window", "groq"],
    ["max_context_length", "mistral"],
    ["max_model_len", "mine"],
    ["max_input_tokens", "mine"],
    ["loaded_context_length", "lmstudio"],
  ])("is what the server's list says: %s", async (field, name) => {
    const server = await serve([says("a"), says("b")], { models: ["other", { id: "test-model", [field]: 9000 }] });
    const model = await open(name, server);
    const heard = await hear(model, asRequest("hi"));
    expect([heard.text, typesOf(heard).includes("notice"), model.contextWindow]).toEqual(["a", false, 9000]);
    await hear(model, asRequest("hi"));
    expect(server.lists.map(({ path }) => path)).toEqual([name === "lmstudio" ? "/api/v0/models" : "/v1/models"]);
  });

  it.each([
    ["does not say", { models: ["test-model"] }],
    ["does not know the model", { models: [] }],
  ])("is 128,000 where the server %s, which is told once", async (_why, options) => {
    const server = await serve([says("a"), says("b")], options);
    const model = await open("mine", server);
    const heard = await hear(model, asRequest("hi"));
    expect(heard.events.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        code: "window_assumed",
        text: expect.stringContaining("It is not known how much mine:test-model reads: 128,000 tokens are assumed."),
      },
    ]);
    expect(model.contextWindow).toBe(128_000);
    expect(typesOf(await hear(model, asRequest("hi")))).not.toContain("notice");
  });

  it("is not asked for where the settings say it, or the table of known models", async () => {
    const server = await serve([says("a"), says("b")]);
    const models = { "mine:*": { contextWindow: 5000, vision: true } };
    const said = await open("mine", server, { models });
    const known = await openModel("openai:gpt-4o", { env: { OPENAI_BASE_URL: server.url } });
    for (const model of [said, known]) await hear(model, asRequest("hi"));
    expect([said.contextWindow, said.vision, known.contextWindow, server.lists]).toEqual([5000, true, 128_000, []]);
  });
});

describe("the list of models", () => {
  it("has those of the settings and those of the servers, each once, and says which server gave none", async () => {
    const server = await serve([], { key: "k", models: [{ id: "models/one", context_length: 7 }, "two"] });
    const { models, unlisted } = await allModels({
      env: { MINE: "k", GROQ_API_KEY: "k" },
      servers: {
        mine: { baseUrl: server.url, apiKeyEnv: "MINE" },
        groq: { baseUrl: "http://127.0.0.1:1/v1" },
        ollama: { baseUrl: server.url.replace("/v1", "/nothing") },
      },
      models: { "mine:two": { contextWindow: 9 }, "mine:*": { vision: true }, "openai:gpt-5": {} },
      current: "mine:one",
    });
    expect(models.toSorted((a, b) => (a.model < b.model ? -1 : 1))).toEqual([
      { model: "mine:one", server: "mine", configured: true, current: true, contextWindow: 7, vision: true },
      { model: "mine:two", server: "mine", configured: true, current: false, contextWindow: 9 },
      { model: "openai:gpt-5", server: "openai", configured: true, current: false, contextWindow: 400_000 },
    ]);
    expect(unlisted).toEqual([
      { server: "groq", why: expect.stringContaining("ECONNREFUSED") },
      { server: "ollama", why: "it answered 401" },
    ]);
  });

  it.each<[string, Partial<Parameters<typeof askedServers>[0]>, string[]]>([
    ["nobody, where nothing is configured, whatever listens on this machine", {}, []],
    ["a server with a key", { env: { GROQ_API_KEY: "k", MISTRAL_API_KEY: " " } }, ["groq"]],
    ["a server that is named without more", { servers: { ollama: {}, openai: {} } }, ["ollama", "openai"]],
    ["a server elsewhere", { env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } }, ["openai"]],
    ["the server of the model in use, with its key or without", { current: "ollama:qwen3:8b" }, ["ollama"]],
    ["that server, whose key is missing, too", { current: "groq:x" }, ["groq"]],
    ["the server of a model in the settings", { models: { "lmstudio:*": {}, "groq:x": {} } }, ["lmstudio"]],
    ["no server whose name only begins alike", { current: "ollama2:x", models: { "ollam:x": {} } }, []],
  ])("is asked of %s", (_, known, names) => {
    const asked = askedServers({ env: {}, servers: {}, models: {}, current: undefined, ...known });
    expect(asked.map(({ name }) => name)).toEqual(names);
  });

  it("says of each how much it would read in use, whatever its server says", async () => {
    const server = await serve([], {
      models: [
        { id: "gpt-4o", context_length: 7 },
        { id: "own", context_length: 8 },
      ],
    });
    const windows = async (more: { contextWindow?: number }) => {
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };
      const models = { "openai:said": { contextWindow: 9 } };
      const all = await allModels({ env, servers: {}, models, current: "openai:gpt-4o", ...more });
      return Object.fromEntries(all.models.map(({ model, contextWindow }) => [model, contextWindow]));
    };
    expect(await windows({})).toEqual({ "openai:gpt-4o": 128_000, "openai:said": 9, "openai:own": 8 });
    expect(await windows({ contextWindow: 5 })).toEqual({ "openai:gpt-4o": 5, "openai:said": 9, "openai:own": 5 });
  });

  it("is asked for with the headers that its server wants", async () => {
    const server = await serve([], { key: "k" });
    await allModels({
      env: { ANTHROPIC_API_KEY: "k" },
      servers: { anthropic: { baseUrl: server.url } },
      models: {},
      current: "demo",
    });
    expect(server.lists[0]?.headers).toMatchObject({
      authorization: "Bearer k",
      "x-api-key": "k",
      "anthropic-version": "2023-06-01",
    });
  });
});
