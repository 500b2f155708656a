import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { createAgentTool } from "../../src/tools/agents/agent-tool.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Line, says, toolOf } from "../support/play.ts";
import {
  answer,
  approvalOf,
  ask,
  at,
  edit,
  type Graph,
  openPlace,
  type Savers,
  scripted,
  thread,
} from "../support/thread-place.ts";

const read = calls(["read_file", { file_path: "a.txt" }]);
const delegates = (task: string) => calls(["agent", { task }]);
const explores = (...tasks: string[]) => calls(["agent", { task: tasks }]);

/** A place whose model says these lines in the thread, and those of `helpers` in sessions with these first words. */
async function placeOf(lines: Line[], helpers: Record<string, Line[]>, tools: ReturnType<typeof toolOf>[] = []) {
  const place = await openPlace(lines, { model: "demo" });
  const model = apart(helpers)(scripted(lines, place.requests));
  const defaults = createDefaultTools({ workspace: place.workspace });
  Object.assign(place.parts, { model, tools: [...defaults, createAgentTool(), ...tools] });
  return place;
}

const waiting = async (graph: Graph) => {
  const [call] = (await approvalOf(graph)).calls;
  if (call === undefined) throw new Error("nothing waits");
  return { ...call, name: `${call.session}:${call.callId}` };
};
const approves = ({ name, digest }: { name: string; digest: string }): JsonObject => ({
  [name]: { decision: "approve", digest },
});
const lastWords = (messages: readonly BaseMessage[]) => messages.at(-1)?.content;
const inMemory = (): Savers => ({ checkpointer: new MemorySaver() });

describe("helpers of a thread that LangGraph drives", () => {
  it("look side by side, and their words are none of the thread's", async () => {
    const place = await placeOf([explores("look here", "look there"), says("All done.")], {
      "look here": [read, says("It is 1.")],
      "look there": [read, says("It is 1, too.")],
    });
    const graph = place.graph(inMemory());
    const words: unknown[] = [];
    const told: { type: string; session?: string; parent?: string }[] = [];
    const stream = await graph.stream(ask("go"), { ...thread, streamMode: ["messages", "custom"] });
    for await (const [mode, piece] of stream as AsyncIterable<[string, never]>)
      if (mode === "custom") told.push(piece);
      else words.push((piece as [{ content: unknown }])[0].content);
    expect(words.filter((one) => String(one).includes("It is 1")).map(String)).toEqual([
      expect.stringContaining("| It is 1."),
    ]);
    const ofHelpers = told.filter(({ parent }) => parent === "otter");
    expect(new Set(ofHelpers.map(({ session }) => session?.replace(/-\d{8}T\d{4}-/u, "-")))).toEqual(
      new Set(["otter@explore-1-001", "otter@explore-1-002"]),
    );
    expect(ofHelpers.filter(({ type }) => type === "turn_ended")).toHaveLength(2);
    const { messages } = (await graph.getState(thread)).values;
    expect(messages.map((message: BaseMessage) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(lastWords(messages)).toBe("All done.");
  });

  it("ask by the thread's interrupt, and are answered by their address and digest", async () => {
    const place = await placeOf([delegates("mend it"), says("All done.")], {
      "mend it": [calls(edit("1", "2")), says("It is 2.")],
    });
    const { store, checkpointer } = await place.open();
    const graph = place.graph({ store, checkpointer });
    await graph.invoke(ask("go"), thread);
    const asked = await waiting(graph);
    expect(asked).toMatchObject({ agent: "helper", callId: "c1", toolName: "edit_file" });
    expect(asked.session).toMatch(/^otter@delegate-1-\d{8}T\d{4}-001$/u);
    await expect(answer(graph, { "otter@no:c1": { decision: "deny" } })).rejects.toThrow("no call otter@no:c1");
    await answer(graph, approves({ ...asked, digest: "f".repeat(64) }));
    expect(place.events).toContainEqual(expect.objectContaining({ type: "notice", code: "answer_refused" }));
    expect(await place.text("a.txt")).toBe("1\n");
    // The thread's own c1 is the call of agent, which waits for nobody.
    await answer(graph, { c1: { decision: "deny" } });
    const { messages } = await answer(graph, approves(await waiting(graph)));
    expect([await place.text("a.txt"), lastWords(messages)]).toEqual(["2\n", "All done."]);
    expect(String(messages.at(-2)?.content)).toContain("done after 2 steps");
    expect(store.readJournal(asked.session).turns()).toMatchObject([{ state: "done" }]);
  });

  it("go on in another process where one of two is answered, and the other one later", async () => {
    const writes = (name: string) => calls(["write_file", { file_path: name, content: `${name}\n` }]);
    const tool = toolOf(
      "have_both",
      async (_, { runChild }) => {
        const ends = await Promise.all(["one", "two"].map((task) => runChild?.({ task })));
        return ends.map((end) => end?.text).join();
      },
      { effect: "child" },
    );
    const place = await placeOf(
      [calls(["have_both", {}]), says("All done.")],
      { one: [writes("one"), says("One.")], two: [writes("two"), says("Two.")] },
      [tool],
    );
    const first = await place.open();
    await place.graph(first).invoke(ask("go"), thread);
    first.store.close();
    const second = await place.open();
    const graph = place.graph(second);
    const { calls: both } = await approvalOf(graph);
    expect(both.map(({ session }) => session)).toEqual(["otter@c1.1", "otter@c1.2"]);
    await answer(graph, approves(await waiting(graph)));
    expect((await approvalOf(graph)).calls.map(({ session }) => session)).toEqual(["otter@c1.2"]);
    second.store.close();
    const third = await place.open();
    const { messages } = await answer(place.graph(third), { "otter@c1.2:c1": { decision: "deny", reason: "not two" } });
    expect(messages.slice(-2).map(({ content }: BaseMessage) => content)).toEqual(["One.,Two.", "All done."]);
    expect(third.store.readJournal("otter@c1.1").allCalls()).toMatchObject([{ status: "success", attempt: 1 }]);
    expect([await place.text("one"), existsSync(join(place.workspace, "two"))]).toEqual(["one\n", false]);
  });

  it("are ended by a new message, with what waits in them", async () => {
    const place = await placeOf([delegates("mend it"), says("Something else.")], {
      "mend it": [calls(edit("1", "2")), says("never")],
    });
    const { store, checkpointer } = await place.open();
    const graph = place.graph({ store, checkpointer });
    await graph.invoke(ask("go"), thread);
    const asked = await waiting(graph);
    const { messages } = await graph.invoke(ask("leave it"), thread);
    expect([lastWords(messages), await place.text("a.txt")]).toEqual(["Something else.", "1\n"]);
    expect(store.readJournal(asked.session).allCalls()).toMatchObject([{ status: "cancelled" }]);
    expect(store.readJournal("otter").call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
  });

  it.each([
    ["only reads, and runs again", "none", 2, { status: "success" }],
    ["may have done something, and was ended with the run", "once", 1, { status: "error", errorCode: "CANCELLED" }],
  ] as const)("are left where a run is aborted, and gone on with by the next one: what ran %s", async (...given) => {
    const [, effect, times, end] = given;
    let runs = 0;
    const waits = toolOf(
      "wait_for_it",
      async (_, { signal }) => {
        runs += 1;
        if (runs === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        signal.throwIfAborted();
        return "waited";
      },
      { effect },
    );
    const place = await placeOf(
      [delegates("wait"), says("All done.")],
      { wait: [calls(["wait_for_it", {}]), says("Waited.")] },
      [waits],
    );
    Object.assign(place.parts, { mode: "full-auto" });
    const { store, checkpointer } = await place.open();
    const graph = place.graph({ store, checkpointer });
    const stop = new AbortController();
    const running = graph.invoke(ask("go"), { ...thread, signal: stop.signal }).catch(() => "aborted");
    await expect.poll(() => runs).toBe(1);
    stop.abort();
    expect(await running).toBe("aborted");
    const { messages } = await graph.invoke(null, thread);
    expect([lastWords(messages), runs]).toEqual(["All done.", times]);
    const [child, ...more] = store.sessions.children("otter");
    expect(more).toEqual([]);
    const journal = store.readJournal(child?.id ?? "");
    expect([journal.allCalls(), journal.turns()]).toMatchObject([[end], [{ state: "done", reason: "done" }]]);
  });

  it("are no threads of their own, and count against the steps of their thread's", async () => {
    const place = await placeOf([delegates("look"), says("All done.")], {
      look: Array.from({ length: 9 }, () => read),
    });
    Object.assign(place.parts, { maxSteps: 4 });
    const { store, checkpointer } = await place.open();
    const graph = place.graph({ store, checkpointer });
    await graph.invoke(ask("go"), thread);
    const [child] = store.sessions.children("otter");
    expect(store.readJournal(child?.id ?? "").steps()).toHaveLength(3);
    expect(place.events).toContainEqual(expect.objectContaining({ type: "error", code: "MAX_STEPS" }));
    await expect(graph.invoke(ask("mine"), at(child?.id ?? ""))).rejects.toThrow("whose call drives it: run that");
    const { messages } = await graph.invoke({ messages: [] }, thread);
    expect(lastWords(messages)).toBe("All done.");
  });
});
