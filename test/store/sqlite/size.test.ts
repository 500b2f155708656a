import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { advance, type ToolCallInfo } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import type { Store } from "../../../src/store/types.ts";
import { executing, open, pendingCall, putState, stateOf, tempFile, ticking } from "../support.ts";

const steps = 200;

/** Each call's words are those of its row. */
function fillFromJournal(store: Store): void {
  store.saver.fillObservations((session, callId) => {
    const call = store.readJournal(session).call(callId);
    return call?.status === "success" ? { content: call.result.output } : undefined;
  });
}

/** One step with one read: reply, start, end, and a checkpoint after each of four nodes. */
async function runSteps(store: Store, session: string): Promise<void> {
  await store.sessions.create({ id: session, workspace: "/w", model: "demo", title: "two hundred reads" });
  const journal = store.journal(await store.acquire(session));
  const prompt = new HumanMessage({ id: "h1", content: "read all of it" });
  await journal.addTurn({ text: "read all of it", message: prompt, queued: false });
  let messages: BaseMessage[] = [prompt];
  let at: string | undefined;
  const put = async (step: number, pending: ToolCallInfo[], completed: ToolCallInfo[]): Promise<void> => {
    const values = { messages, pendingToolCalls: pending, completedToolCalls: completed, turn: 1, step };
    at = await putState(store.saver, { thread: session, after: at }, values, step);
  };
  for (let step = 1; step <= steps; step += 1) {
    const callId = `c${step}`;
    const proposed = 1_700_000_000_000 + step;
    const call = pendingCall(callId, { times: { proposed }, digest: sha256(callId) });
    const message = new AIMessage({
      id: `a${step}`,
      content: "",
      tool_calls: [{ id: callId, name: "read_file", args: call.arguments }],
    });
    const stepId = { turn: 1, step };
    await journal.commitReply({ stepId, after: messages.at(-1), message, calls: [call] });
    messages = [...messages, message];
    await put(step, [call], []);
    const by = { actor: "policy", rule: "table:low" } as const;
    const why = "read_file is in the risk table as low";
    const verdict = { decision: "allow", risk: "low", rule: { source: "table" }, why };
    await journal.noteVerdicts([{ callId, by, risk: "low", verdict }]);
    const running = { ...executing(call, proposed + 1), by };
    await journal.move([{ before: call, after: running }]);
    await put(step, [running], []);
    // The worst case: text that hardly gets smaller.
    const result = { output: randomBytes(768).toString("base64"), title: "src/a.ts" };
    const done = advance<"executing", "success">(running, {
      status: "success",
      result,
      times: { settled: proposed + 2 },
    });
    await journal.move([{ before: running, after: done }]);
    await put(step, [], [done]);
    const told = { id: `o-${callId}`, tool_call_id: callId, name: "read_file", content: result.output };
    messages = [...messages, new ToolMessage(told)];
    await put(step, [], []);
  }
}

test("two hundred reads of 1 KB leave at most 400 kB on disk, and nothing beside the file", async () => {
  const file = tempFile();
  const store = await open({ file, clock: ticking() });
  fillFromJournal(store);
  await runSteps(store, "calm-fox-0001");
  store.close();

  const size = statSync(file).size;
  expect(size).toBeGreaterThan(steps * 768);
  expect(size).toBeLessThanOrEqual(400_000);
  expect([`${file}-wal`, `${file}-shm`].filter((beside) => existsSync(beside))).toEqual([]);

  const again = await open({ file });
  fillFromJournal(again);
  const state = (await stateOf(again.saver, "calm-fox-0001")) ?? {};
  const messages = state["messages"] as BaseMessage[];
  expect(messages.map((message) => message.id)).toEqual([
    "h1",
    ...Array.from({ length: steps }, (_, i) => [`a${i + 1}`, `o-c${i + 1}`]).flat(),
  ]);
  const said = messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text.length);
  expect(said).toEqual(Array(steps).fill(1024));
  expect(again.readJournal("calm-fox-0001").callCount()).toBe(steps);
});
