import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { expect, it, onTestFinished } from "vitest";
import type { Tool } from "../../src/core/tool.ts";
import { createAgent, type Model } from "../../src/index.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { mcpTool } from "../../src/tools/mcp/mcp-tool.ts";
import { McpServer } from "../../src/tools/mcp/server.ts";
import { openServerLog } from "../../src/tools/mcp/server-log.ts";
import { startServer } from "../../src/tools/mcp/started-server.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { smallServer } from "../support/mcp.ts";
import { apart } from "../support/models-apart.ts";
import { calls, openStage, says } from "../support/play.ts";
import { ask, openPlace, thread } from "../support/thread-place.ts";
import { timeOfTheTest } from "../support/time-limit.ts";
import { tempTree } from "../tools/temp-tree.ts";

const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const forms = [{ message: "Who are you?", requestedSchema }];
const wants = "mcp__small__wants";

const allowed: Rule = {
  tool: wants,
  decision: "allow",
  why: "test",
  origin: { source: "user", file: "policy.json", line: 1 },
};

/** The tool of the small server that asks, and what that server noted. */
async function asking(): Promise<{ tool: Tool; noted(): string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const note = join(folder, "noted");
  const serverNoting = (file: string): McpServer => {
    const entry = { command: process.execPath, args: [smallServer], env: { MCP_NOTE: file } };
    const log = openServerLog(`${file}.log`);
    const spec = { entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, log };
    const server = new McpServer("small", {
      ...{ cwd: folder, version: "1", refuses: async () => undefined },
      connect: (heard, signal) => startServer(spec, heard, signal),
    });
    onTestFinished(() => server.close());
    return server;
  };
  // What it is told at its start is for the call to say: its tools are known from another one, as they are from the trust.
  const other = serverNoting(join(folder, "other"));
  const { tools } = await other.ready(new AbortController().signal, true);
  await other.close();
  const definition = tools.tools.find(({ name }) => name === "wants");
  if (definition === undefined) throw new Error("no tool");
  const tool = mcpTool({ server: serverNoting(note), scripts: [] }, definition);
  return { tool, noted: () => readFileSync(note, "utf8").split("\n") };
}

/** A session whose helper calls it, and a person who can be asked. */
async function tree(timeoutMs?: number) {
  const { tool, noted } = await asking();
  const talks = { "find out": [calls([wants, { forms }]), says("It is Ada.")] };
  const stage = await openStage({
    lines: [calls(["ask_helpers", { tasks: ["find out"] }]), says("All done.")],
    tools: [askHelpers(timeoutMs === undefined ? {} : { timeoutMs }), tool],
    rules: [allowed],
    parts: { fillsForms: () => true },
    wrapModel: (model) => apart(talks)(model),
  });
  const life = await stage.begin("go", { running: true });
  await life.until(({ type }) => type === "form_requested");
  return { life, noted };
}

it("what a helper's call asks names the helper; the answer goes to its server alone, and the session goes on", async () => {
  const { life, noted } = await tree();
  const asked = life.last("form_requested");
  expect(asked).toMatchObject({ agent: "helper 1", parent: life.session.id, asked: { from: "small", tool: "wants" } });
  const ref = { session: asked.session, call: asked.callId, form: asked.form };
  const answer = { action: "accept", content: { name: "Ada" } } as const;
  expect(await life.session.fill({ ...ref, session: life.session.id }, answer)).toMatchObject({ code: "not_waiting" });
  expect(await life.session.fill(ref, { action: "accept", content: { name: 1 } })).toMatchObject({ code: "invalid" });
  expect(await life.session.fill(ref, answer)).toEqual({ ok: true });
  expect(await life.session.fill(ref, answer)).toMatchObject({ code: "not_waiting" });
  await life.session.settled();
  expect(noted().filter((line) => /^(?:heard|may)/u.test(line))).toEqual(["may ask {}", "heard accept"]);
  expect(life.last("form_closed")).toMatchObject({ action: "accept", sent: ["name"], agent: "helper 1" });
  expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
});

it("stopped with a helper's question open, its server hears that nothing was decided, and nothing hangs", async () => {
  const { life, noted } = await tree();
  await life.session.stop();
  await life.session.settled();
  expect(life.last("form_closed")).toMatchObject({ action: "cancel" });
  await expect.poll(noted).toContain("heard cancel");
});

it("a tool with a time limit of its own ends its helpers by it, a question of theirs, too, and says so", async () => {
  const time = timeOfTheTest();
  const { life, noted } = await tree(600_000);
  time.pass(600_000);
  await life.session.settled();
  expect(life.last("form_closed")).toMatchObject({ action: "cancel" });
  await expect.poll(noted).toContain("heard cancel");
  const ended = life.of("tool_call").map(({ call }) => call);
  expect(ended.at(-1)).toMatchObject({
    toolName: "ask_helpers",
    result: { output: expect.stringMatching(/: cancelled: .*\n.*they gave no answer/u) },
  });
});

/** Makes the call, and then says that it is done; `heard` is what it read of it. */
function callingOnce(): { model: Model; heard: string[] } {
  const heard: string[] = [];
  const model: Model = {
    spec: "the test's",
    async *stream({ messages }) {
      const last = messages.at(-1);
      const isDone = last?.getType() === "tool";
      if (isDone) heard.push(String(last.content));
      const made = isDone ? [] : [{ id: "", name: wants, rawArguments: JSON.stringify({ forms }) }];
      yield { type: "done", reply: { text: isDone ? "Done." : "", calls: made, finish: "stop" } };
    },
  };
  return { model, heard };
}

const policy = (): Policy => ({ mode: "ask", rules: [allowed], grants: [], sealed: { roots: [] } });

it("in a session of a program nobody can be asked: its server is not told that it may, its call gets no answer at once, and the model reads so", async () => {
  const { tool, noted } = await asking();
  const { model, heard } = callingOnce();
  const agent = createAgent({ workspace: tempTree(), tools: [tool], model, policy });
  onTestFinished(() => agent.close());
  const session = agent.start();
  await session.submit("go");
  await session.settled();
  expect(noted().filter((line) => /^(?:heard|may)/u.test(line))).toEqual(["may ask null", "heard cancel"]);
  expect(heard).toEqual([expect.stringContaining("it got no answer, nobody is there to answer")]);
});

it("so it is in a graph of LangGraph's, as its server runs it", async () => {
  const { tool, noted } = await asking();
  const { model, heard } = callingOnce();
  const place = await openPlace([], { tools: [tool], model, policy });
  await place.graph({ checkpointer: new MemorySaver() }).invoke(ask("go"), thread);
  expect(noted().filter((line) => /^(?:heard|may)/u.test(line))).toEqual(["may ask null", "heard cancel"]);
  expect(heard).toEqual([expect.stringContaining("it got no answer, nobody is there to answer")]);
});
