/** The time that the agent has worked on the turn; the person's time to answer is not counted. Milliseconds. */
export interface TurnClock {
  /** Of the times that are over. */
  worked: number;
  /** The time when it went on last; undefined while it stands. */
  since: number | undefined;
}

export const stopped: TurnClock = { worked: 0, since: undefined };

/** The state that tells whether the agent works. */
interface Work {
  running: boolean;
  /** A question of the agent is open: it waits for the person. */
  asking: boolean;
}

/** The clock after a step of the screen; `fresh` where a new turn has begun with it. */
export function ticked(clock: TurnClock, { running, asking }: Work, fresh: boolean, now: number): TurnClock {
  const before = fresh ? stopped : clock;
  const works = running && !asking;
  if (works === (before.since !== undefined)) return before;
  return works ? { ...before, since: now } : { worked: workedUntil(before, now), since: undefined };
}

export const workedUntil = ({ worked, since }: TurnClock, now: number): number =>
  since === undefined ? worked : worked + Math.max(0, now - since);
