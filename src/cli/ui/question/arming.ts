// Keeps cli 4.
/** A question on the screen, and whether a key may already answer it. Times in milliseconds of one clock. */
export interface Arming {
  /** When its first frame was written; undefined before. */
  paintedAt: number | undefined;
  /** The last key that came before it was armed. */
  lastKeyAt: number;
  /** Until then a key may be one that is held down since before the question was there. */
  heldUntil: number;
  armed: boolean;
}

/** Milliseconds of one clock: now, and when the person's last key came, wherever it went. */
export interface Moment {
  now: number;
  keyAt: number;
}

/** A question must have been on the screen this long before a key decides. */
export const seenMs = 500;
/** And the person must have stopped typing for this long: what was begun before goes on into the draft. */
export const calmMs = 300;

/**
 * A key that went somewhere decides nothing for this long after it, and not while it is held down: terminals repeat a held key after some
 * 250 to 660 ms, then every 30 ms.
 */
export const breathMs = seenMs + calmMs;

export const unarmed = (lastKeyAt: number, heldUntil = 0): Arming => ({
  ...{ paintedAt: undefined, lastKeyAt, heldUntil },
  armed: false,
});

/** As it is when it comes up: not to be answered by the key that was pressed last, which may be held down. */
export const comesUp = ({ now, keyAt }: Moment): Arming => unarmed(now, keyAt + breathMs);

export const painted = (arming: Arming, now: number): Arming =>
  arming.paintedAt === undefined ? { ...arming, paintedAt: now } : arming;

/** A key at `now`: whether it may decide, and the state after it. Once armed it stays so. @param least milliseconds on the screen */
export function onKey(arming: Arming, now: number, least = seenMs): Arming {
  if (arming.armed) return arming;
  const seen = arming.paintedAt !== undefined && now - arming.paintedAt >= least && now >= arming.heldUntil;
  if (seen && now - arming.lastKeyAt >= calmMs) return { ...arming, armed: true };
  return { ...arming, lastKeyAt: now };
}
