import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskedForm, AskPerson, FormAnswer } from "../../../../src/core/forms/asked-form.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { Outcome } from "../../../../src/core/outcome.ts";
import type { ToolContext } from "../../../../src/core/tool.ts";
import { proxiesOf } from "../../../../src/net/proxies.ts";
import { givenPrompt } from "../../../../src/tools/mcp/given-prompt.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { listPrompts } from "../../../../src/tools/mcp/prompts.ts";
import { reachServer } from "../../../../src/tools/mcp/reached-server.ts";
import { McpServer, type ServerSpec } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../../src/tools/mcp/started-server.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { type ModernServer, openModern, type Way } from "../../../support/modern.ts";

type Stage = Awaited<ReturnType<typeof openStage>>;

/** The published server, and a person who answers each question as `answers` says; the last answer goes on. */
async function openStage(way: Way, answers: (FormAnswer | AskPerson)[] = [], spec: Partial<ServerSpec> = {}) {
  const modern = await openModern(way);
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asked-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new McpServer("modern", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    ...connecting(modern, folder),
    ...spec,
  });
  onTestFinished(() => server.close());
  const asked: AskedForm[] = [];
  const askPerson: AskPerson = async (one, asking) => {
    asked.push(one);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? { action: "cancel" };
    return typeof answer === "function" ? answer(one, asking) : answer;
  };
  const ready = (mayAsk = true) => server.ready(new AbortController().signal, mayAsk);
  const call = async (name: string, args: JsonObject = {}, ctx: Partial<ToolContext> = {}): Promise<Outcome> => {
    const definition = (await ready()).tools.tools.find((one) => one.name === name);
    if (definition === undefined) throw new Error(`no tool ${name}`);
    const context = createToolContext({ workspace: folder, askPerson, ...ctx });
    return runTool(mcpTool({ server, scripts: [] }, definition), args, context);
  };
  return {
    ...modern,
    server,
    ready,
    call,
    asked,
    workspace: folder,
    log: () => readFileSync(join(folder, "log"), "utf8"),
  };
}

function connecting(modern: ModernServer, folder: string): Pick<ServerSpec, "connect" | "host"> {
  const log = openServerLog(join(folder, "log"));
  const { entry } = modern;
  if ("command" in entry) {
    const spec = { entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, log };
    return { connect: (heard, signal) => startServer(spec, heard, signal) };
  }
  const way = { proxies: proxiesOf({}), lookup: async () => ["127.0.0.1"] };
  const reached = { url: entry.url, headers: {}, isPrivate: false };
  const spec = {
    entry: reached,
    origin: "user",
    keys: [],
    way,
    log,
    version: "1",
    workspace: folder,
    signIn: undefined,
  };
  return {
    host: { host: "127.0.0.1", port: Number(new URL(entry.url).port) } as ServerSpec["host"],
    connect: (heard) => reachServer(spec as Parameters<typeof reachServer>[0], heard),
  };
}

const outputOf = (outcome: Outcome): string =>
  outcome.kind === "done" || outcome.kind === "failed"
    ? (outcome.result?.output ?? ("message" in outcome ? outcome.message : ""))
    : outcome.message;
const linesOf = (outcome: Outcome): string[] => outputOf(outcome).split("\n");
const callsIn = ({ noted }: Pick<Stage, "noted">): string[] => noted().filter((line) => line.startsWith("call"));

describe.each<Way>(["stdio", "http"])("a server of 2026-07-28 over %s", (way) => {
  it("is found to be one by one question, is called, and tells how far it is; it has no session", async () => {
    const stage = await openStage(way);
    const { connection, title, era, tools } = await stage.ready();
    expect([connection.protocol, title, era]).toEqual(["2026-07-28", "modern 1", "modern"]);
    expect(tools.tools.map(({ name }) => name)).toEqual([
      ...["echo", "slow", "hangs", "wants", "samples", "roots", "mirrors"],
    ]);
    expect(outputOf(await stage.call("echo", { text: "hello" }))).toBe("hello");
    const told: object[] = [];
    expect(outputOf(await stage.call("slow", {}, { progress: (said) => void told.push(said) }))).toBe("done");
    expect(told).toContainEqual({ figure: 0.25, tip: "a quarter" });
    await stage.server.close();
    if (way === "stdio") return;
    expect(stage.noted().slice(1, 3)).toEqual(["POST server/discover", "POST subscriptions/listen"]);
    expect(stage.noted()).toContain("POST tools/call echo");
    expect(stage.noted().filter((line) => /^(?:GET|DELETE|mcp-session-id)|initialize/u.test(line))).toEqual([]);
  });

  it("hears of a stop, and nobody knows then how far it came", async () => {
    const stage = await openStage(way);
    const stop = new AbortController();
    const called = stage.call(
      "hangs",
      {},
      {
        signal: stop.signal,
        progress: ({ tip }) => {
          if (tip === "hanging") stop.abort(new Error("stop"));
        },
      },
    );
    expect((await called).kind).toBe("unknown");
    await expect.poll(stage.noted).toContain("stopped");
    expect(outputOf(await stage.call("echo", { text: "still there" }))).toBe("still there");
    // Over HTTP its stream is closed, and nothing is sent.
    expect(stage.noted()).not.toContain("POST notifications/cancelled");
  });

  it.each<[FormAnswer, string, JsonObject]>([
    [{ action: "accept", content: { name: "Ada" } }, 'they sent "name"', { action: "accept", sent: ["name"] }],
    [{ action: "decline" }, "they declined", { action: "decline" }],
    [{ action: "cancel" }, "they gave no answer", { action: "cancel" }],
  ])(
    "is called once more with what the person said, which is told with the call: %o",
    async (answer, words, record) => {
      const stage = await openStage(way, [answer]);
      const outcome = await stage.call("wants");
      expect(stage.asked).toEqual([
        {
          ...{ from: "modern", tool: "wants", message: "Who are you?" },
          ...(way === "http" ? { place: expect.stringMatching(/^127\.0\.0\.1:\d+$/u) } : {}),
          fields: [{ kind: "text", name: "name", title: "Your name", required: true }],
        },
      ]);
      expect(JSON.parse(linesOf(outcome)[0] ?? "")).toEqual({ kind: "elicit", ...answer });
      expect(linesOf(outcome)[1]).toBe(`(modern asked the person something: ${words})`);
      expect(outcome).toMatchObject({ kind: "done", result: { metadata: { asked: [record] } } });
      expect(callsIn(stage)).toEqual(["call wants", "call wants again"]);
      // What it wants back comes letter for letter, and is in no log.
      expect(stage.noted()).toContain(`heard ${answer.action} with a state: \u00e9 \u{1f600} \\ "`);
      expect(stage.log()).not.toContain("a state");
    },
  );

  it("is told where the workspace is, and asks nobody for it", async () => {
    const stage = await openStage(way);
    const [said] = linesOf(await stage.call("roots"));
    expect(JSON.parse(said ?? "")).toEqual([{ uri: pathToFileURL(stage.workspace).href, name: "workspace" }]);
    expect(stage.asked).toEqual([]);
  });

  it("may not ask the model unless the person's settings say so: it is told before that it cannot", async () => {
    const stage = await openStage(way);
    const outcome = await stage.call("samples");
    expect(outcome).toMatchObject({ kind: "failed", code: "FAILED" });
    expect(callsIn(stage)).toEqual(["call samples"]);
  });

  it("has no answer where nobody is there: it is not told that it may ask, and refuses by itself", async () => {
    const stage = await openStage(way);
    await stage.ready(false);
    const outcome = await stage.call("wants");
    expect(outcome).toMatchObject({ kind: "failed", code: "FAILED" });
    expect(stage.asked).toEqual([]);
  });

  it("stopped with its question open is not called once more", async () => {
    const stop = new AbortController();
    const silent: AskPerson = (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ action: "cancel" }));
        stop.abort(new Error("stop"));
      });
    const stage = await openStage(way, [silent]);
    const outcome = await stage.call("wants", {}, { signal: stop.signal });
    expect(outcome).toMatchObject({ kind: "failed", code: "CANCELLED" });
    expect(outcome).toMatchObject({ message: expect.stringContaining("it was stopped while the server waited") });
    expect(callsIn(stage)).toEqual(["call wants"]);
  });

  it("says when its tools are others, and they are looked at anew: one that changed is not called", async () => {
    const stage = await openStage(way);
    const { tools } = await stage.ready();
    const echo = tools.tools.find(({ name }) => name === "echo");
    if (echo === undefined) throw new Error("no echo");
    await writeFile(stage.changed, "");
    process.kill(Number(stage.noted()[0]?.split(" ")[1]), "SIGUSR2");
    await expect
      .poll(() => stage.server.known?.tools.tools.find(({ name }) => name === "echo")?.description)
      .toBe("Another echo.");
    const context = createToolContext({ workspace: stage.workspace });
    const outcome = await runTool(mcpTool({ server: stage.server, scripts: [] }, echo), { text: "x" }, context);
    expect(outputOf(outcome)).toContain("the server changed its description since it was trusted");
    expect(callsIn(stage)).toEqual([]);
  });

  it("asks nobody for a prompt that the person typed: its question is declined", async () => {
    const stage = await openStage(way);
    const { signal } = new AbortController();
    const { prompts } = await listPrompts(await stage.ready(), signal);
    const [prompt] = prompts;
    if (prompt === undefined) throw new Error("no prompt");
    const wish = { server: stage.server, signal, mayAsk: true };
    expect((await givenPrompt(wish, prompt, {}, async () => undefined)).text).toContain("heard decline");
    expect(stage.asked).toEqual([]);
  });
});

it("over HTTP arguments stand in headers where the tool's schema says so, coded where they cannot as they are", async () => {
  const stage = await openStage("http");
  for (const region of ["us-west1", "\u00fcber", " padded ", "=?base64?eA==?=", ""])
    expect(JSON.parse(outputOf(await stage.call("mirrors", { region, many: 3 })))).toEqual({ region, many: 3 });
  expect(stage.noted().filter((line) => line.startsWith("mcp-param"))).toContain("mcp-param-region: us-west1");
  expect(stage.noted()).toContain("mcp-param-many: 3");
});
