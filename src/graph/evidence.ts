import { dirname } from "node:path";
import type { CallMove } from "../store/types.ts";
import type { CallOf, Decider } from "../tools/contract/call.ts";
import type { FilePlan, Plan } from "../tools/contract/tool.ts";
import { hashFile, sweepTemporaries } from "../tools/workspace/temporaries.ts";
import type { Runtime } from "./runtime.ts";
import { foundDone, interruptCall, record, retry } from "./transitions.ts";

/** Beyond so many starts whose end was never seen, the person decides: the call may be what kills the process. */
export const maxUnseenStarts = 3;

export type Evidence =
  | { kind: "done" | "not_done" }
  /** Neither; `why` in words for the person. */
  | { kind: "unclear"; why: string };

/**
 * What the bytes on disk say about a file effect: all as approved, all as before, or neither. Leftovers of the interrupted
 * write are removed first; bytes that somebody else saved in its last instant are kept, and make the case unclear.
 */
export async function evidenceOf(plan: Plan | undefined): Promise<Evidence> {
  const files: FilePlan[] = plan?.files ?? [];
  if (files.length === 0) return { kind: "unclear", why: "its plan names no file" };
  const swept = await Promise.all([...new Set(files.map((file) => dirname(file.real)))].map(sweepOf));
  const kept = swept.flat();
  if (kept.length > 0) return { kind: "unclear", why: `bytes saved by another program are kept in ${kept.join(", ")}` };
  const now = await Promise.all(files.map((file) => hashFile(file.real).catch(() => undefined)));
  if (files.every((file, i) => now[i] === file.after)) return { kind: "done" };
  if (files.every((file, i) => now[i] === file.before)) return { kind: "not_done" };
  return { kind: "unclear", why: "the bytes on disk are neither those before it nor those that were approved" };
}

/** A folder that is gone holds no leftovers. */
const sweepOf = (folder: string): Promise<string[]> =>
  sweepTemporaries(folder).then(
    ({ kept }) => kept,
    () => [],
  );

const unseen = "its process ended while it ran";

/**
 * Calls found `executing` at a node's first line: no end was seen. They become `interrupted`, and from there, without the
 * person: reads and our own idempotent data run again; file effects are settled by the bytes on disk. The rest waits.
 */
export async function settleUnseen(runtime: Runtime, stepId: string): Promise<void> {
  const found = runtime.journal.callsOf(stepId).filter((call) => call.status === "executing");
  if (found.length === 0) return;
  await record(
    runtime,
    found.map((call) => interruptCall(call, unseen)),
  );
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
  const plan = runtime.journal.planOf(call.callId);
  const evidence = await evidenceOf(plan);
  const at = runtime.clock();
  if (evidence.kind === "done") {
    const [file] = plan?.files ?? [];
    const metadata = file?.after == null ? {} : { metadata: { path: file.real, sha: file.after } };
    const output = "Done: the bytes on disk are those that were approved (seen after an interruption).";
    const title = plan?.summary ?? call.toolName;
    return foundDone(
      call,
      { actor: "recovery", rule: "evidence" },
      { output, title, ...metadata },
      "the bytes on disk are those approved",
      at,
    );
  }
  if (evidence.kind === "unclear" || call.attempt >= maxUnseenStarts) return undefined;
  const move = retry(call, by, at);
  if (by.actor === "person" && call.digest !== undefined) move.unspend = call.digest;
  return move;
}
