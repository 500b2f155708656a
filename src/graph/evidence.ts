import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { CallMove } from "../store/types.ts";
import type { CallOf, Decider } from "../tools/contract/call.ts";
import type { Sha } from "../tools/contract/json.ts";
import type { FilePlan, Plan } from "../tools/contract/tool.ts";
import type { Runtime } from "./runtime.ts";
import { foundDone, interruptCall, record, retry } from "./transitions.ts";

/** Beyond so many starts whose end was never seen, the person decides: the call may be what kills the process. */
export const maxUnseenStarts = 3;

/** sha256 of a file's bytes; null where there is none; undefined where it cannot be read. */
async function hashOf(path: string): Promise<Sha | null | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
    return hash.digest("hex");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}

export type Evidence = "done" | "not_done" | "unclear";

/** What the bytes on disk say about a file effect: all as approved, all as before, or neither. */
export async function evidenceOf(plan: Plan | undefined): Promise<Evidence> {
  const files: FilePlan[] = plan?.files ?? [];
  if (files.length === 0) return "unclear";
  const now = await Promise.all(files.map((file) => hashOf(file.real)));
  if (files.every((file, i) => now[i] === file.after)) return "done";
  if (files.every((file, i) => now[i] === file.before)) return "not_done";
  return "unclear";
}

const unseen = "its process ended while it ran";

/**
 * Calls found `executing` at a node's first line: no end was seen. They become `interrupted`, and from there, without the
 * person: reads and our own idempotent data run again; file effects are settled by the bytes on disk. The rest waits.
 */
export async function settleUnseen(runtime: Runtime, stepId: string): Promise<void> {
  const found = runtime.journal.callsOf(stepId).filter((call) => call.status === "executing");
  if (found.length === 0) return;
  await record(runtime, found.map((call) => interruptCall(call, unseen)));
  for (const call of runtime.journal.callsOf(stepId)) {
    if (call.status !== "interrupted" || call.reason !== unseen) continue;
    const move = await byEvidence(runtime, call);
    if (move !== undefined) await record(runtime, [move]);
  }
}

async function byEvidence(runtime: Runtime, call: CallOf<"interrupted">): Promise<CallMove | undefined> {
  if (call.attempt >= maxUnseenStarts && call.effect !== "file") return undefined;
  const by: Decider = call.by ?? { actor: "recovery" };
  const at = runtime.clock();
  switch (call.effect) {
    case "none":
    case "store":
    case "child": {
      const move = retry(call, by, at);
      if (by.actor === "person" && call.digest !== undefined) move.unspend = call.digest;
      return move;
    }
    case "file":
      return byBytes(runtime, call, by);
    case "once":
      return undefined;
  }
}

async function byBytes(runtime: Runtime, call: CallOf<"interrupted">, by: Decider): Promise<CallMove | undefined> {
  const evidence = await evidenceOf(runtime.journal.planOf(call.callId));
  const at = runtime.clock();
  if (evidence === "done") {
    const output = "Done: the bytes on disk are those that were approved (seen after an interruption).";
    return foundDone(call, { actor: "recovery", rule: "evidence" }, { output }, "the bytes on disk are those approved", at);
  }
  if (evidence === "unclear" || call.attempt >= maxUnseenStarts) return undefined;
  const move = retry(call, by, at);
  if (by.actor === "person" && call.digest !== undefined) move.unspend = call.digest;
  return move;
}
