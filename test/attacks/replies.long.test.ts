import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { openOpenAI } from "../../src/model/openai.ts";
import { openPlace } from "../support/cli.ts";
import { asRequest, type Heard, replyOf } from "../support/collect.ts";
import { asks, says } from "../support/model-server.ts";
import { delta, type RawServer, send, startRawServer } from "../support/raw-server.ts";
import { timeOfTheTest } from "../support/time-limit.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Answer = (response: ServerResponse) => Promise<unknown>;

const stream =
  (body: Answer): Answer =>
  async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await body(response);
    response.end();
  };

/** The same for ever, as fast as it is read. */
const endless = (piece: string): Answer =>
  stream(async (response) => {
    while (await send(response, piece));
  });

async function ask(
  answer: Answer,
  more: { noProgressMs?: number; env?: Record<string, string>; onText?: () => void } = {},
): Promise<{ heard: Heard; server: RawServer }> {
  const server = await startRawServer(answer);
  closers.push(server.close);
  const { env = {}, onText, ...options } = more;
  const model = openOpenAI({
    model: "test-model",
    env: { OPENAI_BASE_URL: server.url, ...env },
    clock: { sleep: async () => undefined },
    ...options,
  });
  // what was heard would itself be what fills the memory
  const events: Heard["events"] = [];
  const heard: Heard = { events, text: "" };
  try {
    for await (const event of model.stream(asRequest("hi"), new AbortController().signal)) {
      if (event.type === "done" || event.type === "retry") events.push(event);
      if (event.type === "text") onText?.();
    }
  } catch (error) {
    heard.failure = error as NonNullable<Heard["failure"]>;
  }
  return { heard, server };
}

const piece64k = "x".repeat(64_000);
const call = (fields: object): string => delta({ tool_calls: [fields] });

describe("a reply without an end is cut, and nothing of it is there", () => {
  test.each<[string, string, string]>([
    ["text", delta({ content: piece64k }), "text of one reply"],
    ["thoughts", delta({ reasoning_content: piece64k }), "thoughts"],
    ["text in parts", delta({ content: [{ type: "text", text: piece64k }] }), "text of one reply"],
    [
      "the arguments of one call",
      call({ index: 0, id: "a", function: { name: "ls", arguments: piece64k } }),
      "arguments of one call",
    ],
    [
      "arguments in the old form",
      delta({ function_call: { name: "ls", arguments: piece64k } }),
      "arguments of one call",
    ],
    ["arguments without an index", call({ function: { arguments: piece64k } }), "arguments of one call"],
    ["calls without an index", call({ function: { name: "ls", arguments: "{}" } }), "calls of one reply"],
    ["a name", call({ index: 0, function: { name: piece64k } }), "name or id"],
    ["an id", call({ index: 0, id: piece64k, function: { name: "ls" } }), "name or id"],
    ["one event", piece64k, "one event"],
    ["lines of one event", `data: ${piece64k}\n`, "one event"],
    ["one comment", `: ${piece64k}`, "one event"],
    ["fields that nobody reads", delta({ padding: piece64k }), "stream"],
  ])("%s", async (_, piece, said) => {
    const { heard, server } = await ask(endless(piece));
    expect(heard.failure).toMatchObject({ kind: "cut", message: expect.stringContaining(said) });
    expect(heard.events).toEqual([]);
    expect(server.count()).toBe(1);
  });

  test("more calls than there is room for, each with its own index", async () => {
    let index = 0;
    const { heard } = await ask(
      stream(async (response) => {
        while (
          await send(response, call({ index: index++, id: `c${index}`, function: { name: "ls", arguments: "{}" } }))
        );
      }),
    );
    expect(heard.failure).toMatchObject({ kind: "cut", message: expect.stringContaining("128 calls") });
  });

  test("many calls that are together too large, none of them alone", async () => {
    let index = 0;
    const { heard } = await ask(
      stream(async (response) => {
        const args = JSON.stringify({ text: "x".repeat(900_000) });
        while (
          await send(response, call({ index: index++, id: `c${index}`, function: { name: "ls", arguments: args } }))
        );
      }),
    );
    expect(heard.failure).toMatchObject({ kind: "cut", message: expect.stringContaining("8 MB") });
  });
});

describe("signs of life are no progress", () => {
  test.each<[string, string]>([
    ["empty deltas", delta({})],
    ["empty text", delta({ content: "" })],
    ["pieces of a call that say nothing", call({ index: 0, id: "a", function: { name: "ls", arguments: "" } })],
    ["comments", ": still here\n\n"],
    ["no reply but a status", "HTTP"],
  ])("%s for ever end", async (_, piece) => {
    const { heard } = await ask(
      async (response) => {
        if (piece === "HTTP") {
          for (;;) {
            response.writeProcessing();
            await new Promise((done) => setTimeout(done, 20));
            if (response.destroyed) return;
          }
        }
        response.writeHead(200, { "content-type": "text/event-stream" });
        while (await send(response, piece)) await new Promise((done) => setTimeout(done, 5));
      },
      { noProgressMs: 300 },
    );
    expect(heard.failure).toMatchObject({ kind: "cut", message: expect.stringContaining("said nothing for 0.3 s") });
  });

  test("a slow model that says a little at a time is heard out, however long it takes in all", async () => {
    const time = timeOfTheTest();
    let heardIt = (): void => undefined;
    const { heard } = await ask(
      stream(async (response) => {
        for (let i = 0; i < 10; i += 1) {
          const isHeard = new Promise<void>((resolve) => {
            heardIt = resolve;
          });
          await send(response, delta({ content: "a" }));
          await isHeard;
          await new Promise((resolve) => setImmediate(resolve));
          for (let k = 0; k < 4; k += 1) {
            await send(response, ": still here\n\n");
            time.pass(10_000);
          }
        }
        await send(response, delta({}, "stop"));
      }),
      { noProgressMs: 60_000, onText: () => heardIt() },
    );
    expect(replyOf(heard).text).toBe("aaaaaaaaaa");
  });
});

describe("the body of an answer that is no reply", () => {
  test.each<[string, number, string]>([
    ["an error", 500, "text/plain"],
    ["an error in JSON", 400, "application/json"],
    ["a web page", 200, "text/html"],
    ["JSON in place of a stream", 200, "application/json"],
  ])("%s without an end is told by its beginning", async (_, status, type) => {
    let sent = 0;
    const { heard } = await ask(async (response) => {
      response.writeHead(status, { "content-type": type });
      while (await send(response, piece64k)) sent += piece64k.length;
    });
    expect(heard.failure?.message).toContain("xxxx");
    expect(heard.failure?.message.length).toBeLessThan(500);
    expect(sent).toBeLessThan(100_000_000);
  });

  test("an error that is JSON 30,000 levels deep is still the error that its status says", async () => {
    const { heard } = await ask(async (response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(`{"error":{"message":${"[".repeat(30_000)}${"]".repeat(30_000)}}}`);
    });
    expect(heard.failure).toMatchObject({ kind: "credentials", status: 401 });
  });

  test("what a server says in a few words is told whole", async () => {
    const { heard } = await ask(async (response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "no such parameter: tool_choice" } }));
    });
    expect(heard.failure?.message).toContain("no such parameter: tool_choice");
  });
});

describe("large and odd replies that are honest come whole", () => {
  const text = "äöü 水\n".repeat(100_000);

  test.each<[string, (event: string) => Iterable<string | Uint8Array>]>([
    ["a byte at a time", (event) => Array.from(Buffer.from(event.slice(0, 3000)), (byte) => Uint8Array.of(byte))],
    ["all at once", (event) => [event]],
  ])("%s, with each kind of line end", async (_, cut) => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const { heard } = await ask(
        stream(async (response) => {
          for (const event of [delta({ content: "one " }), delta({ content: "two" }), delta({}, "stop")])
            for (const part of cut(event.replaceAll("\n", end))) await send(response, part);
        }),
      );
      expect(replyOf(heard).text).toBe("one two");
    }
  });

  test("700 kB of text in one event and a call of 900 kB of arguments in small pieces without an index", async () => {
    const args = JSON.stringify({ content: '{}\\"['.repeat(110_000) });
    const { heard } = await ask(
      stream(async (response) => {
        await send(response, delta({ content: text }));
        await send(response, call({ id: "a", function: { name: "write_file", arguments: "" } }));
        let batch = "";
        for (let at = 0; at < args.length; at += 20) {
          batch += call({ function: { arguments: args.slice(at, at + 20) } });
          if (batch.length < 100_000) continue;
          await send(response, batch);
          batch = "";
        }
        await send(response, `${batch}${delta({}, "tool_calls")}`);
      }),
    );
    expect(replyOf(heard)).toEqual({
      text,
      calls: [{ id: "a", name: "write_file", rawArguments: args }],
      finish: "tool_calls",
    });
  });

  test("a name repeated with every piece costs no more with each piece", async () => {
    const args = `{"content":"${"}".repeat(200_000)}"}`;
    const { heard } = await ask(
      stream(async (response) => {
        let all = "";
        for (let at = 0; at < args.length; at += 4)
          all += call({ id: "a", function: { name: "ls", arguments: args.slice(at, at + 4) } });
        await send(response, `${all}${delta({}, "tool_calls")}`);
      }),
    );
    expect(replyOf(heard).calls).toEqual([{ id: "a", name: "ls", rawArguments: args }]);
  });
});

test.each([
  [12.5, 7.5, { inputTokens: 13, outputTokens: 8 }],
  [0, 0, { inputTokens: 0, outputTokens: 0 }],
  [-1, 4, undefined],
  [1e308, 4, undefined],
])("figures of use of %d and %d tokens", async (input, output, usage) => {
  const place = await openPlace([says("Hello.", { usage: { input, output } })]);
  const ran = await place.json(["run", "hi"]);
  expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "Hello." } });
  expect(ran.of("usage").map(({ inputTokens, outputTokens }) => ({ inputTokens, outputTokens }))).toEqual(
    usage === undefined ? [] : [usage],
  );
  expect((await place.json(["resume", ran.session])).code).toBe(0);
});

describe("arguments that are nested too deeply are an error of their call alone", () => {
  const deep = (levels: number): string => `{"path":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const deepObject = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  test.each<[string, string, string]>([
    ["201 levels of lists", "ls", deep(201)],
    ["3,000 levels of lists", "ls", deep(3000)],
    ["50,000 levels of lists", "ls", deep(50_000)],
    ["50,000 levels of objects", "ls", deepObject(50_000)],
    ["50,000 levels as text in text", "ls", JSON.stringify(deep(50_000))],
    ["50,000 levels for a tool that does not exist", "no_such_tool", deep(50_000)],
    ["50,000 levels that do not end", "ls", deep(50_000).slice(0, -20_000)],
  ])("%s", async (_, name, args) => {
    const place = await openPlace([asks(name, args, { calls: [{ name: "ls", arguments: {} }] }), says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", calls: { success: 1, error: 1 } } });
    const ended = ran.of("tool_call").flatMap(({ call: one }) => (one.status === "error" ? [one] : []));
    expect(ended.map((one) => ("errorCode" in one ? one.errorCode : ""))).toEqual([
      name === "ls" ? "INVALID_ARGUMENT" : "UNKNOWN_TOOL",
    ]);
    expect((await place.json(["resume", ran.session])).code).toBe(0);
  });

  test("also where the server sends them parsed", async () => {
    const event = (data: string) =>
      `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":${data}}}]},"finish_reason":"tool_calls"}]}`;
    const place = await openPlace([{ events: [event(deep(50_000)), "[DONE]"] }, says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", calls: { error: 1 } } });
  });

  test("and 150 levels are taken for what they are", async () => {
    const place = await openPlace([asks("ls", deep(150)), says("Done.")]);
    const ran = await place.json(["run", "look"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", calls: { error: 1 } } });
    expect(place.heard(1, -1)).not.toContain("nested");
  });
});

test("the limits are told, each with its reason", async () => {
  const place = await openPlace();
  const told = await place.run(["doctor", "--limits"]);
  expect(told.stdout).toMatch(/^4 MB +text of one reply\n +ten times/);
  const rows = (await place.run(["doctor", "--limits", "--json"])).stdout.trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row) as unknown)).toContainEqual({
    name: "replyCalls",
    what: "calls of one reply",
    most: 128,
    unit: "calls",
    why: expect.stringContaining("a person reads"),
  });
});

test("a process that hears endless text keeps its memory", async () => {
  const server = await startRawServer(endless(delta({ content: piece64k })));
  closers.push(server.close);
  const place = await openPlace();
  const running = place.spawn(["run", "hi", "--json"], {
    env: { OPENAI_BASE_URL: server.url, NODE_OPTIONS: "--max-old-space-size=192" },
  });
  expect(await running.done).toMatchObject({ code: 1, signal: null });
});
