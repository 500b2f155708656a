import type { Geometry } from "../question/window.ts";
import type { Chat } from "./chat.ts";
import type { Frame } from "./live-frame.ts";
import { painted, questionIn, unseen } from "./surfaces.ts";

/** A question waits, and the window is too small to show it: no key may answer it. */
export const isOutOfSight = ({ open, aside }: Chat, frame: Frame): boolean =>
  frame.tooSmall && !aside && questionIn(open) !== undefined;

/** Back on the screen it is a new question, which must be seen before a key decides. The same state where it was not armed. */
export function disarmed(chat: Chat, now: number): Chat {
  const open = unseen(chat.open, now);
  return open === chat.open ? chat : { ...chat, open };
}

/** The question of a frame that was written to the terminal can be seen from now on. The same state where that was known. */
export function withPainted(chat: Chat, geometry: Geometry, now: number): Chat {
  const open = chat.aside ? chat.open : painted(chat.open, geometry, now);
  return open === chat.open ? chat : { ...chat, open };
}
