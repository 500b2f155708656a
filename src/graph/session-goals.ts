import { type Goals, goalCalls, goalsOf, goalsWithHelper, goalWork, makesGoals } from "../core/goals.ts";
import type { StepId } from "../core/step-id.ts";
import type { ChildRow, Store } from "../store/types.ts";
import { type EndedCalls, readOnceEnded } from "./ended-calls.ts";

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

const isBefore = (one: StepId, other: StepId): boolean =>
  one.turn === other.turn ? one.step < other.step : one.turn < other.turn;
