import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AskedForm, AskPerson, FormAnswer } from "../../../../src/core/forms/asked-form.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import { type AskableModel, ModelNotAsked, type ModelQuestion } from "../../../../src/core/model-question.ts";
import type { Outcome } from "../../../../src/core/outcome.ts";
import { createMasking } from "../../../../src/core/secrets/masking.ts";
import type { ToolContext } from "../../../../src/core/tool.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { McpServer } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../../src/tools/mcp/started-server.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { smallServer } from "../../../support/mcp.ts";

const asks = (text: string, more: JsonObject = {}): JsonObject => ({
  messages: [{ role: "user", content: { type: "text", text } }],
  maxTokens: 100,
  ...more,
});

interface Given {
  mayAskModel?: boolean;
  says?: AskableModel["ask"];
  sees?: boolean;
  person?: AskPerson;
}

const yes: FormAnswer = { action: "accept", content: {} };

/** The small server in a process of its own, a model that answers `says`, and a person who says yes unless they are given. */
async function openStage({ mayAskModel = true, says, sees = false, person = async () => yes }: Given = {}) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asks-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const note = join(folder, "noted");
  const entry = { command: process.execPath, args: [smallServer], env: { MCP_NOTE: note } };
  const spec = {
    ...{ entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" } },
    log: openServerLog(join(folder, "log")),
  };
  const server = new McpServer("small", {
    ...{ cwd: folder, version: "1", mayAskModel, refuses: async () => undefined },
    connect: (heard, signal) => startServer(spec, heard, signal),
  });
  onTestFinished(() => server.close());
  const asked: AskedForm[] = [];
  const sent: ModelQuestion[] = [];
  const askPerson: AskPerson = (form, asking) => {
    asked.push(form);
    return person(form, asking);
  };
  const askableModel: AskableModel = {
    ...{ spec: "some:model", sees },
    ask: async (question, signal) => {
      sent.push(question);
      return says?.(question, signal) ?? { text: "Paris.", isCut: false, inputTokens: 12, outputTokens: 3 };
    },
  };
  const call = async (
    name: string,
    args: JsonObject,
    { isAlone = false, ...ctx }: Partial<ToolContext> & { isAlone?: boolean } = {},
  ): Promise<Outcome> => {
    const { tools } = await server.ready(new AbortController().signal, true);
    const definition = tools.tools.find((one) => one.name === name);
    if (definition === undefined) throw new Error(`no tool ${name}`);
    const context = createToolContext({ workspace: folder, ...(isAlone ? {} : { askPerson, askableModel }), ...ctx });
    return runTool(mcpTool({ server, scripts: [] }, definition), args, context);
  };
  return { call, asked, sent, noted: () => readFileSync(note, "utf8").split("\n").filter(Boolean) };
}

const outputOf = (outcome: Outcome): string =>
  outcome.kind === "done" || outcome.kind === "failed" ? (outcome.result?.output ?? "") : outcome.message;
const heardIn = (outcome: Outcome): JsonObject[] => JSON.parse(outputOf(outcome).split("\n", 1)[0] ?? "");
/** Whatever the reason. */
const notAnswered = { code: -1, message: "this client did not have its model answer that" };

it("a server's question goes to the model once the person has read it, and its answer to the server once they have read that", async () => {
  const stage = await openStage();
  const request = asks("Capital of\u202e France?\u001b[2J", {
    systemPrompt: "Be short.",
    maxTokens: 90_000,
    includeContext: "allServers",
    temperature: 2,
  });
  const outcome = await stage.call("samples", { requests: [request] });
  const question = {
    system: "Be short.",
    messages: [{ role: "user", text: "Capital of France?[2J" }],
    maxTokens: 4_000,
  };
  const of = { from: "small", tool: "samples", message: "", fields: [] };
  expect(stage.sent).toEqual([question]);
  expect(stage.asked).toEqual([
    { ...of, ofModel: { step: "question", model: "some:model", ...question } },
    {
      ...of,
      ofModel: {
        ...{ step: "answer", model: "some:model", text: "Paris.", isCut: false },
        ...{ inputTokens: 12, outputTokens: 3 },
      },
    },
  ]);
  expect(heardIn(outcome)).toEqual([
    {
      ...{ role: "assistant", model: "some:model", stopReason: "endTurn" },
      content: { type: "text", text: "Paris." },
    },
  ]);
  const words =
    "(small asked the model something: the model answered (12 tokens in, 3 out), and the person let the server have it)";
  expect(outputOf(outcome)).toContain(words);
  expect(outcome).toMatchObject({
    result: {
      display: words,
      metadata: { askedModel: [{ action: "sent", inputTokens: 12, outputTokens: 3 }] },
    },
  });
  expect(stage.noted()).toContain("may ask the model");
});

it("without a yes nothing goes to the model, without a second one nothing to the server, which hears the same each time", async () => {
  const answers: FormAnswer[] = [{ action: "decline" }, { action: "cancel" }, yes, { action: "decline" }];
  const stage = await openStage({ person: async () => answers.shift() ?? yes });
  const outcome = await stage.call("samples", { requests: [asks("a"), asks("b"), asks("c")] });
  expect(stage.sent).toHaveLength(1);
  expect(heardIn(outcome)).toEqual([notAnswered, notAnswered, notAnswered]);
  expect(outputOf(outcome).split("\n").slice(1)).toEqual([
    "(small asked the model something: the person said no, and nothing was sent)",
    "(small asked the model something: the person gave no answer, and nothing was sent)",
    "(small asked the model something: the model answered (12 tokens in, 3 out), and the server did not get it)",
  ]);
});

it("where the entry does not say so no model is asked, nor is the server told that it may; so it is where nobody is there, and beside a call", async () => {
  const closed = await openStage({ mayAskModel: false });
  const refused = { code: -1, message: "refused: this client does not let this server use its model" };
  expect(heardIn(await closed.call("samples", { requests: [asks("a")] }))).toEqual([refused]);
  expect(closed.noted()).not.toContain("may ask the model");
  const stage = await openStage();
  const alone = await stage.call("samples", { requests: [asks("a")] }, { isAlone: true });
  expect(heardIn(alone)).toEqual([notAnswered]);
  expect(outputOf(alone)).toContain("it was refused without asking them: nobody is there to read it");
  const both = await Promise.all([
    stage.call("samples", { requests: [asks("a")] }),
    stage.call("samples", { requests: [asks("b")] }),
  ]);
  expect(both.flatMap(heardIn)).toEqual([notAnswered, notAnswered]);
  expect([...closed.asked, ...closed.sent, ...stage.asked, ...stage.sent]).toEqual([]);
});

it("of a hundred at once three are put to the person, the others are refused and told once", async () => {
  const stage = await openStage();
  const requests = Array.from({ length: 100 }, (_, at) => asks(`question ${at}`));
  const outcome = await stage.call("samples", { requests, together: true });
  expect(stage.sent).toHaveLength(3);
  expect(heardIn(outcome).filter(({ code }) => code === -1)).toHaveLength(97);
  expect(outputOf(outcome).match(/asked the model/gu)).toHaveLength(4);
  expect(outputOf(outcome)).toContain("it had asked 3 times in this call");
});

it("what is of another kind, too long, or for tools is refused with the reason, and no person is asked", async () => {
  const stage = await openStage();
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const block = (content: unknown, role = "user") => ({ messages: [{ role, content }], maxTokens: 10 }) as JsonObject;
  const bad: [JsonObject, string][] = [
    [block({ type: "audio", data: "AA==", mimeType: "audio/wav" }), "content of the kind audio is not taken"],
    [block({ type: "tool_use", id: "1", name: "x", input: {} }), "content of the kind tool_use is not taken"],
    [block(image), "this model is not known to see pictures"],
    [block({ type: "text", text: "x" }, "system"), "neither user's nor assistant's"],
    [asks("x".repeat(20_001)), "it has more than 20,000 characters"],
    [asks("x", { tools: [] }), "it has tools"],
    [asks(" \u200b"), "its messages say nothing"],
    [asks("x", { maxTokens: -1 }), "it does not say maxTokens"],
    [{ messages: Array(21).fill(asks("x")["messages"]).flat(), maxTokens: 1 }, "it has more than 20 messages"],
  ];
  for (const [request, why] of bad) {
    const [heard] = heardIn(await stage.call("samples", { requests: [request] }));
    expect(heard).toEqual({ code: -32602, message: expect.stringContaining(why) });
  }
  const sees = await openStage({ sees: true });
  const [broken] = heardIn(await sees.call("samples", { requests: [block(image)] }));
  expect(broken).toMatchObject({ message: expect.stringContaining("a picture cannot be used") });
  expect([...stage.asked, ...sees.asked]).toEqual([]);
});

it("a picture goes along as it was decoded, and roles and several parts of a message stay in their order", async () => {
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const stage = await openStage({ sees: true });
  const messages = [
    {
      role: "user",
      content: [
        { type: "text", text: "Look:" },
        { type: "image", data: dot, mimeType: "image/webp" },
      ],
    },
    { role: "assistant", content: { type: "text", text: "I see." } },
  ];
  await stage.call("samples", { requests: [{ messages, maxTokens: 5 }] });
  expect(stage.sent[0]?.messages).toEqual([
    { role: "user", text: "Look:" },
    {
      ...{ role: "user", text: "" },
      picture: { mediaType: "image/png", data: expect.any(String), width: 1, height: 1 },
    },
    { role: "assistant", text: "I see." },
  ]);
});

it("no value of a secret goes to the model or to the server, which hears the same as of a no", async () => {
  const masking = createMasking([{ name: "TOKEN", value: "s3cr3t-of-mine" }]);
  const stage = await openStage({
    says: async () => ({ text: "It is s3cr3t-of-mine.", isCut: false, inputTokens: 1, outputTokens: 1 }),
  });
  const outcome = await stage.call("samples", { requests: [asks("Say s3cr3t-of-mine"), asks("Say it")] }, { masking });
  expect(heardIn(outcome)).toEqual([notAnswered, notAnswered]);
  expect(stage.sent).toHaveLength(1);
  expect(stage.asked).toHaveLength(1);
  expect(outputOf(outcome)).toContain("a value of your secrets stands in it");
});

it("a call that is stopped or over takes its question with it: the model is stopped, and nothing is asked or sent behind it", async () => {
  const stop = new AbortController();
  let ended = false;
  const stage = await openStage({
    says: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          ended = true;
          reject(signal.reason);
        });
        stop.abort(new Error("stopped by the person"));
      }),
  });
  const outcome = await stage.call("samples", { requests: [asks("a")] }, { signal: stop.signal });
  expect(ended).toBe(true);
  expect(stage.asked).toHaveLength(1);
  expect(JSON.stringify(outcome)).toContain("which did not answer: it was stopped; what that cost is not known");
  const silent = await openStage({
    person: (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" }))),
  });
  const over = await silent.call("samples", { requests: [asks("a")], ends: true });
  expect(outputOf(over)).toContain("it did not wait");
  expect(silent.sent).toEqual([]);
});

it("a question that was not sent after the person's yes is told as that, and of an unknown number of tokens that it is unknown", async () => {
  const over = new ModelNotAsked("the turn has cost as much as it may");
  const stage = await openStage({
    says: async ({ messages: [first] }) => {
      if (first?.text === "a") throw over;
      return { text: "Paris.", isCut: false };
    },
  });
  const outcome = await stage.call("samples", { requests: [asks("a"), asks("b")] });
  expect(heardIn(outcome)[0]).toEqual(notAnswered);
  expect(outputOf(outcome).split("\n").slice(1)).toEqual([
    "(small asked the model something: the person let it go to the model, and nothing was sent: the turn has cost as much as it may)",
    "(small asked the model something: the model answered (how many tokens it took is not known), and the person let the server have it)",
  ]);
  expect(outcome).toMatchObject({ result: { metadata: { askedModel: [{ action: "unsent" }, { action: "sent" }] } } });
});

it("where the model fails the server hears no more than of a no, and the person why", async () => {
  const stage = await openStage({
    says: async () => {
      throw new Error("the turn has cost as much as it may");
    },
  });
  const outcome = await stage.call("samples", { requests: [asks("a")] });
  expect(heardIn(outcome)).toEqual([notAnswered]);
  expect(outputOf(outcome)).toContain("which did not answer: the turn has cost as much as it may");
});
