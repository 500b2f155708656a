import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { onTestFinished } from "vitest";
import type { CallOf, ToolCallInfo } from "../../src/core/call.ts";
import { parseStep } from "../../src/core/step-id.ts";
import { type OpenOptions, openStore } from "../../src/store/open-store.ts";
import type { Journal, Lease, Store } from "../../src/store/types.ts";
import { executing } from "./support-data.ts";

export { executing, pendingCall, putState } from "./support-data.ts";

export function tempFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A real file in a folder of its own; both go after the test. */
export function tempFile(name = "agent.db"): string {
  const folder = tempFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, name);
}

export async function open(options: Partial<OpenOptions> = {}): Promise<Store> {
  const store = await openStore({ ...options, file: options.file ?? tempFile() });
  onTestFinished(() => store.close());
  return store;
}

/** Where a store may be: each test of a describe over these has a fresh one. */
export const places: [where: string, place: () => string][] = [
  ["in a file", tempFile],
  ["in memory", () => ":memory:"],
];

/** The store as the next process finds it; one in memory has none, so it stays what it is. */
export async function reopened(store: Store, options: Partial<OpenOptions> = {}): Promise<Store> {
  if (store.file === ":memory:") return store;
  store.close();
  return await open({ ...options, file: store.file });
}

/** A clock that shows a new millisecond at each look. */
export function ticking(from = 1_700_000_000_000): () => number {
  let now = from;
  return () => {
    now += 1;
    return now;
  };
}

export interface Driven {
  store: Store;
  lease: Lease;
  journal: Journal;
}

export async function drive(store: Store, id = "calm-fox-0001"): Promise<Driven> {
  if (store.sessions.get(id) === undefined)
    await store.sessions.create({ id, workspace: "/w", model: "demo", title: "a title" });
  const lease = await store.acquire(id);
  return { store, lease, journal: store.journal(lease) };
}

/** A reply of the model with these calls, committed as the first thing of its step. */
export async function commitCalls(
  journal: Journal,
  stepId: string,
  calls: ToolCallInfo[],
  after?: BaseMessage,
): Promise<AIMessage> {
  const message = new AIMessage({
    id: `m-${stepId}`,
    content: "",
    tool_calls: calls.map((call) => ({ id: call.callId, name: call.toolName, args: call.arguments })),
  });
  await journal.commitReply({ stepId: parseStep(stepId), after, message, calls });
  return message;
}

/** The call begun, in the journal too. */
export async function begin(journal: Journal, call: CallOf<"pending">): Promise<CallOf<"executing">> {
  const after = executing(call);
  await journal.move([{ before: call, after }]);
  return after;
}

export async function stateOf(
  saver: BaseCheckpointSaver,
  thread: string,
  id?: string,
): Promise<Record<string, unknown> | undefined> {
  const configurable = { thread_id: thread, checkpoint_ns: "", ...(id === undefined ? {} : { checkpoint_id: id }) };
  return (await saver.getTuple({ configurable }))?.checkpoint.channel_values;
}
