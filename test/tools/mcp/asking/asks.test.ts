import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { AskedForm, AskPerson, FormAnswer } from "../../../../src/core/forms/asked-form.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { Outcome } from "../../../../src/core/outcome.ts";
import { createMasking } from "../../../../src/core/secrets/masking.ts";
import { defineTool, type ToolContext } from "../../../../src/core/tool.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { McpServer } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../../src/tools/mcp/started-server.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { smallServer } from "../../../support/mcp.ts";

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const form: JsonObject = { message: "Who are you?", requestedSchema: schema };
const formOf = (properties: JsonObject, message = "Fill it in."): JsonObject => ({
  message,
  requestedSchema: { type: "object", properties },
});

interface How {
  ctx?: Partial<ToolContext>;
  timeoutMs?: number;
  isAlone?: true;
}

interface Stage {
  call(name: string, args: JsonObject, how?: How): Promise<Outcome>;
  noted(): string[];
  /** What the person was asked. */
  asked: AskedForm[];
}

/** The small server in a process of its own, and a person who answers each question as `answers` says; the last answer goes on. */
async function openStage(...answers: (FormAnswer | AskPerson)[]): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const note = join(folder, "noted");
  const entry = { command: process.execPath, args: [smallServer], env: { MCP_NOTE: note } };
  const log = openServerLog(join(folder, "log"));
  const spec = { entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, log };
  const server = new McpServer("small", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    connect: (heard, signal) => startServer(spec, heard, signal),
  });
  onTestFinished(() => server.close());
  const asked: AskedForm[] = [];
  const askPerson: AskPerson = async (one, asking) => {
    asked.push(one);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? { action: "cancel" };
    return typeof answer === "function" ? answer(one, asking) : answer;
  };
  const call: Stage["call"] = async (name, args, { ctx = {}, timeoutMs, isAlone } = {}) => {
    const { tools } = await server.ready(new AbortController().signal, isAlone !== true);
    const definition = tools.tools.find((one) => one.name === name);
    if (definition === undefined) throw new Error(`no tool ${name}`);
    const context = createToolContext({ workspace: folder, ...(isAlone ? {} : { askPerson }), ...ctx });
    return runTool(mcpTool({ server, scripts: [] }, definition), args, context, { timeoutMs });
  };
  return { call, asked, noted: () => readFileSync(note, "utf8").split("\n").filter(Boolean) };
}

const outputOf = (outcome: Outcome): string =>
  outcome.kind === "done" || outcome.kind === "failed" ? (outcome.result?.output ?? "") : outcome.message;
/** What the server heard. */
const heardIn = (outcome: Outcome): JsonObject[] => JSON.parse(outputOf(outcome).split("\n", 1)[0] ?? "");
/** Whatever the reason: it could be found out by it what is taken for a secret. */
const declined = { action: "decline", _meta: { "holdfast/reason": "it was not put to the person" } };
const accept = (content: JsonObject): FormAnswer => ({ action: "accept", content });

/** Not before the signal: the person does not answer. */
const silent: AskPerson = (_, { signal }) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));

describe("a server's question in a call", () => {
  it("is put to the person with who asks and what for; each of the three answers goes to the server, and is told with the call without its values", async () => {
    const stage = await openStage(accept({ name: "Ada" }), { action: "decline" }, { action: "cancel" });
    const outcome = await stage.call("wants", { forms: [form, form, form] });
    expect(stage.noted()).toContain("may ask {}");
    expect(stage.asked[0]).toEqual({
      ...{ from: "small", tool: "wants", message: "Who are you?" },
      fields: [{ kind: "text", name: "name", required: true }],
    });
    expect(heardIn(outcome)).toEqual([
      { action: "accept", content: { name: "Ada" } },
      { action: "decline" },
      { action: "cancel" },
    ]);
    expect(outputOf(outcome).split("\n").slice(1)).toEqual([
      '(small asked the person something: they sent "name")',
      "(small asked the person something: they declined)",
      "(small asked the person something: they gave no answer)",
    ]);
    expect(outcome).toMatchObject({
      result: {
        display: expect.stringContaining("they declined"),
        metadata: { asked: [{ action: "accept", sent: ["name"] }, { action: "decline" }, { action: "cancel" }] },
      },
    });
  });

  it("gets no answer where nobody is there, and the server is not told before that it may ask", async () => {
    const stage = await openStage();
    const outcome = await stage.call("wants", { forms: [form] }, { isAlone: true });
    expect(stage.noted()).toContain("may ask null");
    expect(heardIn(outcome)).toMatchObject([{ action: "cancel" }]);
    expect(outputOf(outcome)).toContain("it got no answer, nobody is there to answer");
  });

  it("is declined unasked where it is for a secret, is no form, or is too large; where it is an address, it is an error", async () => {
    const stage = await openStage(accept({}));
    const deep = { type: "object", properties: { a: { type: "object", properties: {} } } };
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]));
    const bad: JsonObject[] = [
      formOf({ password: { type: "string" } }),
      formOf({ value: { type: "string", title: "Your API-Key" } }),
      formOf({ value: { type: "string", description: "the 4 digit PIN of your card" } }),
      { message: "a", requestedSchema: deep },
    ];
    const outcome = await stage.call("wants", { forms: bad });
    expect(heardIn(outcome)).toEqual(bad.map(() => declined));
    expect(outputOf(outcome)).toContain('it was declined without asking them, "password" asks for what looks like');
    const more = await stage.call("wants", {
      forms: [
        formOf(many),
        formOf({ a: { type: "string" } }, "x".repeat(2_001)),
        formOf({ a: { type: "string", description: "x".repeat(2_001) } }),
        { mode: "url", message: "Sign in", url: "https://example.org", elicitationId: "1" },
      ],
    });
    expect(heardIn(more)).toMatchObject([declined, declined, declined, { code: -32602 }]);
    expect(outputOf(more)).toContain("it has more than 20 fields");
    expect(stage.asked).toEqual([]);
  });

  it("is the person's five times in a call, one after the other or at once; a flood is declined and told once", async () => {
    const stage = await openStage(accept({ name: "Ada" }));
    for (const together of [false, true]) {
      stage.asked.length = 0;
      const outcome = await stage.call("wants", { forms: Array.from({ length: 60 }, () => form), together });
      const actions = heardIn(outcome).map(({ action }) => action);
      expect(actions).toEqual([...Array(5).fill("accept"), ...Array(55).fill("decline")]);
      expect(stage.asked.length).toBe(5);
      expect(outputOf(outcome).match(/asked the person/g)?.length).toBe(6);
      expect(outputOf(outcome)).toContain("it had asked 5 times in this call");
    }
  });

  it("is declined where no call is under way", async () => {
    const stage = await openStage(accept({ name: "Ada" }));
    expect(await stage.call("outlasts", { form })).toMatchObject({ result: { output: "asks later" } });
    await expect.poll(() => stage.noted()).toContain("outside decline");
    expect(stage.asked).toEqual([]);
  });

  it("is closed when the server asks no more, when it answers the call before, and when the call is stopped", async () => {
    const stage = await openStage(silent);
    const withdrawn = await stage.call("withdraws", { form });
    expect(outputOf(withdrawn)).toMatch(/^answered: \[\]\n.*it got no answer, it waited for none any more/u);
    const early = await stage.call("wants", { forms: [form], ends: true });
    expect(outputOf(early)).toMatch(/^it did not wait\n.*it had no answer when the call ended/u);
    await expect.poll(() => stage.noted()).toContain("heard cancel");
    const stop = new AbortController();
    const stopped = stage.call("wants", { forms: [form] }, { ctx: { signal: stop.signal } });
    await expect.poll(() => stage.asked.length).toBe(3);
    stop.abort(new Error("stopped"));
    expect(outputOf(await stopped)).toContain("they gave no answer");
    expect(stage.noted().filter((line) => line === "heard cancel").length).toBe(2);
  });

  it("has the call's time stand still as long as the person is asked, by whichever of its questions, and go on then", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const wasStopped: boolean[] = [];
    const askPerson: AskPerson = async () => {
      vi.advanceTimersByTime(5_000);
      return accept({ name: "Ada" });
    };
    const tool = defineTool({
      ...{ name: "asks", description: "of the test", args: z.strictObject({}), risk: "low", effect: "none" },
      execute: async (_, ctx) => {
        const pass = (ms: number): void => {
          vi.advanceTimersByTime(ms);
          wasStopped.push(ctx.signal.aborted);
        };
        const ask = () => ctx.askPerson?.({} as AskedForm, { check: () => undefined, signal: ctx.signal });
        pass(600);
        await ask();
        pass(100);
        await Promise.all([ask(), ask()]);
        pass(299);
        pass(1);
        ctx.signal.throwIfAborted();
        return "";
      },
    });
    const context = createToolContext({ workspace: "/", askPerson });
    const outcome = await runTool(tool, {}, context, { timeoutMs: 1_000 });
    expect(wasStopped).toEqual([false, false, false, true]);
    expect(outcome).toMatchObject({ kind: "failed", code: "TIMEOUT" });
  });

  it("shows no value of a secret, offers none as a choice, and lets none out", async () => {
    const masking = createMasking([{ name: "SITE_KEY", value: "hunter2hunter2" }]);
    const problems: (string | undefined)[] = [];
    const tries: AskPerson = async (_, { check }) => {
      problems.push(check({ name: "it is hunter2hunter2" }), check({ name: "Ada" }));
      return { action: "decline" };
    };
    const stage = await openStage(tries);
    const outcome = await stage.call(
      "wants",
      {
        forms: [
          { ...form, message: "Is it hunter2hunter2?" },
          formOf({ name: { type: "string", enum: ["hunter2hunter2"] } }),
        ],
      },
      { ctx: { masking } },
    );
    expect(stage.asked.map(({ message }) => message)).toEqual([expect.not.stringContaining("hunter2")]);
    expect(problems).toEqual([expect.stringContaining("a value of your secrets is in it"), undefined]);
    expect(heardIn(outcome)).toEqual([{ action: "decline" }, declined]);
    expect(outputOf(outcome)).toContain("a value of your secrets stands in its fields");
  });
});
