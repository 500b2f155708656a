import { faultPoint } from "../core/fault-point.ts";
import type { TurnReason } from "../graph/events.ts";
import { TurnLeft } from "../graph/turn-left.ts";
import type { SessionState, TurnRow } from "../store/types.ts";
import type { Live } from "./live.ts";
import { failureOf, reasonOf } from "./turn-end.ts";
import { openCallsOf, runningTurn } from "./unfinished-work.ts";

export type RunEnd =
  /** Calls wait for the person. */
  { kind: "paused" } | { kind: "ended"; reason: TurnReason; exitCode?: number };

/** Lets the graph run until it ends or waits, and writes down how it ended. Never throws: a failure is an end too. */
export async function runTurn(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): Promise<RunEnd> {
  try {
    // So that a session whose process dies is known by its open calls, and is not taken for one that is done.
    await live.runtime.journal.setState("running");
    const { question, values } = await live.run(how, turn);
    if (question !== undefined) return await paused(live);
    const unfinished = values.messages.at(-1)?.getType() === "tool";
    return await ended(live, reasonOf(values.ending, unfinished));
  } catch (error) {
    return error instanceof TurnLeft ? left(live) : failed(live, error);
  }
}

async function paused(live: Live): Promise<RunEnd> {
  await live.runtime.journal.setState(stateOf(live));
  return { kind: "paused" };
}

async function ended(live: Live, reason: TurnReason): Promise<RunEnd> {
  const { journal, emit } = live.runtime;
  faultPoint("before turn end written");
  // A turn that only ran out of steps can be gone on with.
  await journal.setTurn(live.standing().values.turn, reason === "max_steps" ? "running" : "done", reason);
  await journal.setState("idle");
  faultPoint("after turn end written");
  if (reason === "stuck") {
    const message = "the same calls failed again and again, so the turn was ended";
    emit({ type: "error", code: "STUCK", message, hint: "say what to do differently" });
  }
  return { kind: "ended", reason };
}

/** The turn stays as it is: open calls, approvals and all. */
async function left(live: Live): Promise<RunEnd> {
  await live.runtime.journal.setState(stateOf(live)).catch(() => undefined);
  return { kind: "ended", reason: "cancelled" };
}

function stateOf(live: Live): SessionState {
  const { waiting, interrupted } = openCallsOf(live);
  if (interrupted > 0) return "awaiting_recovery";
  return waiting > 0 ? "awaiting_approval" : "idle";
}

/** Tells a failure and notes it with the turn, which can be gone on with. Never throws. */
export async function failed(live: Live, error: unknown): Promise<RunEnd> {
  const { journal, emit } = live.runtime;
  const { code, message, hint, reason, exitCode, writable } = failureOf(error);
  if (code === "INTERNAL") live.runtime.reportDefect(error);
  if (writable) {
    // The failure is what is told; that its note could not be kept either adds nothing for the person.
    try {
      const running = runningTurn(live);
      if (running !== undefined) await journal.setTurn(running.turn, "running", reason);
      await journal.setState(stateOf(live));
    } catch {}
  }
  emit({ type: "error", code, message, ...(hint === undefined ? {} : { hint }) });
  return { kind: "ended", reason, exitCode };
}
