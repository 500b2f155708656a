import { type CallRef, sameCall } from "../../../core/call-ref.ts";
import type { RecoveryChoice } from "../../../graph/events.ts";
import { recovery } from "../../../words/en/recovery.ts";
import type { Key } from "../../terminal/key.ts";
import { type Arming, type Moment, onKey, painted, unarmed } from "../question/arming.ts";
import { type Geometry, readBy, scrolledBy } from "../question/window.ts";
import type { Unsettled } from "../view/view.ts";

/** `look` is ours: it shows the call again and decides nothing. */
export type RecoveryRow = "look" | RecoveryChoice;

export interface RecoveryMenu extends Arming {
  ref: CallRef;
  row: number;
  looking: boolean;
  scroll: number;
  busy: boolean;
  note: string;
}

export interface RecoveryStep {
  menu: RecoveryMenu;
  effect?: { do: "recover"; ref: CallRef; choice: RecoveryChoice };
  toDraft?: boolean;
}

/** None that decides is a key that goes somewhere in another view. */
export const recoveryKeyOf: Record<RecoveryRow, string> = { look: "l", retry: "r", done: "w", cancel: "c" };

/** Looking comes first and has the focus: Enter alone changes nothing. */
export const recoveryRows = (call: Unsettled): RecoveryRow[] => [
  "look",
  ...(["retry", "done", "cancel"] as const).filter((choice) => call.choices.includes(choice)),
];

/** The menu for the first call whose end was not seen; the next one starts anew, and so does one that is asked about again. */
export function syncRecovery(
  menu: RecoveryMenu | undefined,
  calls: readonly Unsettled[],
  at: Moment,
  before?: Unsettled,
): RecoveryMenu | undefined {
  const first = calls[0];
  if (first === undefined) return undefined;
  const again = menu?.busy === true && before !== undefined && before !== first;
  if (menu !== undefined && sameCall(menu.ref, first.ref) && !again) return menu;
  return { ...unarmed(at.keyAt), ref: first.ref, row: 0, looking: false, scroll: 0, busy: false, note: "" };
}

export const recoveryPainted = (menu: RecoveryMenu, now: number): RecoveryMenu => ({ ...menu, ...painted(menu, now) });

/** One key for the recovery menu; the rules of arming are those of the approval dialog. */
export function recoveryKey(
  menu: RecoveryMenu,
  call: Unsettled,
  key: Key,
  geometry: Geometry,
  now: number,
): RecoveryStep {
  const next: RecoveryMenu = { ...menu, ...onKey(menu, now) };
  if (!next.armed) return { menu: next, toDraft: true };
  if (next.busy) return { menu: next };
  const by = next.looking ? readBy(key, geometry.window) : undefined;
  if (by !== undefined) {
    return { menu: { ...next, scroll: scrolledBy(next.scroll, by, geometry) } };
  }
  return rowKey(next, call, key);
}

function rowKey(menu: RecoveryMenu, call: Unsettled, key: Key): RecoveryStep {
  const rows = recoveryRows(call);
  switch (key.name) {
    case "up":
      return { menu: { ...menu, row: Math.max(0, menu.row - 1), note: "" } };
    case "down":
      return { menu: { ...menu, row: Math.min(rows.length - 1, menu.row + 1), note: "" } };
    case "escape":
      return { menu: { ...menu, looking: false, note: "" } };
    case "enter":
      return pick(menu, rows[menu.row] ?? "look");
    case "paste":
      return { menu: { ...menu, note: recovery().pasted } };
    case "char":
      return key.ctrl || key.alt ? { menu } : letter(menu, rows, key.text ?? "");
    default:
      return { menu };
  }
}

function letter(menu: RecoveryMenu, rows: RecoveryRow[], text: string): RecoveryStep {
  const row = rows.find((one) => recoveryKeyOf[one] === text);
  return row === undefined ? { menu: { ...menu, note: recovery().noChoice({ typed: text }) } } : pick(menu, row);
}

function pick(menu: RecoveryMenu, row: RecoveryRow): RecoveryStep {
  if (row === "look") return { menu: { ...menu, looking: !menu.looking, scroll: 0, note: "" } };
  return { menu: { ...menu, busy: true, note: "" }, effect: { do: "recover", ref: menu.ref, choice: row } };
}
