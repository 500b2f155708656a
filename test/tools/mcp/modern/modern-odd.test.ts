import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskedForm, AskPerson } from "../../../../src/core/forms/asked-form.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { Outcome } from "../../../../src/core/outcome.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { McpServer, type ServerSpec } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../../src/tools/mcp/started-server.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { aliveIn, noteOf } from "../../../support/mcp.ts";
import { timeOfTheTest } from "../../../support/time-limit.ts";

const oddServer = fileURLToPath(new URL("../../../support/odd-server.mjs", import.meta.url));

/** An answer of it: what it says before, then a result or an error, or nothing; then it may end, at once or after so many milliseconds. */
interface OddAnswer {
  says?: (object | string)[];
  result?: unknown;
  error?: object;
  dies?: boolean | number;
}
type Odd = Record<string, OddAnswer[]>;

const tools = { result: { resultType: "complete", tools: [{ name: "go", inputSchema: { type: "object" } }] } };
const done = { result: { resultType: "complete", content: [{ type: "text", text: "done" }] } };
const modern: Odd = {
  "server/discover": [{ result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } }],
  "tools/list": [tools],
};
const initialized = {
  result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "odd" } },
};
const legacy: Odd = { initialize: [initialized], "tools/list": [tools], "tools/call": [done] };
const refuses = (code: number, data?: object): OddAnswer => ({ error: { code, message: "what?", data } });

async function openStage(does: Odd, { person, ...spec }: Partial<ServerSpec> & { person?: AskPerson } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-odd-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [note, file] = [join(folder, "noted"), join(folder, "does")];
  await writeFile(file, JSON.stringify(does));
  const entry = { command: process.execPath, args: [oddServer, note, file], env: {} };
  const started = {
    ...{ entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" } },
    log: openServerLog(join(folder, "log")),
  };
  const server = new McpServer("odd", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    connect: (heard, signal) => startServer(started, heard, signal),
    ...spec,
  });
  onTestFinished(() => server.close());
  const asked: AskedForm[] = [];
  const askPerson: AskPerson = (form, asking) => {
    asked.push(form);
    return person?.(form, asking) ?? Promise.resolve({ action: "accept", content: { a: "said" } });
  };
  const ready = () => server.ready(new AbortController().signal, true);
  const call = async (): Promise<Outcome> => {
    const [definition] = (await ready()).tools.tools;
    if (definition === undefined) throw new Error("no tool");
    return runTool(
      mcpTool({ server, scripts: [] }, definition),
      { x: 1 },
      createToolContext({ workspace: folder, askPerson }),
    );
  };
  const noted = () => noteOf(note);
  const heard = (): { method?: string; params?: JsonObject }[] =>
    noted().flatMap((line) => (line.startsWith("start") ? [] : [JSON.parse(line)]));
  return {
    ...{ server, ready, call, asked, noted, heard },
    methods: () => heard().map(({ method }) => method),
    starts: () => noted().filter((line) => line.startsWith("start")).length,
    calls: () => heard().flatMap(({ method, params = {} }) => (method === "tools/call" ? [params] : [])),
    log: () => readFileSync(join(folder, "log"), "utf8"),
    does: (other: Odd) => writeFile(file, JSON.stringify(other)),
  };
}

const elicits = (message = "What?"): object => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: { a: { type: "string" } } } },
});
const wants = (inputRequests?: unknown, requestState?: unknown, more: OddAnswer = {}): OddAnswer => ({
  result: { resultType: "input_required", inputRequests, requestState },
  ...more,
});
const oldWay = ["server/discover", "initialize", "notifications/initialized", "tools/list"];

describe("a server that does not say that it speaks 2026-07-28", () => {
  it.each<[string, OddAnswer]>([
    ...[-32_601, -32_602, -32_600, -32_000, -32_001, -32_020, -32_021, 0].map((code): [string, OddAnswer] => [
      `refuses by ${code}`,
      refuses(code),
    ]),
    ["names older versions", refuses(-32_022, { supported: ["2025-11-25"] })],
    ["names older versions beside newer ones", refuses(-32_022, { supported: ["2027-01-01", "2025-06-18"] })],
    ["names no versions", refuses(-32_022, { supported: 3 })],
    ["answers nothing", { result: {} }],
    ["answers nonsense", { result: { supportedVersions: "2026-07-28", capabilities: {} } }],
    ["answers what it answers to all", initialized],
    ["answers without capabilities", { result: { supportedVersions: ["2026-07-28"] } }],
    ["speaks newer ones by its answer", { result: { supportedVersions: ["2027-01-01"], capabilities: {} } }],
    ["says junk", { says: ["{not json", "[1,2]"], error: { code: -32_601, message: "no" } }],
    ["is no result and no error", { says: [{ jsonrpc: "2.0", id: 1 }] }],
  ])("is spoken to as ever, in the same process: it %s", async (_, probe) => {
    const stage = await openStage({ ...legacy, "server/discover": [probe] });
    expect(await stage.call()).toMatchObject({ kind: "done", result: { output: "done" } });
    expect(stage.methods()).toEqual([...oldWay, "tools/call"]);
    expect(stage.starts()).toBe(1);
    expect(stage.server.known?.era).toBe("legacy");
    // Just as it always was.
    const [, , , , call] = stage.heard();
    expect(call?.params).toEqual({ name: "go", arguments: { x: 1 }, _meta: { progressToken: expect.any(Number) } });
  });

  it("and ends at the question is started once more, and is not asked it again as long as this process lasts", async () => {
    const stage = await openStage({ ...legacy, "server/discover": [{ dies: true }] });
    const { connection } = await stage.ready();
    expect([stage.starts(), stage.methods()]).toEqual([2, oldWay]);
    await connection.end("the test ends it");
    await stage.ready();
    expect([stage.starts(), stage.methods()]).toEqual([3, [...oldWay, ...oldWay.slice(1)]]);
  });

  it("and ends as it starts is started twice at first, then once each time", async () => {
    const waits: number[] = [];
    const time = { now: () => 0, wait: async (ms: number) => void waits.push(ms) };
    const stage = await openStage({ start: [{ dies: true }] }, { time });
    await expect(stage.ready()).rejects.toThrow("could not be started: it ended by itself (exit code 4)");
    expect(stage.starts()).toBe(2);
    await expect(stage.ready()).rejects.toThrow("could not be started");
    expect([stage.starts(), waits]).toEqual([3, [1_000]]);
  });

  it("and never answers the question is asked to begin after three seconds, by which nothing is cancelled", async () => {
    const time = timeOfTheTest();
    const stage = await openStage({ ...legacy, "server/discover": [{}] });
    const ready = stage.ready();
    await expect.poll(stage.methods).toEqual(["server/discover"]);
    time.pass(3_000);
    await ready;
    expect([stage.starts(), stage.methods()]).toEqual([1, oldWay]);
  });

  it("and is known not to is not asked", async () => {
    const stage = await openStage(legacy, { era: "legacy" });
    await stage.ready();
    expect(stage.methods()).toEqual(oldWay.slice(1));
  });

  it("nor any older one is not spoken to, and that is said", async () => {
    const stage = await openStage({ "server/discover": [refuses(-32_022, { supported: ["2027-01-01"] })] });
    await expect(stage.ready()).rejects.toThrow("it speaks another version of the protocol (2027-01-01)");
    expect(stage.methods()).toEqual(["server/discover"]);
    const { pid } = { pid: aliveIn(stage.noted()) };
    expect(pid).toEqual([]);
  });
});

it("a server that was known as older, and refuses to begin so, is asked whether it speaks the newer way", async () => {
  const stage = await openStage({ ...modern, "tools/call": [done] }, { era: "legacy" });
  expect(await stage.call()).toMatchObject({ kind: "done", result: { output: "done" } });
  expect(stage.methods()).toEqual(["initialize", "server/discover", "tools/list", "tools/call"]);
  expect([stage.starts(), stage.server.known?.era]).toEqual([1, "modern"]);
});

it("a slow one that speaks the newer way alone is had so, though it was asked to begin meanwhile", async () => {
  const time = timeOfTheTest();
  const answer = modern["server/discover"]?.[0]?.result;
  const says = [{ jsonrpc: "2.0", id: 1, result: answer }];
  const stage = await openStage({ ...modern, "server/discover": [{}], initialize: [{ says, ...refuses(-32_601) }] });
  const ready = stage.ready();
  await expect.poll(stage.methods).toEqual(["server/discover"]);
  time.pass(3_000);
  expect((await ready).era).toBe("modern");
  expect(stage.methods()).toEqual(["server/discover", "initialize", "tools/list"]);
});

it("each request to one of 2026-07-28 says what it is of, and of a session there is none", async () => {
  const stage = await openStage({ ...modern, "tools/call": [done] }, { mayAskModel: true });
  await stage.call();
  for (const { params } of stage.heard())
    expect(params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "holdfast", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { roots: {}, elicitation: { form: {} }, sampling: {} },
    });
  expect(stage.methods()).toEqual(["server/discover", "tools/list", "tools/call"]);
});

describe("a call that the server of 2026-07-28 does not go on with", () => {
  const before = "it was not gone on with, and whether it did anything before is not known";

  it("because it wants nothing but to be called again, without end, is called nine times", async () => {
    const stage = await openStage({ ...modern, "tools/call": [wants(undefined, "s")] });
    const outcome = await stage.call();
    expect(outcome).toMatchObject({ kind: "failed", code: "FAILED", message: expect.stringContaining(before) });
    expect(outcome).toMatchObject({ message: expect.stringContaining("8 times, and then once more") });
    expect(stage.calls()).toHaveLength(9);
    expect(stage.calls().map(({ requestState }) => requestState)).toEqual([undefined, ...Array(8).fill("s")]);
  });

  it("because it asks the person without end: five questions are put, and those beyond are declined", async () => {
    const stage = await openStage({ ...modern, "tools/call": [wants({ a: elicits() })] });
    const outcome = await stage.call();
    expect([outcome.kind, stage.asked.length, stage.calls().length]).toEqual(["failed", 5, 9]);
    expect(stage.calls()[8]).toMatchObject({ inputResponses: { a: { action: "decline" } } });
    expect(outcome).toMatchObject({ message: expect.stringContaining("it had asked 5 times in this call") });
  });

  it.each<[string, OddAnswer, string]>([
    ["wants back too much", wants({ a: elicits() }, "é".repeat(32_001)), "more than 64 kB"],
    ["wants back no text", wants({ a: elicits() }, { a: 1 }), "wants back what is no text"],
    [
      "asks too much at once",
      wants(Object.fromEntries(Array.from({ length: 11 }, (_, at) => [at, elicits()]))),
      "10 things",
    ],
    ["wants to know nothing", wants(), "not what"],
    ["wants what is no question", wants({ a: elicits(), b: "x" }), "does not have"],
    ["wants what there is not", wants({ a: elicits(), b: { method: "tools/call" } }), "does not have (tools/call)"],
    ["wants a list", wants([elicits()]), "what cannot be read"],
    ["names a question at length", wants({ ["x".repeat(201)]: elicits() }), "too long a name"],
  ])("because it %s: nobody is asked, and it is not called again", async (_, answer, why) => {
    const stage = await openStage({ ...modern, "tools/call": [answer] });
    expect(await stage.call()).toMatchObject({ kind: "failed", code: "FAILED", message: expect.stringContaining(why) });
    expect([stage.asked.length, stage.calls().length]).toEqual([0, 1]);
  });

  it("because it asks the model, which its settings do not let it", async () => {
    const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
    const stage = await openStage({ ...modern, "tools/call": [wants({ a: sampling })] });
    expect(await stage.call()).toMatchObject({ kind: "failed", message: expect.stringContaining("its model") });
    expect(stage.calls()).toHaveLength(1);
  });
});

it("a server may want to know something else each time: each is put, and told with what it was asked for alone", async () => {
  const first = wants({ a: elicits("One?"), where: { method: "roots/list" } }, "one");
  const second = wants({ b: elicits("Two?") });
  const stage = await openStage({ ...modern, "tools/call": [first, second, done] });
  const outcome = await stage.call();
  expect(outcome).toMatchObject({ kind: "done", result: { output: expect.stringMatching(/^done\n/u) } });
  expect(stage.asked.map(({ message }) => message)).toEqual(["One?", "Two?"]);
  const accept = { action: "accept", content: { a: "said" } };
  const same = { name: "go", arguments: { x: 1 } };
  expect(stage.calls().map(({ _meta, ...params }) => params)).toEqual([
    same,
    {
      ...same,
      inputResponses: { a: accept, where: { roots: [{ uri: expect.any(String), name: "workspace" }] } },
      requestState: "one",
    },
    { ...same, inputResponses: { b: accept } },
  ]);
});

it("a question that leads to a web page is declined, and the server goes on as it likes", async () => {
  const page = { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://example.org" } };
  const stage = await openStage({ ...modern, "tools/call": [wants({ a: page }), done] });
  expect(await stage.call()).toMatchObject({ kind: "done" });
  expect([stage.asked, stage.calls()[1]?.["inputResponses"]]).toEqual([[], { a: { action: "decline" } }]);
});

describe("what came of a call is not known", () => {
  it.each([["task"], [7], [null]])("where its answer is of the kind %j", async (kind) => {
    const stage = await openStage({ ...modern, "tools/call": [{ result: { resultType: kind, content: [] } }] });
    expect(await stage.call()).toMatchObject({
      kind: "unknown",
      message: expect.stringContaining("of a kind that is not"),
    });
    expect(stage.calls()).toHaveLength(1);
  });

  it("where its server ends with the question open: nobody is asked any more, and nothing is sent", async () => {
    const silent: AskPerson = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));
    const stage = await openStage(
      { ...modern, "tools/call": [wants({ a: elicits() }, "s", { dies: 200 })] },
      { person: silent },
    );
    expect(await stage.call()).toMatchObject({
      kind: "unknown",
      message: expect.stringContaining("ended while go was under way"),
    });
    expect([stage.asked.length, stage.calls().length, stage.starts()]).toEqual([1, 1, 1]);
  });

  it("where it ends with the answers", async () => {
    const stage = await openStage({ ...modern, "tools/call": [wants({ a: elicits() }), { dies: true }] });
    expect(await stage.call()).toMatchObject({ kind: "unknown" });
    expect([stage.calls().length, stage.starts()]).toEqual([2, 1]);
  });
});

it("a refusal of the answers is the end of the call", async () => {
  const stage = await openStage({ ...modern, "tools/call": [wants({ a: elicits() }), refuses(-32_602)] });
  expect(await stage.call()).toMatchObject({
    kind: "failed",
    message: expect.stringContaining("the server refused: what?"),
  });
  expect(stage.calls()).toHaveLength(2);
});

it("one that wants to know something before it lists its tools cannot be used", async () => {
  const stage = await openStage({ ...modern, "tools/list": [wants({ a: elicits() })] });
  await expect(stage.ready()).rejects.toThrow("its answer is of a kind that is not known here (input_required)");
  expect(aliveIn(stage.noted())).toEqual([]);
});

it("requests of its own are not heard: there is no way to answer them", async () => {
  const own = [
    { jsonrpc: "2.0", id: "ours", ...elicits() },
    { jsonrpc: "2.0", id: "root", method: "roots/list" },
  ];
  const stage = await openStage({ ...modern, "tools/call": [{ says: own, ...done }] });
  expect(await stage.call()).toMatchObject({ kind: "done", result: { output: "done" } });
  expect([stage.asked, stage.methods().includes(undefined)]).toEqual([[], false]);
  await expect.poll(stage.log).toContain("it made a request of its own, and was not heard: elicitation/create");
});

it("what an older one answers is what it says, also where it looks as though it wanted to know something", async () => {
  const result = {
    resultType: "input_required",
    inputRequests: { a: elicits() },
    content: [{ type: "text", text: "old" }],
  };
  const stage = await openStage({ ...legacy, "tools/call": [{ result }] });
  expect(await stage.call()).toMatchObject({ kind: "done", result: { output: "old" } });
  expect([stage.asked.length, stage.calls().length]).toEqual([0, 1]);
});
