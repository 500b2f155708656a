import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type AgentEvent,
  type AgentOptions,
  type CallProgress,
  createAgent,
  defineTool,
  type JsonObject,
  type Model,
  type ModelEvent,
  ModelFailure,
  type Session,
  type Tool,
  type ToolContext,
  z,
} from "../../src/index.ts";
import { withXmlCalls } from "../../src/model/xml/with-xml-calls.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** One reply: its calls in pieces, each `[name, ...pieces of its arguments]`, and how it ends. */
interface Written {
  calls: [name: string, ...pieces: string[]][];
  /** The stream ends here, in the middle of the reply. */
  fails?: Error;
  before?(): void;
  /** After each piece. */
  between?(at: number): Promise<void>;
}

/** A model that writes these replies, and then says that it is done. */
function writing(...replies: Written[]): Model {
  let request = 0;
  return {
    spec: "the test's",
    async *stream(): AsyncGenerator<ModelEvent> {
      const reply = replies[request];
      request += 1;
      reply?.before?.();
      for (const [index, [name, ...pieces]] of (reply?.calls ?? []).entries())
        for (const [at, argumentsDelta] of pieces.entries()) {
          yield { type: "call", index, argumentsDelta, ...(at === 0 ? { name } : {}) };
          await reply?.between?.(at);
        }
      if (reply?.fails !== undefined) throw reply.fails;
      const calls = (reply?.calls ?? []).map(([name, ...pieces]) => ({ id: "", name, rawArguments: pieces.join("") }));
      yield { type: "done", reply: { text: calls.length === 0 ? "Done." : "", calls, finish: "stop" } };
    },
  };
}

interface Played {
  session: Session;
  events: AgentEvent[];
  /** What `Session.progress` said when each event came. */
  merged: CallProgress[][];
}

async function play(
  model: Model,
  tools: AgentOptions["tools"],
  mode: AgentOptions["mode"] = "full-auto",
): Promise<Played> {
  const agent = createAgent({ workspace: tempTree(), model, ...(tools && { tools }), mode });
  onTestFinished(() => agent.close());
  const session = agent.start();
  const played: Played = { session, events: [], merged: [] };
  void (async () => {
    for await (const event of session.events()) {
      played.events.push(event);
      played.merged.push(session.progress());
    }
  })();
  await session.submit("go");
  await session.settled();
  await new Promise((resolve) => setImmediate(resolve));
  return played;
}

const progressOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => {
    if (event.type !== "tool_progress") return [];
    const { v, seq, at, session, type, ...told } = event;
    return [told];
  });

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

const read = { risk: "low", effect: "none", description: "A tool.", args: z.object({ city: z.string() }) } as const;

/** A class of tools that write down what is asked of each of them. */
function logged(log: string[], more: (ctx: ToolContext) => void = () => undefined): new () => Tool {
  let made = 0;
  return class {
    readonly name = "weather";
    readonly description = "Weather.";
    readonly args = read.args;
    readonly #id = ++made;
    onPartial(partial: JsonObject, ctx: ToolContext): void {
      log.push(`${this.#id} sees ${JSON.stringify(partial)}`);
      more(ctx);
    }
    async plan(_: unknown, { cwd }: ToolContext) {
      if (log.at(-1) !== `${this.#id} plans`) log.push(`${this.#id} plans`);
      return { summary: "weather", cwd };
    }
    execute(args: unknown): string {
      log.push(`${this.#id} runs ${JSON.stringify(args)}`);
      return "sun";
    }
    dispose(): void {
      log.push(`${this.#id} is disposed`);
    }
  };
}

const pieces = ["{", '"city":"Os', 'lo"', "}"] as const;

test("a tool sees its arguments as they come, by the instance that plans and runs the call, and tells of them", async () => {
  const log: string[] = [];
  const tell = (ctx: ToolContext) => ctx.progress({ tip: "looks" });
  // The tool has looked before the next piece comes.
  const between = (at: number) => (at === 1 ? until(() => log.length > 0) : Promise.resolve());
  const { events } = await play(writing({ calls: [["weather", ...pieces]], between }), [logged(log, tell)]);
  expect(log).toEqual([
    '2 sees {"city":"Os"}',
    '2 sees {"city":"Oslo"}',
    "2 plans",
    '2 runs {"city":"Oslo"}',
    "2 is disposed",
  ]);
  const told = progressOf(events);
  expect(told[0]).toEqual({ callId: "c1", phase: "arguments", toolName: "weather", partialArguments: "{" });
  expect(told.map(({ partialArguments = "" }) => partialArguments).join("")).toBe('{"city":"Oslo"}');
  expect(told.filter(({ tip }) => tip !== undefined)).toEqual([{ callId: "c1", phase: "arguments", tip: "looks" }]);
});

describe("a tool that was shown arguments is disposed", () => {
  const disposed = async (reply: Written, mode: AgentOptions["mode"] = "full-auto") => {
    const log: string[] = [];
    const { session, events } = await play(writing(reply), [logged(log)], mode);
    return { log, session, events };
  };
  const call: Written["calls"][number] = ["weather", '{"city":"Oslo"}'];

  test("where the call was denied", async () => {
    const { log, session } = await disposed({ calls: [call] }, "ask");
    expect(log).toEqual(['2 sees {"city":"Oslo"}', "2 plans"]);
    await session.answer({ session: session.id, call: "c1" }, { decision: "deny" });
    await session.settled();
    expect(log.slice(2)).toEqual(["2 is disposed"]);
  });

  test("where its arguments do not fit", async () => {
    const { log } = await disposed({ calls: [["weather", '{"city":"Oslo","country":"Norway"}']] });
    expect(log).toEqual(['2 sees {"city":"Oslo","country":"Norway"}', "2 is disposed"]);
  });

  test("where the reply was cut off, and the next call of its number has another one", async () => {
    const log: string[] = [];
    const cut: Written = { calls: [["weather", '{"city":"Os']], fails: new ModelFailure("cut", "cut off") };
    const { events, merged } = await play(writing(cut, { calls: [call] }), [logged(log)]);
    expect(log).toEqual([
      '2 sees {"city":"Os"}',
      "2 is disposed",
      '3 sees {"city":"Oslo"}',
      "3 plans",
      '3 runs {"city":"Oslo"}',
      "3 is disposed",
    ]);
    expect(events.some(({ type }) => type === "turn_ended")).toBe(true);
    expect(merged.at(-1)).toEqual([]);
  });

  test("where the person stopped the model, and where the model failed", async () => {
    const log: string[] = [];
    const failing = { calls: [["weather", '{"city":"Os']], fails: new ModelFailure("refused", "no") } as Written;
    const stop = async (): Promise<void> => void session.stop();
    const { session } = await play(writing(failing, { ...failing, between: stop }), [logged(log)]);
    expect(log).toEqual(['2 sees {"city":"Os"}', "2 is disposed"]);
    await session.submit("again");
    await session.settled();
    expect(log.slice(2)).toEqual(['3 sees {"city":"Os"}', "3 is disposed"]);
    expect(session.progress()).toEqual([]);
  });
});

test("calls that the server puts into another order in the end are served by their own tools, and none is left over", async () => {
  const log: string[] = [];
  const other = defineTool({ ...read, name: "other", execute: ({ city }) => city });
  const { stream, ...model } = writing({
    calls: [
      ["weather", '{"city":"Oslo"}'],
      ["other", '{"city":"Bergen"}'],
    ],
  });
  const turned: Model = {
    ...model,
    async *stream(request, signal) {
      for await (const event of stream(request, signal))
        yield event.type === "done"
          ? { ...event, reply: { ...event.reply, calls: event.reply.calls.toReversed() } }
          : event;
    },
  };
  await play(turned, [logged(log), other]);
  expect(log).toEqual([
    '2 sees {"city":"Oslo"}',
    "2 is disposed",
    "3 plans",
    '3 runs {"city":"Oslo"}',
    "3 is disposed",
  ]);
});

test("the session has all that was told of a call together, until it is over", async () => {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const tool = defineTool({
    ...{ ...read, name: "fetch" },
    onPartial: ({ city = "" }, ctx) => ctx.progress({ tip: `asks for ${String(city)}` }),
    async execute(_, ctx) {
      ctx.progress({ figure: 0.5 });
      ctx.progress({ text: "line 1\n" });
      await gone;
      return "done";
    },
  });
  const seen: CallProgress[] = [];
  const model = writing({ calls: [["fetch", '{"city":"Os', 'lo"}']] });
  const agent = createAgent({ workspace: tempTree(), model, tools: [tool] });
  onTestFinished(() => agent.close());
  const session = agent.start();
  void session.submit("go");
  for await (const event of session.events()) {
    seen.push(...session.progress());
    if (event.type === "tool_progress" && event.text !== undefined) go();
    if (event.type === "turn_ended") break;
  }
  expect(seen[0]).toMatchObject({
    ...{ session: session.id, callId: "c1", toolName: "fetch", phase: "arguments" },
    partialArguments: { city: expect.stringMatching(/^Os/) },
  });
  expect(seen.at(-1)).toEqual({
    ...{ session: session.id, callId: "c1", toolName: "fetch", phase: "running", status: "executing" },
    ...{ tip: "asks for Oslo", figure: 0.5, text: "line 1\n" },
  });
  expect(session.progress()).toEqual([]);
});

test("what a tool tells is what may be told, each once, and nothing after its end", async () => {
  let late = (): void => undefined;
  const tool = defineTool({
    ...{ ...read, name: "noisy", args: z.object({}) },
    execute(_, ctx) {
      const junk = [
        undefined,
        null,
        7,
        "text",
        { tip: 5n, text: {}, figure: Number.NaN },
        { type: "turn_ended", callId: "c9" },
      ];
      for (const one of junk) ctx.progress(one as never);
      for (let line = 0; line < 100_000; line += 1) ctx.progress({ text: `line ${line}`, tip: "t".repeat(2_000) });
      ctx.progress({ text: `${"x".repeat(10_000_000)}end` });
      late = () => ctx.progress({ tip: "late" });
      return "done";
    },
  });
  const { events } = await play(writing({ calls: [["noisy", "{}"]] }), [tool]);
  late();
  const told = progressOf(events).filter(({ phase }) => phase === "running");
  expect(told.length).toBeLessThan(20);
  expect(told[0]).toEqual({ callId: "c1", phase: "running", text: "line 0", tip: "t".repeat(1_000) });
  expect(told.at(-1)).toEqual({ callId: "c1", phase: "running", text: `${"x".repeat(3_997)}end` });
  const last = events.findLastIndex(({ type }) => type === "tool_progress");
  expect(events[last + 1]).toMatchObject({ type: "tool_call", call: { status: "success" } });
});

test("a tool that throws at arguments that are coming is told of, and runs", async () => {
  let looks = 0;
  const throwing = (name: string, onPartial: () => void | Promise<void>) =>
    defineTool({ ...read, name, onPartial, execute: ({ city }) => city });
  const tools = [
    throwing("throws", () => {
      looks += 1;
      throw new Error("no view");
    }),
    throwing("rejects", async () => Promise.reject("no promise")),
  ];
  const { events } = await play(
    writing({
      calls: [
        ["throws", ...pieces],
        ["rejects", ...pieces],
      ],
    }),
    tools,
  );
  const notices = events.flatMap((event) => (event.type === "notice" ? [[event.code, event.text]] : []));
  expect(notices).toEqual([
    ["partial_failed", "the tool throws failed at arguments that were still coming: no view; the call goes on without"],
    [
      "partial_failed",
      "the tool rejects failed at arguments that were still coming: no promise; the call goes on without",
    ],
  ]);
  expect(looks).toBe(1);
  const outputs = events.flatMap((event) =>
    event.type === "tool_call" && "result" in event.call ? [event.call.result?.output] : [],
  );
  expect(outputs).toEqual(["Oslo", "Oslo"]);
});

test("a megabyte of arguments is shown a bounded number of times, and told once", async () => {
  const text = JSON.stringify({ city: "x".repeat(1_000_000) });
  const parts = text.match(/.{1,1000}/gs) ?? [];
  // Each piece comes when the one before was told: a slow model.
  const between = async (at: number): Promise<void> => {
    vi.advanceTimersByTime(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    if (at === parts.length - 1) vi.useRealTimers();
  };
  const before = (): void => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let [looks, shown] = [0, 0];
  const tool = defineTool({
    ...{ ...read, name: "long" },
    onPartial: ({ city }) => {
      looks += 1;
      shown += String(city).length;
    },
    execute: ({ city }) => String(city.length),
  });
  const { events } = await play(writing({ calls: [["long", ...parts]], before, between }), [tool]);
  expect(looks).toBeGreaterThan(20);
  expect(looks).toBeLessThan(100);
  expect(shown).toBeLessThan(20 * text.length);
  expect(progressOf(events).length).toBeGreaterThan(900);
  expect(progressOf(events).reduce((sum, one) => sum + (one.partialArguments ?? "").length, 0)).toBe(text.length);
});

test("a call written in XML is shown as it comes just as well", async () => {
  const text =
    '<tool_call><name>weather</name><params><days>3</days><city><![CDATA[Oslo & "Bergen"]]></city></params></tool_call>';
  let request = 0;
  const model = withXmlCalls({
    spec: "the test's",
    async *stream(): AsyncGenerator<ModelEvent> {
      request += 1;
      if (request === 1) for (const char of text) yield { type: "text", text: char };
      yield { type: "done", reply: { text: request === 1 ? text : "Done.", calls: [], finish: "stop" } };
    },
  });
  const seen: JsonObject[] = [];
  const tool = defineTool({
    ...{ ...read, name: "weather", args: z.object({ days: z.number(), city: z.string() }) },
    onPartial: (partial) => void seen.push(partial),
    execute: ({ city }) => city,
  });
  const { events } = await play(model, [tool]);
  expect(seen.at(-1)).toEqual({ days: 3, city: 'Oslo & "Bergen"' });
  const told = progressOf(events);
  expect(told[0]).toMatchObject({ callId: "c1", phase: "arguments", toolName: "weather" });
  expect(JSON.parse(told.map(({ partialArguments = "" }) => partialArguments).join(""))).toEqual(seen.at(-1));
});

test("what is shown of the arguments is never what is run", async () => {
  const tool = defineTool({
    ...{ ...read, name: "sly", args: z.object({ cities: z.array(z.string()) }) },
    onPartial: (partial) => void (partial["cities"] as string[]).push("Bergen"),
    execute: ({ cities }) => cities.join(),
  });
  const { events } = await play(writing({ calls: [["sly", '{"cities":["Oslo"', "]}"]] }), [tool]);
  const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.call] : []));
  expect(calls.at(-1)).toMatchObject({ arguments: { cities: ["Oslo"] }, result: { output: "Oslo" } });
});

test("what is hidden from the model is not shown in its words", async () => {
  const seen: JsonObject[] = [];
  const tool = defineTool({
    ...{ ...read, name: "own", args: z.object({ city: z.string(), uid: z.string() }) },
    hidden: ["uid"],
    inject: { uid: "mine" },
    onPartial: (partial) => void seen.push(partial),
    execute: () => "",
  });
  await play(writing({ calls: [["own", '{"city":"Oslo","uid":"theirs"}']] }), [tool]);
  expect(seen).toEqual([{ city: "Oslo" }]);
});
