import type { BaseCheckpointSaver, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { advance, type CallOf } from "../../src/core/call.ts";

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

export const executing = (call: CallOf<"pending">, started = 2): CallOf<"executing"> =>
  advance<"pending", "executing">(call, { status: "executing", times: { started } });

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
