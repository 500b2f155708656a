import type { Chat } from "./chat-state.ts";
import type { Frame } from "./live-frame.ts";

/** A question on the screen, and whether a key may already answer it. Times in milliseconds of one clock. */
export interface Arming {
  /** When its first frame was written; undefined before. */
  paintedAt: number | undefined;
  /** The last key that came before it was armed. */
  lastKeyAt: number;
  armed: boolean;
}

/** A question must have been on the screen this long before a key decides. */
export const seenMs = 500;
/** And the person must have stopped typing for this long: what was begun before goes on into the draft. */
export const calmMs = 300;

export const unarmed = (lastKeyAt: number): Arming => ({ paintedAt: undefined, lastKeyAt, armed: false });

export const painted = (arming: Arming, now: number): Arming =>
  arming.paintedAt === undefined ? { ...arming, paintedAt: now } : arming;

/** A key at `now`: whether it may decide, and the state after it. Once armed it stays so. */
export function onKey(arming: Arming, now: number): Arming {
  if (arming.armed) return arming;
  const seen = arming.paintedAt !== undefined && now - arming.paintedAt >= seenMs;
  if (seen && now - arming.lastKeyAt >= calmMs) return { ...arming, armed: true };
  return { ...arming, lastKeyAt: now };
}

/** A question waits, and the window is too small to show it: no key may answer it. */
export const isOutOfSight = ({ dialog, menu, aside }: Chat, frame: Frame): boolean =>
  frame.tooSmall && !aside && (dialog !== undefined || menu !== undefined);

/** Back on the screen it is a new question, which must be seen before a key decides. The same state where it was not armed. */
export function disarmed(chat: Chat, now: number): Chat {
  const { dialog, menu } = chat;
  if (dialog?.paintedAt === undefined && menu?.paintedAt === undefined) return chat;
  const again = unarmed(now);
  return {
    ...chat,
    dialog: dialog === undefined ? dialog : { ...dialog, ...again },
    menu: menu === undefined ? menu : { ...menu, ...again },
  };
}
