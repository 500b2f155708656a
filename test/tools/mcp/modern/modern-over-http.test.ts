import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskPerson } from "../../../../src/core/forms/asked-form.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { Outcome } from "../../../../src/core/outcome.ts";
import { proxiesOf } from "../../../../src/net/proxies.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { reachServer } from "../../../../src/tools/mcp/reached-server.ts";
import { McpServer, type ServerSpec } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { type McpHttp, startMcpHttp } from "../../../support/mcp-http.ts";
import { timeOfTheTest } from "../../../support/time-limit.ts";

const key = "k3y-0f-the-entry";

type Heard = { method?: string; params?: JsonObject; headers: IncomingHttpHeaders };
type Answer = { status?: number; result?: object; error?: object; text?: string; hangs?: true; drops?: true };

/** A server over HTTP of which the test says what it answers, by method; what it does not say is answered as the older server does. */
async function openStage(
  answers: Record<string, Answer[]>,
  { person, ...spec }: Partial<ServerSpec> & { person?: AskPerson } = {},
) {
  const web = await startMcpHttp({ go: { description: "Goes.", call: () => "went" } });
  const heard: Heard[] = [];
  const counts: Record<string, number> = {};
  web.before = ({ request, response, message }) => {
    const {
      method = "",
      params,
      id,
    } = (message ?? {}) as JsonObject & { method?: string; params?: JsonObject; id?: number };
    heard.push({ method, headers: request.headers, ...(params === undefined ? {} : { params }) });
    const all = answers[method] ?? [];
    const answer = all[Math.min(counts[method] ?? 0, all.length - 1)];
    counts[method] = (counts[method] ?? 0) + 1;
    if (answer === undefined) return false;
    const { status = 200, result, error, text } = answer;
    if (answer.drops) response.destroy();
    else if (!answer.hangs) {
      response.writeHead(status, { "content-type": text === undefined ? "application/json" : "text/plain" });
      response.end(text ?? JSON.stringify({ jsonrpc: "2.0", id, result, error }));
    }
    return true;
  };
  const folder = await mkdtemp(join(tmpdir(), "holdfast-modern-http-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new McpServer("web", { ...wayTo(web, folder), ...spec });
  onTestFinished(() => server.close());
  const askPerson: AskPerson = person ?? (async () => ({ action: "accept", content: { a: "said" } }));
  const ready = () => server.ready(new AbortController().signal, true);
  const call = async (): Promise<Outcome> => {
    const definition = (await ready()).tools.tools.find(({ name }) => name === "go");
    if (definition === undefined) throw new Error("no tool");
    const context = createToolContext({ workspace: folder, askPerson });
    return runTool(mcpTool({ server, scripts: [] }, definition), { x: 1 }, context);
  };
  return { web, server, ready, call, heard, methods: () => heard.map(({ method }) => method) };
}

function wayTo(web: McpHttp, folder: string): ServerSpec {
  const way = { proxies: proxiesOf({}), lookup: async () => ["127.0.0.1"] };
  const entry = { url: web.url, headers: { "X-Key": key }, isPrivate: false };
  const keys = [{ name: "header X-Key", value: key }] as unknown as Parameters<typeof reachServer>[0]["keys"];
  const log = openServerLog(join(folder, "log"));
  const spec = { entry, origin: "user" as const, keys, way, log, version: "1", workspace: folder, signIn: undefined };
  return {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    host: { host: "127.0.0.1", port: web.port } as ServerSpec["host"],
    connect: (heard) => reachServer(spec, heard),
  };
}

const discovered = { result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } };
const listed = { result: { tools: [{ name: "go", inputSchema: { type: "object" } }] } };
const done = { result: { content: [{ type: "text", text: "done" }] } };
const form = { message: "What?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } };
const wants = (requestState?: string): Answer => ({
  result: {
    ...{ resultType: "input_required", inputRequests: { a: { method: "elicitation/create", params: form } } },
    ...(requestState === undefined ? {} : { requestState }),
  },
});
const modern = { "server/discover": [discovered], "tools/list": [listed] };
const oldWay = ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"];

describe("over HTTP a server that does not say that it speaks 2026-07-28", () => {
  it.each<[string, Answer]>([
    ["does not know the session", { status: 404, text: "no" }],
    ["refuses by the protocol", { error: { code: -32_601, message: "no" } }],
    ["refuses by both", { status: 400, error: { code: -32_000, message: "Bad Request: Server not initialized" } }],
    ["does not take such headers", { status: 400, text: "" }],
    ["takes no such request", { status: 405, text: "" }],
    ["fails over it", { status: 500, text: "oops" }],
    ["answers nonsense", { text: "<html>" }],
    ["breaks off", { drops: true }],
  ])("is spoken to as ever: it %s", async (_, probe) => {
    const stage = await openStage({ "server/discover": [probe] });
    expect(await stage.call()).toMatchObject({ kind: "done", result: { output: "went" } });
    expect(stage.methods().filter((method) => method !== "")).toEqual(oldWay);
    const [asked, begun, , , call] = stage.heard.filter(({ method }) => method !== "");
    expect(asked?.headers).toMatchObject({ "mcp-method": "server/discover", "mcp-protocol-version": "2026-07-28" });
    for (const one of [begun, call]) expect(one?.headers["mcp-method"]).toBeUndefined();
    expect([begun, call].map((one) => one?.headers["mcp-protocol-version"])).toEqual([undefined, "2025-06-18"]);
  });

  it("and never answers is begun with after three seconds, and ends as ever", async () => {
    const time = timeOfTheTest();
    const stage = await openStage({ "server/discover": [{ hangs: true }] });
    const called = stage.call();
    await expect.poll(stage.methods).toEqual(["server/discover"]);
    time.pass(3_000);
    expect(await called).toMatchObject({ kind: "done" });
    expect(stage.methods().filter((method) => method !== "")).toEqual(oldWay);
  });

  it.each([401, 403])("and lets nobody in (%i) is asked once", async (status) => {
    const stage = await openStage({ "server/discover": [{ status, text: "no" }] });
    await expect(stage.ready()).rejects.toThrow(`it answered ${status}`);
    expect(stage.methods()).toEqual(["server/discover"]);
  });

  it("and is not there is asked once", async () => {
    const stage = await openStage({});
    await stage.web.stop();
    await expect(stage.ready()).rejects.toThrow("nothing answers at");
  });
});

it("what it wants back goes to it letter for letter, also where a key of its entry stands in it", async () => {
  const state = `{"of":"${key}","\u00e9":"\\u0000"}`;
  const stage = await openStage({ ...modern, "tools/call": [wants(state), done] });
  expect(await stage.call()).toMatchObject({ kind: "done" });
  const calls = stage.heard.filter(({ method }) => method === "tools/call");
  expect(calls.map(({ params }) => params?.["requestState"])).toEqual([undefined, state]);
  expect(calls.map(({ headers }) => headers["mcp-name"])).toEqual(["go", "go"]);
});

it("where its server is gone before it has the answers, what came of the call is not known, and it is not made again", async () => {
  const gone: { stop?: () => Promise<void> } = {};
  const person: AskPerson = async () => {
    await gone.stop?.();
    return { action: "accept", content: { a: "said" } };
  };
  const stage = await openStage({ ...modern, "tools/call": [wants()] }, { person });
  gone.stop = () => stage.web.stop();
  const outcome = await stage.call();
  expect(outcome).toMatchObject({
    kind: "unknown",
    message: expect.stringContaining("did not get what it wanted to know"),
  });
  expect(stage.methods().filter((method) => method === "tools/call")).toHaveLength(1);
});

it.each<[string, Answer]>([
  ["breaks off", { drops: true }],
  ["fails", { status: 500, text: "oops" }],
])("so it is where its answer to the answers %s", async (_, last) => {
  const stage = await openStage({ ...modern, "tools/call": [wants(), last] });
  expect((await stage.call()).kind).toBe("unknown");
  expect(stage.methods().filter((method) => method === "tools/call")).toHaveLength(2);
});

it("where headers are not as it wants them the call is refused, not made again, and its tools are looked at anew", async () => {
  const refused = { status: 400, error: { code: -32_020, message: "Header mismatch" } };
  const stage = await openStage({ ...modern, "tools/call": [refused] });
  expect(await stage.call()).toMatchObject({ kind: "failed", message: expect.stringContaining("Header mismatch") });
  await expect.poll(() => stage.methods().filter((method) => method === "tools/list")).toHaveLength(2);
  expect(stage.methods().filter((method) => method === "tools/call")).toHaveLength(1);
});

it.each<[string, JsonObject, string]>([
  ["no name", { a: { type: "string", "x-mcp-header": "" } }, "no usable name"],
  ["a name that is none", { a: { type: "string", "x-mcp-header": "a b\r\nx" } }, "no usable name"],
  ["a number", { a: { type: "number", "x-mcp-header": "A" } }, "none of text, whole number"],
  [
    "one name twice",
    { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } },
    "one header",
  ],
  ["a part of a list", { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } }, "no argument"],
  ["a part of an alternative", { a: { anyOf: [{ type: "string", "x-mcp-header": "A" }] } }, "no argument"],
])("a tool that wants %s in a header is left out, and said to be", async (_, properties, why) => {
  const bad = { name: "bad", inputSchema: { type: "object", properties } };
  const good = { name: "go", inputSchema: { type: "object", properties: { "x-mcp-header": { type: "string" } } } };
  const stage = await openStage({ ...modern, "tools/list": [{ result: { tools: [bad, good] } }] });
  const { tools } = await stage.ready();
  expect(tools.tools.map(({ name }) => name)).toEqual(["go"]);
  expect(tools.leftOut).toEqual([{ name: "bad", why: expect.stringContaining(why) }]);
});
