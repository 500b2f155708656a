// Keeps cli 4.
/** A question on the screen, and whether a key may already answer it. Times in milliseconds of one clock. */
export interface Arming {
  /** The time when its first frame was written; undefined before. */
  paintedAt: number | undefined;
  /** The last key that decided nothing here: before the question came up, or before it was armed. */
  lastKeyAt: number;
  armed: boolean;
}

/** Milliseconds of one clock: now, and when the person's last key came, wherever it went. */
export interface Moment {
  now: number;
  keyAt: number;
}

/** A question must have been on the screen this long before a key decides. */
export const seenMs = 500;
/**
 * And no key must have come for this long, before the question or in front of it: what was begun goes on into the draft, and one that is held
 * down decides nothing, for terminals repeat it after some 250 to 660 ms, then every 30 ms.
 */
export const calmMs = 700;

/** A key that went somewhere decides nothing for this long after it. */
export const breathMs = 800;

export const unarmed = (lastKeyAt: number): Arming => ({ paintedAt: undefined, lastKeyAt, armed: false });

export const painted = (arming: Arming, now: number): Arming =>
  arming.paintedAt === undefined ? { ...arming, paintedAt: now } : arming;

/** A key at `now`: whether it may decide, and the state after it. Once armed it stays so. @param least milliseconds on the screen */
export function onKey(arming: Arming, now: number, least = seenMs): Arming {
  if (arming.armed) return arming;
  const seen = arming.paintedAt !== undefined && now - arming.paintedAt >= least;
  if (seen && now - arming.lastKeyAt >= calmMs) return { ...arming, armed: true };
  return { ...arming, lastKeyAt: now };
}
