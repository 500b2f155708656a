import { setTimeout as pause } from "node:timers/promises";
import type { CallRef } from "../core/call-ref.ts";
import { wholePrefix } from "../graph/calls/partial.ts";
import type { AnswerRefusal } from "../graph/decisions.ts";
import type { NewRequest, RequestEnd, Store } from "../store/types.ts";

/** An answer to the question with this digest (of a whole one at least 12 characters), and to no other. */
export type OutsideDecision =
  | { decision: "approve"; digest: string }
  /** Without a digest it denies what waits now. */
  | { decision: "deny"; digest?: string; reason?: string };

/**
 * The outcome of an answer. `taken`: it holds. `refused`: nothing was decided by it, `message` says why. `waits`: nobody drives the session;
 * whoever resumes it takes the answer first, if the question is still the same. `unheard`: its driver has not looked at it in time; the
 * answer stays.
 */
export type OutsideAnswer =
  | { became: "taken" }
  | { became: "refused"; code: AnswerRefusal; message: string }
  | { became: "waits" | "unheard"; message: string };

/**
 * The outcome of a stop: in `stopped`, `kept` (the question waits on), `idle`, `not_driven` and `ended` (its driver has ended) nothing runs any
 * more. `unheard`: its driver has not looked at it in time.
 */
export interface OutsideStop {
  became: "stopped" | "kept" | "idle" | "not_driven" | "ended" | "unheard";
  message: string;
}

type DriverStore = Pick<Store, "requests" | "readJournal">;
type End = { became: RequestEnd; said?: string };

/** The pause between two looks for its outcome, and the longest time in which to look; in milliseconds. */
const lookEveryMs = 25;
const waitMs = 15_000;

/** Gives an answer to whoever drives the session, or will. @throws Error where there is no such session, StoreFailure, SessionBusy */
export async function answerElsewhere(
  store: DriverStore,
  { session, call }: CallRef,
  decision: OutsideDecision,
  patience = waitMs,
): Promise<OutsideAnswer> {
  const asked = store.readJournal(session).call(call);
  const now = asked !== undefined && "digest" in asked ? asked.digest : undefined;
  const digest = wholeDigest(decision.digest, now);
  if (digest === undefined) return refusedAs("not_waiting", `call ${call} of session ${session} does not wait`);
  const told = decision.decision === "deny" && decision.reason !== undefined ? { reason: decision.reason } : {};
  const written = await store.requests.add({
    ...{ kind: "answer", session, call, digest, decision: decision.decision, ...told },
  } satisfies NewRequest);
  if (!written.written) return refusedAs(written.became === "stale" ? "stale" : "not_waiting", written.said);
  const end = await endOf(store, session, written.key, patience);
  if (end === "alone")
    return { became: "waits", message: `nobody drives session ${session}: the answer counts when it is resumed` };
  if (end === "unheard") return { became: "unheard", message: unheard(session) };
  if (end.became === "taken") return { became: "taken" };
  return refusedAs(end.became as AnswerRefusal, end.said ?? "nothing was decided by it");
}

/** Has whoever drives the session stop what runs in it. @throws Error where there is no such session, StoreFailure, SessionBusy */
export async function stopElsewhere(store: DriverStore, session: string, patience = waitMs): Promise<OutsideStop> {
  const written = await store.requests.add({ kind: "stop", session });
  if (!written.written) return { became: "not_driven", message: written.said };
  const end = await endOf(store, session, written.key, patience);
  if (end === "unheard") return { became: "unheard", message: unheard(session) };
  if (end === "alone" || end.became === "late")
    return { became: "ended", message: `the process that drove session ${session} has ended: nothing of it runs` };
  switch (end.became) {
    case "idle":
      return { became: "idle", message: `nothing ran in session ${session}` };
    case "kept":
      return { became: "kept", message: `nothing ran in session ${session}: its question waits on` };
    default:
      return { became: "stopped", message: `session ${session} was stopped` };
  }
}

const unheard = (session: string): string =>
  `the process that drives session ${session} has not answered yet: it is told as soon as it works again`;

const refusedAs = (code: AnswerRefusal, message: string): OutsideAnswer => ({ became: "refused", code, message });

/** Completes a named digest: the waiting one is meant where none is named, and by as much of it as a person copies. */
function wholeDigest(named: string | undefined, now: string | undefined): string | undefined {
  const isBeginning = named !== undefined && named.length >= wholePrefix && now?.startsWith(named) === true;
  return named === undefined || isBeginning ? now : named;
}

/** `alone`: nobody drives the session, and nobody has heard it. */
async function endOf(
  { requests }: DriverStore,
  session: string,
  key: number,
  patience: number,
): Promise<End | "alone" | "unheard"> {
  for (const until = performance.now() + patience; ; await pause(lookEveryMs)) {
    // In this order: a driver that hears it and ends in between has heard it.
    const isDriven = requests.isDriven(session);
    const end = requests.get(key)?.end;
    if (end !== undefined) return end;
    if (!isDriven) return "alone";
    if (performance.now() > until) return "unheard";
  }
}
