import { sameCall } from "../../../core/call-ref.ts";
import { nothing } from "../draw/block.ts";
import { unarmed } from "../question/arming.ts";
import { recover } from "../question/give-answers.ts";
import type { Question } from "../surface/surface.ts";
import type { Unsettled, View } from "../view/view.ts";
import { recoveryBlock } from "./recovery-frame.ts";
import { recoveryLines } from "./recovery-lines.ts";
import { type RecoveryMenu, type RecoveryStep, recoveryKey, recoveryPainted, syncRecovery } from "./recovery-state.ts";

const callOf = ({ ref }: RecoveryMenu, { recovery }: View): Unsettled | undefined =>
  recovery.find((one) => sameCall(one.ref, ref));

/** The question about calls whose end was not seen. */
export const recoverySurface: Question<RecoveryMenu, NonNullable<RecoveryStep["effect"]>> = {
  sync: (menu, view, before, at) => syncRecovery(menu, view.recovery, at, before.recovery[0]),
  whole: () => undefined,
  block(menu, { view, layouts }, space) {
    const call = callOf(menu, view);
    return call === undefined ? nothing : recoveryBlock(menu, call, view.recovery.length, space, layouts);
  },
  key(before, key, { screen, now, view }) {
    const call = callOf(before, view);
    if (call === undefined) return { state: before };
    const { menu: state, ...step } = recoveryKey(before, call, key, screen.geometry, now);
    return { state, ...step };
  },
  painted: (menu, _geometry, now) => (menu.paintedAt === undefined ? recoveryPainted(menu, now) : menu),
  unseen: (menu, now) => (menu.paintedAt === undefined ? menu : { ...menu, ...unarmed(now) }),
  // It must be seen as a new one.
  broughtBack: (menu, now) => ({ ...menu, ...unarmed(now) }),
  isBusy: ({ busy }) => busy,
  isAtMenu: () => true,
  refused: (menu, ref, message) => (sameCall(menu.ref, ref) ? { ...menu, busy: false, note: message } : menu),
  lines: recoveryLines,
  effects: { recover },
};
