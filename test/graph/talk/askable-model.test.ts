import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { expect, it, onTestFinished } from "vitest";
import { ModelNotAsked } from "../../../src/core/model-question.ts";
import { askableModel } from "../../../src/graph/talk/askable-model.ts";
import { TreeLimits } from "../../../src/graph/tree-limits.ts";
import type { Model, ModelEvent } from "../../../src/model/port.ts";
import { openStore } from "../../../src/store/open-store.ts";

const question = { messages: [{ role: "user" as const, text: "One?" }], maxTokens: 10 };

/** A session with a stored turn and a limit of cost, and a model that does as it is told. */
async function openStage(stream: (signal: AbortSignal) => AsyncIterable<ModelEvent>) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asked-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await openStore({ file: join(folder, "agent.db") });
  onTestFinished(() => store.close());
  const id = "calm-fox-0001";
  await store.sessions.create({ id, workspace: folder, model: "some:model", title: "go" });
  const journal = store.journal(await store.acquire(id));
  await journal.addTurn({ text: "go", message: new HumanMessage({ id: "h1", content: "go" }), queued: false });
  let asked = 0;
  const model: Model = {
    spec: "some:model",
    price: { input: 1, output: 1 },
    stream: (_, signal) => {
      asked += 1;
      return stream(signal);
    },
  };
  const limits = new TreeLimits({ journal, maxSteps: 10, maxCost: 1 });
  return { journal, limits, model, asking: askableModel({ model, journal, limits }, 1), asked: () => asked };
}

it("what a stop left unanswered may have to be paid, and nobody knows how much: a limit of cost counts it, and lets no more be sent", async () => {
  const stop = new AbortController();
  const stage = await openStage(async function* (signal) {
    yield { type: "text", text: "Half an" };
    stop.abort(new Error("the server asks no more"));
    signal.throwIfAborted();
  });
  await expect(stage.asking?.ask(question, stop.signal)).rejects.toThrow("the server asks no more");
  expect(stage.journal.spent(1).unpriced).toBe(1);
  expect(stage.limits.isOverspent(stage.model)).toBe(true);
  await expect(stage.asking?.ask(question, new AbortController().signal)).rejects.toThrow(ModelNotAsked);
  expect(stage.asked()).toBe(1);
});

it("a question that is stopped before it is sent costs nothing", async () => {
  const stage = await openStage(async function* () {});
  await expect(stage.asking?.ask(question, AbortSignal.abort(new Error("no")))).rejects.toThrow(ModelNotAsked);
  expect(stage.asked()).toBe(0);
  expect(stage.journal.spent(1).unpriced).toBe(0);
});

it("of an answer whose server does not say what it took nothing is said of that", async () => {
  const stage = await openStage(async function* () {
    yield { type: "done", reply: { text: "Yes.", calls: [], finish: "stop" } };
  });
  expect(await stage.asking?.ask(question, new AbortController().signal)).toEqual({ text: "Yes.", isCut: false });
});
