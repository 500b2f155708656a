import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, test } from "vitest";
import { openOpenAI } from "../../src/model/openai.ts";
import type { Model } from "../../src/model/port.ts";
import { asRequest, hear, replyOf, typesOf } from "../support/collect.ts";
import { type Answer, asks, type ModelServer, says, startModelServer } from "../support/model-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(...answers: Answer[]): Promise<ModelServer> {
  const server = await startModelServer(answers);
  closers.push(server.close);
  return server;
}

interface Setup {
  server: ModelServer;
  model: Model;
  waits: number[];
}

/** A model at a server that gives these answers, whose waits are only noted. */
async function setUp(
  answers: Answer[],
  more: { idleMs?: number; graceMs?: number; key?: string } = {},
): Promise<Setup> {
  const server = await serve(...answers);
  const waits: number[] = [];
  const { key, ...options } = more;
  const model = openOpenAI({
    model: "test-model",
    env: { OPENAI_BASE_URL: server.url, ...(key === undefined ? {} : { OPENAI_API_KEY: key }) },
    clock: {
      sleep: async (ms) => void waits.push(ms),
      random: () => 0.5,
      now: () => Date.parse("2026-01-01T00:00:00Z"),
    },
    ...options,
  });
  return { server, model, waits };
}

const ls = { name: "ls", description: "Lists a folder", parameters: { type: "object", properties: {} } };

describe("a whole reply", () => {
  test("its text comes in pieces and at the end once whole, with the figures of use", async () => {
    const { model, server } = await setUp([says("Hello, world", { chunks: 4, usage: { input: 20, output: 3 } })]);
    const heard = await hear(model, asRequest("hi"));
    expect(typesOf(heard)).toEqual(["text", "text", "text", "text", "done"]);
    expect(heard.text).toBe("Hello, world");
    expect(replyOf(heard)).toEqual({
      text: "Hello, world",
      calls: [],
      finish: "stop",
      usage: { inputTokens: 20, outputTokens: 3 },
    });
    expect(server.violations).toEqual([]);
  });

  test("its calls keep the arguments as the model wrote them, valid or not", async () => {
    const { model } = await setUp([
      asks("ls", '{"path": "a" ', {
        text: "Looking.",
        calls: [{ name: "grep", arguments: { pattern: "x" }, id: "g1" }],
      }),
    ]);
    const heard = await hear(model, asRequest("hi", { tools: [ls] }));
    expect(replyOf(heard)).toMatchObject({
      text: "Looking.",
      finish: "tool_calls",
      calls: [
        { id: "call_1", name: "ls", rawArguments: '{"path": "a" ' },
        { id: "g1", name: "grep", rawArguments: '{"pattern":"x"}' },
      ],
    });
    const first = heard.events.find((event) => event.type === "call");
    expect(first).toEqual({ type: "call", index: 0, id: "call_1", name: "ls", argumentsDelta: "" });
  });

  test("its thoughts come apart from its text and are not in the reply", async () => {
    const { model } = await setUp([says("42", { thought: "six times seven", chunks: 1 })]);
    const heard = await hear(model, asRequest("hi"));
    expect(heard.events.slice(0, 2)).toEqual([
      { type: "thought", text: "six times seven" },
      { type: "text", text: "42" },
    ]);
    expect(replyOf(heard).text).toBe("42");
  });

  test("the request carries the history with each call answered, tools and the choice", async () => {
    const { model, server } = await setUp([says("done"), says("again")]);
    const messages = [
      new SystemMessage("Be brief."),
      new HumanMessage("Wie heißt 水?"),
      new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "ls", args: { path: "ä" } }] }),
      new ToolMessage({ content: "(no output)", tool_call_id: "c1" }),
    ];
    await hear(model, asRequest(messages, { tools: [ls], toolChoice: "required" }));
    await hear(model, asRequest([...messages, new AIMessage("done"), new HumanMessage("more")]));
    expect(server.violations).toEqual([]);
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first).toMatchObject({
      model: "test-model",
      stream: true,
      stream_options: { include_usage: true },
      tool_choice: "required",
      tools: [{ type: "function", function: ls }],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Wie heißt 水?" },
        {
          role: "assistant",
          tool_calls: [{ id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"ä"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "(no output)" },
      ],
    });
    expect(second).not.toHaveProperty("tools");
    expect(second).not.toHaveProperty("tool_choice");
    expect(second?.messages).toHaveLength(6);
  });

  test("a quarter of a megabyte of arguments in two thousand pieces arrives whole", async () => {
    const content = "line of text\n".repeat(20_000);
    const { model } = await setUp([asks("write_file", { content }, { chunks: 2000 })]);
    const reply = replyOf(await hear(model, asRequest("hi", { tools: [ls] })));
    expect(JSON.parse(reply.calls[0]?.rawArguments ?? "")).toEqual({ content });
  });
});

describe("quirks of servers", () => {
  const two = {
    calls: [
      { name: "ls", arguments: { path: "a" } },
      { name: "ls", arguments: { path: "b" } },
    ],
  };
  const both = [
    { name: "ls", rawArguments: '{"path":"a"}' },
    { name: "ls", rawArguments: '{"path":"b"}' },
  ];
  test.each([
    ["finish reason stop with calls", { ...two, finish: "stop" }],
    ["finish reason function_call", { ...two, finish: "function_call" }],
    ["no index", { ...two, noIndex: true }],
    ["no index and no ids", { ...two, noIndex: true, emptyIds: true }],
    ["whole calls in one piece, without index or id", { ...two, noIndex: true, emptyIds: true, wholeCalls: true }],
    ["empty ids", { ...two, emptyIds: true }],
    ["an id in every piece", { ...two, repeatIds: true }],
    ["an id in every piece and no index", { ...two, repeatIds: true, noIndex: true }],
    ["no role", { ...two, noRole: true }],
    ["no [DONE]", { ...two, noDone: true }],
    ["one id for both calls", { calls: two.calls.map((call) => ({ ...call, id: "same" })) }],
    [
      "one id for both calls, whole and without an index",
      { calls: two.calls.map((call) => ({ ...call, id: "same" })), wholeCalls: true, noIndex: true },
    ],
  ])("%s", async (_, reply) => {
    const { model } = await setUp([reply]);
    const { calls } = replyOf(await hear(model, asRequest("hi", { tools: [ls] })));
    expect(calls.map(({ name, rawArguments }) => ({ name, rawArguments }))).toEqual(both);
  });

  const event = (delta: object, finish: string | null = null): string =>
    JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });

  test("whole calls all under index 0, told apart by their ids", async () => {
    const call = (id: string, path: string): object => ({
      tool_calls: [{ index: 0, id, function: { name: "ls", arguments: JSON.stringify({ path }) } }],
    });
    const { model } = await setUp([
      { events: [event(call("x", "a")), event(call("y", "b")), event({}, "tool_calls")] },
    ]);
    const { calls } = replyOf(await hear(model, asRequest("hi", { tools: [ls] })));
    expect(calls).toEqual([
      { id: "x", name: "ls", rawArguments: '{"path":"a"}' },
      { id: "y", name: "ls", rawArguments: '{"path":"b"}' },
    ]);
  });

  test("calls whose later index comes first stand in the order of their indices", async () => {
    const piece = (index: number, more: object): string => event({ tool_calls: [{ index, ...more }] });
    const { model } = await setUp([
      {
        events: [
          piece(1, { id: "second", function: { name: "ls", arguments: '{"path":' } }),
          piece(0, { id: "first", function: { name: "grep", arguments: '{"pattern":' } }),
          piece(1, { function: { arguments: '"b"}' } }),
          piece(0, { function: { arguments: '"a"}' } }),
          event({}, "tool_calls"),
        ],
      },
    ]);
    const { calls } = replyOf(await hear(model, asRequest("hi", { tools: [ls] })));
    expect(calls).toEqual([
      { id: "first", name: "grep", rawArguments: '{"pattern":"a"}' },
      { id: "second", name: "ls", rawArguments: '{"path":"b"}' },
    ]);
  });

  test("arguments that are an object already, text in parts, thoughts under another name", async () => {
    const { model } = await setUp([
      {
        events: [
          event({ role: "", reasoning: "hm" }),
          event({
            content: [
              { type: "thinking", thinking: [{ type: "text", text: "m" }] },
              { type: "text", text: "Hi" },
            ],
          }),
          event({ tool_calls: [{ function: { name: "ls", arguments: { path: "a" } } }] }, "tool_calls"),
        ],
      },
    ]);
    const heard = await hear(model, asRequest("hi", { tools: [ls] }));
    expect(heard.events.filter((each) => each.type === "thought").map(({ text }) => text)).toEqual(["hm", "m"]);
    expect(replyOf(heard)).toMatchObject({ text: "Hi", calls: [{ name: "ls", rawArguments: '{"path":"a"}' }] });
  });

  test("a server that refuses stream_options is asked once more without, and never again with", async () => {
    const refusal = { status: 400, body: { error: { message: "Unrecognized request argument: stream_options" } } };
    const { model, server, waits } = await setUp([refusal, says("one"), says("two")]);
    expect(typesOf(await hear(model, asRequest("hi")))).toEqual(["text", "text", "text", "done"]);
    expect((await hear(model, asRequest("hi"))).text).toBe("two");
    expect(server.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([true, false, false]);
    expect(waits).toEqual([]);
  });

  test("a server that leaves the connection open after the finish reason is not waited for", async () => {
    const { model, server } = await setUp([says("all there", { chunks: 1, hangAfter: 3 })], { graceMs: 1 });
    expect(replyOf(await hear(model, asRequest("hi"))).text).toBe("all there");
    expect(await server.requests[0]?.ended).toBe("hung up");
  });
});

describe("a cut reply", () => {
  const path = "x".repeat(60);
  test.each([
    ["the socket breaks in the middle of the arguments", asks("ls", { path }, { cutAfter: 4 })],
    ["the stream ends in the middle of the arguments", asks("ls", { path }, { endAfter: 4 })],
    ["the stream ends after whole arguments, without a finish reason", asks("ls", { path }, { finish: null })],
    ["the server falls silent", asks("ls", { path }, { hangAfter: 4 })],
    ["the model ran out of tokens", asks("ls", { path }, { finish: "length" })],
    ["the provider's filter stopped it", says("Once upon", { finish: "content_filter" })],
    ["an event is not JSON", { events: ['{"choices":[{"index":0,"delta":{"content":"a"}}]}', '{"choi'] }],
    ["calls were announced and none came", { finish: "tool_calls" }],
  ])("%s: cut, never done, never asked again", async (_, reply) => {
    const { model, server, waits } = await setUp([reply, says("must not be asked for")], {
      // Long enough that only this server's silence is one, on a busy machine too.
      ...("hangAfter" in reply ? { idleMs: 3_000 } : {}),
    });
    const heard = await hear(model, asRequest("hi", { tools: [ls] }));
    expect(heard.failure?.kind).toBe("cut");
    expect(typesOf(heard)).not.toContain("done");
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test("the limit of tokens is said in words", async () => {
    const { model } = await setUp([says("Once", { finish: "length" })]);
    const { failure } = await hear(model, asRequest("hi"));
    expect(failure?.message).toBe(
      "The reply was cut off: the model reached its limit of output tokens (finish reason length)",
    );
  });
});

describe("before anything was shown, another try", () => {
  const error = (status: number, message = "busy", headers = {}): Answer => ({
    status,
    headers,
    body: { error: { message } },
  });

  test.each([
    ["429", error(429)],
    ["500", error(500)],
    ["503", error(503)],
    ["529", error(529)],
    ["a socket closed without an answer", { cutAfter: 0 }],
    ["a stream that ends before it says anything", { endAfter: 1 }],
    ["a server that says nothing", { hangAfter: 0 }],
    ["an error told inside the stream", { events: [JSON.stringify({ error: { code: 502, message: "overloaded" } })] }],
  ])("%s", async (_, first) => {
    const silent = "hangAfter" in first;
    const { model, waits } = await setUp([first as Answer, says("there")], silent ? { idleMs: 3_000 } : {});
    const heard = await hear(model, asRequest("hi"));
    expect(heard.events[0]).toMatchObject({ type: "retry", attempt: 2, waitMs: 750 });
    expect(heard.text).toBe("there");
    expect(waits).toEqual([750]);
  });

  test("at most five tries, with growing waits, then unavailable", async () => {
    const { model, server, waits } = await setUp([1, 2, 3, 4, 5, 6].map(() => error(503, "down for repair")));
    const heard = await hear(model, asRequest("hi"));
    expect(server.requests).toHaveLength(5);
    expect(waits).toEqual([750, 1500, 3000, 6000]);
    expect(typesOf(heard)).toEqual(["retry", "retry", "retry", "retry"]);
    expect(heard.failure).toMatchObject({ kind: "unavailable", status: 503 });
    expect(heard.failure?.message).toContain("down for repair");
  });

  test("retry-after is honoured, in seconds, in milliseconds or as a date", async () => {
    const { model, waits } = await setUp([
      error(429, "slow", { "retry-after": "7" }),
      error(429, "slow", { "retry-after-ms": "120" }),
      error(429, "slow", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }),
      error(429, "slow", { "retry-after": "60" }),
      says("there"),
    ]);
    const heard = await hear(model, asRequest("hi"));
    expect(waits).toEqual([7000, 120, 9000, 60_000]);
    expect(heard.events[0]).toEqual({
      type: "retry",
      attempt: 2,
      waitMs: 7000,
      why: "Rate limited by the model server (429 slow)",
    });
    expect(heard.text).toBe("there");
  });

  test.each([
    ["61", "61 s"],
    ["5000", "84 min"],
    ["10800", "3 h"],
    ["12000", "3 h 20 min"],
    ["99999999999999999999", "more than a year"],
  ])("a retry-after of %s s is told and not waited for", async (seconds, told) => {
    const { model, waits, server } = await setUp([error(429, "slow", { "retry-after": seconds }), says("never")]);
    const { failure } = await hear(model, asRequest("hi"));
    expect(failure).toMatchObject({
      kind: "unavailable",
      status: 429,
      message: expect.stringMatching(`; it asks to be left alone for ${told}$`),
      hint: expect.stringContaining(`go on in ${told}`),
    });
    expect([waits, server.requests.length]).toEqual([[], 1]);
  });

  test("a refused connection is tried again, then says where nothing listens", async () => {
    const server = await startModelServer();
    await server.close();
    const model = openOpenAI({
      model: "m",
      env: { OPENAI_BASE_URL: server.url },
      clock: { sleep: async () => undefined },
    });
    const heard = await hear(model, asRequest("hi"));
    expect(typesOf(heard)).toEqual(["retry", "retry", "retry", "retry"]);
    expect(heard.failure?.kind).toBe("unavailable");
    expect(heard.failure?.message).toContain("ECONNREFUSED");
    expect(heard.failure?.hint).toContain(server.url);
  });

  test("a connection that the server closed while it lay idle is replaced without a word", async () => {
    let connections = 0;
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        const more = '{"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}';
        response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${more}\n\ndata: [DONE]\n\n`);
      });
    });
    server.on("connection", (socket) => {
      connections += 1;
      // the second request on the first connection meets a closed door
      let seen = 0;
      if (connections > 1) return;
      socket.prependListener("data", () => {
        seen += 1;
        if (seen > 1) socket.resetAndDestroy();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    closers.push(
      () =>
        new Promise<void>((done) => {
          server.close(() => done());
          server.closeAllConnections();
        }),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = openOpenAI({ model: "m", env: { OPENAI_BASE_URL: url } });
    expect(typesOf(await hear(model, asRequest("hi")))).toEqual(["text", "done"]);
    expect(typesOf(await hear(model, asRequest("hi")))).toEqual(["text", "done"]);
    expect(connections).toBe(2);
  });
});

describe("what stops the turn", () => {
  const refusal = (status: number, message: string, code?: string): Answer => ({
    status,
    body: { error: { message, code } },
  });
  test.each([
    [401, "Incorrect API key provided", undefined, "credentials"],
    [403, "Country not supported", undefined, "credentials"],
    [404, "The model `gpt-9` does not exist", "model_not_found", "refused"],
    [400, "Invalid value for temperature", undefined, "refused"],
    [402, "Insufficient Balance", undefined, "refused"],
    [429, "You exceeded your current quota, please check your plan and billing", "insufficient_quota", "refused"],
    [400, "too long", "context_length_exceeded", "context_full"],
    [400, "This model's maximum context length is 8192 tokens", undefined, "context_full"],
    [400, "the request exceeds the available context size, try increasing it", undefined, "context_full"],
    [413, "prompt is too long: 210000 tokens > 200000 maximum", undefined, "context_full"],
    [500, "Input tokens exceed the configured limit of 272000 tokens", undefined, "context_full"],
  ])("%i %s", async (status, message, code, kind) => {
    const { model, server } = await setUp([refusal(status, message, code)]);
    const { failure, events } = await hear(model, asRequest("hi"));
    expect(failure).toMatchObject({ name: "ModelFailure", kind, status });
    expect(failure?.message).toContain(message);
    expect(events).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test("a wrong key names the variable to set, and the key never shows", async () => {
    const key = "sk-secret-0123456789";
    const { model } = await setUp([refusal(401, `Incorrect API key provided: ${key}`)], { key });
    const { failure } = await hear(model, asRequest("hi"));
    expect(failure?.hint).toContain("OPENAI_API_KEY");
    expect(failure?.message).toContain("provided: ***");
    expect(failure?.message).not.toContain(key);
  });

  test("the key is sent as a bearer token, and a server of one's own needs none", async () => {
    const first = await setUp([says("a")], { key: "sk-test-key" });
    const second = await setUp([says("b")]);
    await hear(first.model, asRequest("hi"));
    await hear(second.model, asRequest("hi"));
    expect(first.server.requests[0]?.headers.authorization).toBe("Bearer sk-test-key");
    expect((await hear(second.model, asRequest("hi"))).failure?.kind).not.toBe("credentials");
  });

  test("OpenAI's own endpoint without a key fails before any request, and offers the demo", () => {
    expect(() => openOpenAI({ model: "gpt-5", env: {} })).toThrowError(
      expect.objectContaining({
        kind: "credentials",
        hint: expect.stringMatching(/OPENAI_API_KEY.*\n.*OPENAI_BASE_URL.*\n.*demo/),
      }),
    );
  });

  test("a base URL that is none is refused", () => {
    expect(() => openOpenAI({ model: "m", env: { OPENAI_BASE_URL: "localhost:11434" } })).toThrowError(
      expect.objectContaining({ kind: "refused", message: expect.stringContaining("localhost:11434") }),
    );
  });

  test.each([
    ["a web page", { status: 200, headers: { "content-type": "text/html" } }, "text/html"],
    ["a redirect", { status: 307, headers: { location: "https://example.invalid/" } }, "redirect (307)"],
  ])("%s in place of a stream says so", async (_, answer, said) => {
    const { model } = await setUp([{ ...answer, events: ["<!doctype html>"] }]);
    const { failure } = await hear(model, asRequest("hi"));
    expect(failure?.kind).toBe("refused");
    expect(failure?.message).toContain(said);
  });

  test("a long body of an error becomes one line", async () => {
    const { model } = await setUp([{ status: 400, body: `first\n\n${"second ".repeat(500)}` }]);
    const { failure } = await hear(model, asRequest("hi"));
    expect(failure?.message).toMatch(/^[^\n]{1,400}$/);
  });
});

describe("stopping", () => {
  test("in the middle of a reply hangs up at once and throws the signal's reason", async () => {
    const { model, server } = await setUp([says("x".repeat(100), { chunks: 100, hangAfter: 3 })]);
    const stop = new AbortController();
    const heard: string[] = [];
    const reason = new Error("the person pressed Esc");
    const run = async (): Promise<void> => {
      for await (const event of model.stream(asRequest("hi"), stop.signal)) {
        heard.push(event.type);
        if (heard.length === 2) stop.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(heard).toEqual(["text", "text"]);
    expect(await server.requests[0]?.ended).toBe("hung up");
  });

  test("before the first byte hangs up too", async () => {
    const stop = new AbortController();
    const { model, server } = await setUp([
      () => {
        stop.abort(new Error("stopped"));
        return { hangAfter: 0 };
      },
    ]);
    const { failure, events } = await hear(model, asRequest("hi"), stop.signal);
    expect(failure?.message).toBe("stopped");
    expect(events).toEqual([]);
    expect(await server.requests[0]?.ended).toBe("hung up");
  });

  test("ends the wait before another try", async () => {
    const server = await serve({ status: 429, headers: { "retry-after": "50" }, body: {} });
    const model = openOpenAI({ model: "m", env: { OPENAI_BASE_URL: server.url } });
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      for await (const event of model.stream(asRequest("hi"), stop.signal)) {
        expect(event).toMatchObject({ type: "retry", waitMs: 50_000 });
        stop.abort(new Error("stopped"));
      }
    };
    await expect(run()).rejects.toThrow("stopped");
    expect(server.requests).toHaveLength(1);
  });

  test("a request that is stopped already asks nobody", async () => {
    const { model, server } = await setUp([says("no")]);
    const { failure } = await hear(model, asRequest("hi"), AbortSignal.abort(new Error("too late")));
    expect(failure?.message).toBe("too late");
    expect(server.requests).toEqual([]);
  });

  test("a reader that leaves early hangs up", async () => {
    const { model, server } = await setUp([says("x".repeat(100), { chunks: 100, hangAfter: 5 })]);
    for await (const event of model.stream(asRequest("hi"), new AbortController().signal)) {
      expect(event.type).toBe("text");
      break;
    }
    expect(await server.requests[0]?.ended).toBe("hung up");
  });
});
