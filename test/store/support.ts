import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { afterEach } from "vitest";
import { type OpenOptions, openStore } from "../../src/store/open-store.ts";
import type { Journal, Lease, Store } from "../../src/store/types.ts";
import { advance, type CallOf, type ToolCallInfo } from "../../src/tools/contract/call.ts";

const folders: string[] = [];
const stores: Store[] = [];

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A real file in a folder of its own; both go after the test. */
export function tempFile(name = "agent.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  folders.push(folder);
  return join(folder, name);
}

export async function open(options: Partial<OpenOptions> = {}): Promise<Store> {
  const store = await openStore({ file: tempFile(), ...options });
  stores.push(store);
  return store;
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

export function pendingCall(callId: string, more: Partial<CallOf<"pending">> = {}): CallOf<"pending"> {
  return {
    callId,
    modelCallId: `call_${callId}`,
    toolName: "read_file",
    arguments: { file_path: `src/${callId}.ts` },
    risk: "low",
    effect: "none",
    attempt: 1,
    times: { proposed: 1 },
    status: "pending",
    ...more,
  };
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
  await journal.commitReply({ stepId, after, message, calls });
  return message;
}

export const executing = (call: CallOf<"pending">, started = 2): CallOf<"executing"> =>
  advance<"pending", "executing">(call, { status: "executing", times: { started } });

/** The call begun, in the journal too. */
export async function begin(journal: Journal, call: CallOf<"pending">): Promise<CallOf<"executing">> {
  const after = executing(call);
  await journal.move([{ before: call, after }]);
  return after;
}

let made = 0;
/** Puts one checkpoint after another as LangGraph does: whole values, and the versions of what changed. */
export async function putState(
  saver: BaseCheckpointSaver,
  at: { thread: string; after?: string | undefined },
  values: Record<string, unknown>,
  step = 0,
): Promise<string> {
  made += 1;
  const id = `1f0${String(made).padStart(13, "0")}-0000-6000-8000-000000000000`;
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, saver.getNextVersion(undefined)]));
  const checkpoint: Checkpoint = {
    v: 4,
    id,
    ts: new Date(1_700_000_000_000 + made).toISOString(),
    channel_values: values,
    channel_versions: versions,
    versions_seen: { reasoning: versions, observation: versions },
  };
  const metadata: CheckpointMetadata = { source: "loop", step, parents: {} };
  const config = { configurable: { thread_id: at.thread, checkpoint_ns: "", checkpoint_id: at.after } };
  await saver.put(config, checkpoint, metadata, versions);
  return id;
}

export async function stateOf(
  saver: BaseCheckpointSaver,
  thread: string,
  id?: string,
): Promise<Record<string, unknown> | undefined> {
  const configurable = { thread_id: thread, checkpoint_ns: "", ...(id === undefined ? {} : { checkpoint_id: id }) };
  return (await saver.getTuple({ configurable }))?.checkpoint.channel_values;
}
