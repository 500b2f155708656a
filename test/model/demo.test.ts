import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { demoProject } from "../../src/model/demo.ts";
import { openModel } from "../../src/model/open-model.ts";
import type { Model, RawCall, ScriptedAnswer } from "../../src/model/port.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { demoTour } from "../../src/words/en/demo-tour.ts";
import { asRequest, hear, replyOf } from "../support/collect.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-demo-"));
  for (const [path, text] of Object.entries(demoProject())) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterEach(() => rm(folder, { recursive: true }));

const openDemo = (): Promise<Model> => openModel("demo", { env: {} });
const asking = new Set(["edit_file", "write_file"]);
type Person = (model: Model, call: RawCall) => ScriptedAnswer;

const scripted: Person = (model, { name }) => model.answerFor?.(name) ?? { decision: "approve" };

/** Plays the tour to its last word over the real tools; each request may be answered by another process's model. */
async function play(person: Person, reopen = false): Promise<{ messages: BaseMessage[]; text: string }> {
  const tools = createDefaultTools({ workspace: folder, memoryFile: join(folder, "memory.md") });
  const messages: BaseMessage[] = [new HumanMessage(demoTour().prompt)];
  const texts: string[] = [];
  let model = await openDemo();
  for (let step = 0; step < 20; step += 1) {
    const reply = replyOf(await hear(model, asRequest(messages)));
    texts.push(reply.text);
    const calls = reply.calls.map((call, at) => ({ ...call, id: `c${step}-${at}` }));
    messages.push(
      new AIMessage({
        content: reply.text,
        tool_calls: calls.map(({ id, name, rawArguments }) => ({
          id,
          name,
          args: JSON.parse(rawArguments) as JsonObject,
        })),
      }),
    );
    if (calls.length === 0) return { messages, text: texts.join("\n") };
    for (const call of calls) messages.push(await settle(call));
    if (reopen) model = await openDemo();
  }
  throw new Error("the tour does not end");

  async function settle(call: RawCall): Promise<ToolMessage> {
    const answer: ScriptedAnswer = asking.has(call.name) ? person(model, call) : { decision: "approve" };
    const end = { tool_call_id: call.id, name: call.name };
    if (answer.decision === "deny") {
      return new ToolMessage({
        ...end,
        status: "error",
        content: `Not run: ${answer.reason ?? "the person said no"}`,
        artifact: { status: "cancelled" },
      });
    }
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) throw new Error(`no tool ${call.name}`);
    const result = await executeTool(tool, JSON.parse(call.rawArguments), { workspace: folder });
    const status = result.error === undefined ? "success" : "error";
    return new ToolMessage({ ...end, status, content: result.error ?? result.output });
  }
}

const errors = (messages: BaseMessage[]): string[] =>
  messages
    .filter((each) => ToolMessage.isInstance(each))
    .filter(({ status }) => status === "error")
    .map(({ text }) => text);

describe("the tour", () => {
  test("begins by saying that it is scripted, denies one call, mends the defect and ends", async () => {
    const { messages, text } = await play(scripted);
    expect(text.split("\n")[0]).toBe(
      "This is a scripted demo: the words are fixed, but the tools, diffs and approvals are real.",
    );
    expect(errors(messages)).toEqual(["Not run: A mended defect is a patch: 1.0.1, please."]);
    expect(text).toContain("Fair: only a defect was mended");
    expect(messages.filter((each) => AIMessage.isInstance(each))).toHaveLength(7);
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({ version: "1.0.1" });
  });

  test("leaves a project that runs and whose tests pass, which they would not have before", async () => {
    const run = promisify(execFile);
    const kettle = async (): Promise<string> =>
      (await run(process.execPath, ["src/kettle.js", "212"], { cwd: folder })).stdout;
    expect(await kettle()).toContain("194 °C");
    await play(scripted);
    expect(await kettle()).toContain("The water has 100 °C: black tea, boiling hot");
    await run(process.execPath, ["--test"], { cwd: folder, env: { PATH: process.env["PATH"] } });
  });

  test("goes on in another process after each request", async () => {
    const { messages } = await play(scripted, true);
    expect(errors(messages)).toHaveLength(1);
    expect(messages.filter((each) => AIMessage.isInstance(each))).toHaveLength(7);
  });

  test("approved throughout needs no second bump, and no call fails", async () => {
    const { messages, text } = await play(() => ({ decision: "approve" }));
    expect(errors(messages)).toEqual([]);
    expect(text).not.toContain("Fair:");
    expect(text).toContain("The new version is in package.json.");
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({ version: "2.0.0" });
  });

  test("denied throughout changes nothing, and claims nothing else", async () => {
    const { text } = await play(() => ({ decision: "deny" }));
    expect(text).toContain("the line stays as it was");
    expect(text).toContain("No test, then.");
    expect(text).toContain("The version stays 1.0.0");
    expect(text).not.toContain("is mended.");
    for (const [path, before] of Object.entries(demoProject())) {
      expect(await readFile(join(folder, path), "utf8")).toBe(before);
    }
  });

  test("in a folder without the project tells that its calls failed", async () => {
    for (const path of Object.keys(demoProject())) await rm(join(folder, path));
    const { text } = await play(() => ({ decision: "approve" }));
    expect(text).toContain("The edit did not go through");
    expect(text).toContain("The version could not be changed.");
  });

  test("once over answers whatever is said, and calls nothing", async () => {
    const { messages } = await play(scripted);
    const reply = replyOf(await hear(await openDemo(), asRequest([...messages, new HumanMessage("Write me a poem")])));
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain("The tour is over");
  });

  test("at a terminal comes in many small pieces, and stops between them", async () => {
    const model = await openModel("demo", { env: {}, pace: true });
    const stop = new AbortController();
    const pieces: string[] = [];
    const run = async (): Promise<void> => {
      for await (const event of model.stream(asRequest(demoTour().prompt), stop.signal)) {
        if (event.type === "text") pieces.push(event.text);
        if (pieces.length === 3) stop.abort(new Error("stopped"));
      }
    };
    await expect(run()).rejects.toThrow("stopped");
    expect(pieces).toHaveLength(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(12);
  });
});
