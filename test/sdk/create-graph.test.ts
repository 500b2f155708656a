import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { z } from "zod";
import type { WaitingCall } from "../../src/graph/events.ts";
import { createGraph } from "../../src/graph.ts";
import { createToolRegistry, type Tool, type ToolContext } from "../../src/index.ts";
import { calls, says } from "../support/play.ts";
import { answer, ask, edit, openPlace, questionOf, thread } from "../support/thread-place.ts";

class Who implements Tool<Record<string, never>> {
  readonly name: string = "who";
  readonly description = "says who asks";
  readonly args = z.strictObject({});
  readonly risk = "low";
  readonly effect = "none";
  async execute(_args: Record<string, never>, { uid, services }: ToolContext): Promise<string> {
    return `${uid} ${String(services["place"])}`;
  }
}

const sources = [
  ["a class", [Who]],
  ["a factory", [{ name: "who", factory: async () => new Who() }]],
  ["a registry", createToolRegistry([new Who()])],
] as const;

it.each(sources)("takes tools as %s, and tells them whose they are", async (_name, tools) => {
  const place = await openPlace([calls(["who", {}]), says("So.")], { tools, uid: "ann", services: { place: "here" } });
  const { messages } = await place.graph({ checkpointer: new MemorySaver() }).invoke(ask("who?"), thread);
  expect(messages.at(-2)?.content).toBe("ann here");
});

it("takes a model by its name, and says in one sentence why it cannot be had", async () => {
  const { parts, workspace } = await openPlace([]);
  const graphOf = (model: string, more = {}) =>
    createGraph({ ...parts, ...more, model, env: {} }, { checkpointer: new MemorySaver() });
  await expect(graphOf("openai:x").invoke(ask("hello"), thread)).rejects.toThrow(/OPENAI_API_KEY/);
  await expect(graphOf("nonsense").invoke(ask("hello"), thread)).rejects.toThrow(/nonsense/);
  await expect(graphOf("openai:x", { maxCost: 1 }).invoke(ask("hello"), thread)).rejects.toThrow();
  expect(() => createGraph({ workspace, model: "demo", maxCost: -1 })).toThrow("maxCost must be above 0");
  expect(() => createGraph({ workspace: "here", model: "demo" })).toThrow("workspace must be absolute");
  const { messages } = await graphOf("demo").invoke(ask("hello"), thread);
  expect(messages.length).toBeGreaterThan(1);
});

it("opens a store that is named by its path, and keeps threads there", async () => {
  const place = await openPlace([says("Hello.")]);
  const { store } = await place.open();
  const graph = createGraph({ ...place.parts, store: store.file }, { checkpointer: new MemorySaver() });
  await graph.invoke(ask("hello"), thread);
  expect(store.readJournal("otter").turns()).toMatchObject([{ turn: 1, state: "done" }]);
});

it("works an approved plan of mode plan in ask to the turn's end, and plans again in the next turn", async () => {
  const plan = ["present_plan", { plan: "Make it 2.", goals: ["make it"] }] as [
    string,
    { plan: string; goals: string[] },
  ];
  const lines = [
    calls(edit("1", "2"), plan),
    calls(edit("1", "2")),
    says("Done."),
    calls(edit("2", "3")),
    says("I may not."),
  ];
  const place = await openPlace(lines, { mode: "plan" });
  const savers = await place.open();
  const graph = place.graph(savers);
  await graph.invoke(ask("mend it"), thread);
  const [waits] = (await questionOf(graph)).calls as WaitingCall[];
  expect([waits?.callId, await place.text("a.txt")]).toEqual(["c2", "1\n"]);
  await answer(graph, { c2: { decision: "approve", digest: waits?.digest ?? "" } });
  const [edits] = (await questionOf(graph)).calls as WaitingCall[];
  expect(edits).toMatchObject({ callId: "c3", toolName: "edit_file" });
  await answer(graph, { c3: { decision: "approve", digest: edits?.digest ?? "" } });
  expect(await place.text("a.txt")).toBe("2\n");
  await graph.invoke(ask("and on"), thread);
  expect(await place.text("a.txt")).toBe("2\n");
  const offers = place.requests.map(({ tools }) => tools.some(({ name }) => name === "present_plan"));
  expect(offers).toEqual([true, false, false, true, true]);
});
