import { unarmed } from "../question/arming.ts";
import type { Chat } from "./chat-state.ts";
import type { Frame } from "./live-frame.ts";

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
