import { type ToolCallInfo, toolSearchName } from "../core/call.ts";
import { type Goals, goalCalls, goalsOf, goalsWithHelper, goalWork, makesGoals } from "../core/goals.ts";
import type { StepId } from "../core/step-id.ts";
import type { ChildRow, JournalReading, Store } from "../store/types.ts";
import { namesFound } from "../tools/offering/search-tools.ts";

type EndedCalls = Pick<JournalReading, "succeeded" | "callCount" | "call" | "openCalls">;

/**
 * Makes a reader of a session's ended calls. These never change, so each call is looked at once.
 * @param carry with one more that came to its end; undefined where all of it is to be read again
 */
export function readOnceEnded<Found>(
  journal: EndedCalls,
  read: () => Found,
  carry: (found: Found, call: ToolCallInfo) => Found | undefined,
): () => Found {
  let known: { seen: number; found: Found } | undefined;
  return () => {
    const ended = endedBefore(journal);
    if (known?.seen === ended) return known.found;
    const carried = known && carriedOn(journal, carry, known, ended);
    known = { seen: ended, found: carried ?? read() };
    return known.found;
  };
}

/** Counts the first calls that have come to their end. */
function endedBefore(journal: EndedCalls): number {
  const [open] = journal.openCalls();
  return open === undefined ? journal.callCount() : Number(open.callId.slice(1)) - 1;
}

function carriedOn<Found>(
  journal: EndedCalls,
  carry: (found: Found, call: ToolCallInfo) => Found | undefined,
  { seen, found }: { seen: number; found: Found },
  to: number,
): Found | undefined {
  let carried: Found | undefined = found;
  for (let number = seen + 1; number <= to && carried !== undefined; number += 1) {
    const call = journal.call(`c${number}`);
    if (call !== undefined) carried = carry(carried, call);
  }
  return carried;
}

// Keeps graph 25.
/** Names of the tools that a session's calls of `search_tools` found, by these calls alone. */
export const foundTools = (journal: EndedCalls): (() => ReadonlySet<string>) =>
  readOnceEnded(
    journal,
    () => new Set(journal.succeeded(toolSearchName).flatMap(({ call }) => namesFound(call))),
    (found, call) => new Set([...found, ...namesFound(call)]),
  );

/** The goals of one session, by its calls alone. */
export interface SessionGoals {
  /** As all its calls have left them, with the helpers that these had work for them. */
  now(): Goals;
  /** As the calls before this step had left them, which stays so. */
  before(step: StepId): Goals;
}

// Keeps graph 18.
/** @param children of the session's calls */
export function sessionGoals(journal: EndedCalls, children: () => readonly ChildRow[] = () => []): SessionGoals {
  const read = () => {
    const made = goalCalls(journal);
    return { made, goals: goalsOf(made.map(({ call }) => call)) };
  };
  const look = readOnceEnded(journal, read, (found, call) => (makesGoals(call) ? undefined : found));

  return {
    now() {
      const { goals } = look();
      if (goals.length === 0) return goals;
      return children().reduce((now, { id, spec }) => goalsWithHelper(now, id, goalWork(spec)), goals);
    },
    before(step) {
      const { made, goals } = look();
      const earlier = made.filter(({ stepId }) => isBefore(stepId, step));
      return earlier.length === made.length ? goals : goalsOf(earlier.map(({ call }) => call));
    },
  };
}

/** All of a session's goals, as a reading of it has them. */
export const recordedGoals = (store: Pick<Store, "readJournal" | "sessions">, id: string): Goals =>
  sessionGoals(store.readJournal(id), () => store.sessions.children(id)).now();

export const isBefore = (one: StepId, other: StepId): boolean =>
  one.turn === other.turn ? one.step < other.step : one.turn < other.turn;
