import type { TurnRow } from "../store/types.ts";
import type { TurnReason } from "./events.ts";
import type { Live } from "./live.ts";
import { openCallsOf } from "./standing.ts";
import { failureOf, reasonOf } from "./turn-end.ts";
import type { Change } from "./waiting.ts";

export type RunEnd =
  /** Calls wait for the person; `changes` are those whose published plan was replaced meanwhile. */
  { kind: "paused"; changes: ReadonlyMap<string, Change> } | { kind: "ended"; reason: TurnReason; exitCode?: number };

/** Lets the graph run until it ends or waits, and writes down how it ended. Never throws: a failure is an end too. */
export async function runTurn(live: Live, how: "turn" | "resume" | "again", turn?: TurnRow): Promise<RunEnd> {
  try {
    // So that a session whose process dies is known by its open calls, and is not taken for one that is done.
    await live.runtime.journal.setState("running");
    const { waits, values } = await live.run(how, turn);
    if (waits) return await paused(live);
    const unfinished = values.messages.at(-1)?.getType() === "tool";
    return await ended(live, reasonOf(values.ending, unfinished));
  } catch (error) {
    return failed(live, error);
  }
}

async function paused(live: Live): Promise<RunEnd> {
  const { interrupted } = openCallsOf(live);
  await live.runtime.journal.setState(interrupted > 0 ? "awaiting_recovery" : "awaiting_approval");
  const changes = new Map(live.runtime.changes);
  live.runtime.changes.clear();
  return { kind: "paused", changes };
}

async function ended(live: Live, reason: TurnReason): Promise<RunEnd> {
  const { journal, emit } = live.runtime;
  // A turn that only ran out of steps can be gone on with.
  await journal.setTurn(live.standing().values.turn, reason === "max_steps" ? "running" : "done", reason);
  await journal.setState("idle");
  if (reason === "stuck") {
    const message = "the same calls failed again and again, so the turn was ended";
    emit({ type: "error", code: "STUCK", message, hint: "say what to do differently" });
  }
  return { kind: "ended", reason };
}

async function failed(live: Live, error: unknown): Promise<RunEnd> {
  const { journal, emit } = live.runtime;
  const { code, message, hint, reason, exitCode, writable } = failureOf(error);
  if (writable) {
    const running = journal.turns().find((turn) => turn.state === "running");
    // The failure is what is told; that its note could not be kept either adds nothing for the person.
    if (running !== undefined) await journal.setTurn(running.turn, "running", reason).catch(() => undefined);
    await journal.setState("idle").catch(() => undefined);
  }
  emit({ type: "error", code, message, ...(hint === undefined ? {} : { hint }) });
  return { kind: "ended", reason, exitCode };
}
