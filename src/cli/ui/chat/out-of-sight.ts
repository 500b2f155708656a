import type { Geometry } from "../question/window.ts";
import type { Chat } from "./chat.ts";
import { modalOf, viewOf } from "./chat-state.ts";
import type { Frame } from "./live-frame.ts";
import { painted, questionIn, unseen } from "./surfaces.ts";

/** A question waits, and the window is too small to show it: no key may answer it. */
export const isOutOfSight = ({ open, aside }: Chat, frame: Frame): boolean =>
  frame.tooSmall && !aside && questionIn(open) !== undefined;

/** Back on the screen all must be seen anew before a key decides. The same state where nothing was armed. */
export function disarmed(chat: Chat, now: number): Chat {
  const open = unseen(chat.open, now);
  return open === chat.open ? chat : { ...chat, open };
}

/**
 * Notes that the surface in front in a frame that was written to the terminal can be seen from now on, and that all behind it must be seen
 * anew. The same state where that was known.
 */
export function withPainted(chat: Chat, geometry: Geometry, now: number): Chat {
  const open = painted(chat.open, viewOf(chat) ?? modalOf(chat), geometry, now);
  return open === chat.open ? chat : { ...chat, open };
}
