import type { ToolCallInfo } from "../core/call.ts";
import { type Goals, goalCalls, goalsOf, goalsWithHelper, goalWork, makesGoals } from "../core/goals.ts";
import type { StepId } from "../core/step-id.ts";
import type { ChildRow, JournalReading, Store } from "../store/types.ts";

type Recorded = Pick<JournalReading, "succeeded" | "callCount" | "call" | "openCalls">;

/** The goals of one session, by its calls alone. */
export interface SessionGoals {
  /** As all its calls have left them, with the helpers that these had work for them. */
  now(): Goals;
  /** As the calls before this step had left them, which stays so. */
  before(step: StepId): Goals;
}

// Keeps graph 18.
/**
 * What has ended never changes, so each call is looked at once; those of the tool are read again only where one of them came to its end.
 * @param children of the session's calls
 */
export function sessionGoals(journal: Recorded, children: () => readonly ChildRow[] = () => []): SessionGoals {
  let made: readonly { call: ToolCallInfo; stepId: StepId }[] = [];
  let goals: Goals = [];
  let seen: number | undefined;

  const look = (): typeof made => {
    const ended = endedBefore(journal);
    if (ended === seen) return made;
    if (seen === undefined || hasGoalCall(journal, seen, ended)) {
      made = goalCalls(journal);
      goals = goalsOf(made.map(({ call }) => call));
    }
    seen = ended;
    return made;
  };

  return {
    now() {
      look();
      if (goals.length === 0) return goals;
      return children().reduce((now, { id, spec }) => goalsWithHelper(now, id, goalWork(spec)), goals);
    },
    before(step) {
      const earlier = look().filter(({ stepId }) => isBefore(stepId, step));
      return earlier.length === made.length ? goals : goalsOf(earlier.map(({ call }) => call));
    },
  };
}

/** All of a session's goals, as a reading of it has them. */
export const recordedGoals = (store: Pick<Store, "readJournal" | "sessions">, id: string): Goals =>
  sessionGoals(store.readJournal(id), () => store.sessions.children(id)).now();

/** How many of the first calls have come to their end. */
function endedBefore(journal: Recorded): number {
  const [open] = journal.openCalls();
  return open === undefined ? journal.callCount() : numberOf(open) - 1;
}

const numberOf = ({ callId }: ToolCallInfo): number => Number(callId.slice(1));

function hasGoalCall(journal: Recorded, from: number, to: number): boolean {
  for (let number = from + 1; number <= to; number += 1) {
    const call = journal.call(`c${number}`);
    if (call !== undefined && makesGoals(call)) return true;
  }
  return false;
}

const isBefore = (one: StepId, other: StepId): boolean =>
  one.turn === other.turn ? one.step < other.step : one.turn < other.turn;
