import { type Dialog, dialogPainted } from "../dialog/dialog-state.ts";
import { unarmed } from "../question/arming.ts";
import type { Geometry } from "../question/window.ts";
import { recoveryPainted } from "../recovery/recovery-state.ts";
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

/**
 * Brought back by Enter: keys count once it is on the screen, and an Enter that is held down must not answer it. The menu of a call whose end
 * was not seen must be seen as a new one.
 */
export function broughtBack(chat: Chat, now: number): Chat {
  const { dialog, menu } = chat;
  return {
    ...chat,
    aside: false,
    dialog: dialog === undefined ? dialog : { ...dialog, paintedAt: undefined, went: { by: "enter", at: now } },
    menu: menu === undefined ? menu : { ...menu, ...unarmed(now) },
  };
}

/** The question of a frame that was written to the terminal can be seen from now on. The same state where that was known. */
export function withPainted(chat: Chat, geometry: Geometry, now: number): Chat {
  const { dialog, menu, aside } = chat;
  if (aside) return chat;
  const seen = dialog === undefined ? dialog : dialogPainted(dialog, geometry, now);
  const shown = menu === undefined ? menu : recoveryPainted(menu, now);
  if (isSamePainted(seen, dialog) && shown?.paintedAt === menu?.paintedAt) return chat;
  return { ...chat, dialog: seen, menu: shown };
}

const isSamePainted = (one: Dialog | undefined, other: Dialog | undefined): boolean =>
  one?.paintedAt === other?.paintedAt && one?.seen === other?.seen && one?.whole === other?.whole;
