import { sameCall } from "../../../core/call-ref.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import type { Key } from "../../terminal/key.ts";
import type { ReaderText } from "../full-view/reader-state.ts";
import { breathMs, onKey } from "../question/arming.ts";
import { type Geometry, scrollBy } from "../question/window.ts";
import type { Ask } from "../view/view.ts";
import { answer, choose, type KeyContext, letter, letterOf } from "./dialog-choices.ts";
import { fullStage, listStage, nextRequest, scrolled, whyStage } from "./dialog-pages.ts";
import {
  type Choice,
  choicesOf,
  type Dialog,
  type DialogStep,
  goBack,
  historyWanted,
  onceOf,
  pointedAt,
  requestOf,
  unseenRows,
  withDrafts,
  withHistory,
} from "./dialog-state.ts";
import { editStage } from "./edit-keys.ts";
import { editKey, textOf } from "./text-field.ts";

/**
 * One key for the dialog, where `text` is what fills the screen in its full view. Pure: what is to be done comes back as `effect`. A paste is text wherever it lands, never a choice.
 */
export function dialogKey(
  dialog: Dialog,
  ask: Ask,
  key: Key,
  geometry: Geometry,
  now: number,
  text?: ReaderText,
): DialogStep {
  const arming = onKey(dialog, now);
  const next: Dialog = { ...dialog, ...arming };
  if (!arming.armed) return { dialog: next, toDraft: true };
  // Gone to by the key before this one, and not on the screen yet: it cannot be what this key is meant for.
  if (dialog.paintedAt === undefined && key.name !== "tab") return { dialog: withGone(dialog, dialog, key, now) };
  const request = requestOf(ask, dialog);
  if (request === undefined || dialog.busy) return { dialog: next };
  const isBurst = dialog.went?.by === key.name && now - dialog.went.at < breathMs;
  const done = stageKey(next, { ask, request, geometry, isBurst }, key, text);
  const step = done.effect?.do === "answer" ? done : { ...done, dialog: withGone(done.dialog, dialog, key, now) };
  const wanted = step.effect === undefined ? historyWanted(step.dialog, request) : undefined;
  return wanted === undefined ? step : { dialog: withHistory(step.dialog, wanted.scope, ""), effect: wanted };
}

/** Esc and Enter go somewhere and decide: one that went, or came too early to decide, is remembered with its time. */
function withGone(dialog: Dialog, before: Dialog, { name }: Key, now: number): Dialog {
  if (name !== "escape" && name !== "enter")
    return dialog.went === before.went ? dialog : { ...dialog, went: before.went };
  const isUnseen = before.paintedAt === undefined;
  const isElsewhere = isUnseen || dialog.stage !== before.stage || !sameCall(dialog.ref, before.ref);
  const isHeld = before.went?.by === name && now - before.went.at < breathMs;
  const goes = name === "escape" || isElsewhere || isHeld;
  return { ...dialog, went: goes ? { by: name, at: now } : before.went };
}

function stageKey(next: Dialog, asked: KeyContext, key: Key, text: ReaderText | undefined): DialogStep {
  const { ask, request } = asked;
  switch (next.stage) {
    case "reason":
    case "confirm":
      return lineStage(next, asked, key);
    case "edit":
      return editStage(next, request, key, asked.geometry.field);
    case "why":
      return whyStage(next, asked, key);
    case "list":
      return listStage(next, ask, key);
    case "full":
      return text === undefined ? { dialog: goBack(next) } : fullStage(next, asked, key, text);
    case "choose":
      return chooseStage(next, asked, key);
  }
}

function chooseStage(dialog: Dialog, asked: KeyContext, key: Key): DialogStep {
  const { request, geometry } = asked;
  const by = scrollBy(key, geometry.window);
  if (by !== undefined) return { dialog: scrolledOn({ ...dialog, note: "" }, by, asked, key) };
  const choices = choicesOf(request);
  switch (key.name) {
    case "up":
    case "down":
      return { dialog: moved(dialog, key.name === "up" ? -1 : 1, choices) };
    case "tab":
      return { dialog: nextRequest(dialog, asked.ask, key.shift ? -1 : 1) };
    case "escape":
      return stepBack(dialog, asked);
    case "enter":
      if (asked.isBurst) return { dialog: { ...dialog, note: words().heldEnter } };
      return choose(dialog, asked, choices[dialog.row] ?? "deny");
    case "paste":
      return { dialog: { ...dialog, note: words().pasted } };
    default: {
      const text = letterOf(key);
      return text === undefined ? { dialog } : letter(dialog, asked, text);
    }
  }
}

/** Space goes to the lines that were not shown, where that was said, and at the end, where a page further is none. */
function scrolledOn(dialog: Dialog, by: number, asked: KeyContext, key: Key): Dialog {
  const { total, window } = asked.geometry;
  const [first] = window > 0 ? unseenRows(dialog, asked.geometry) : [];
  const isThere = dialog.toUnseen || dialog.scroll + window >= total;
  if (letterOf(key) !== " " || first === undefined || !isThere) return scrolled(dialog, by, asked);
  return scrolled({ ...dialog, scroll: 0 }, first[0], asked);
}

/** Esc goes one step back, in the menu from what a wider choice would write and from a `y` that asked once more; else it denies. */
function stepBack(dialog: Dialog, { request, isBurst }: KeyContext): DialogStep {
  if (dialog.trail.length > 0) return { dialog: goBack(dialog) };
  if (dialog.sure || pointedAt(dialog, request) !== undefined)
    return { dialog: { ...dialog, row: 0, sure: false, toUnseen: false, note: "" } };
  if (isBurst) return { dialog: { ...dialog, note: words().heldEsc } };
  return answer(dialog, { decision: "deny" });
}

const moved = (dialog: Dialog, by: number, choices: Choice[]): Dialog => ({
  ...dialog,
  row: Math.max(0, Math.min(choices.length - 1, dialog.row + by)),
  sure: false,
  toUnseen: false,
  note: "",
});

function lineStage(dialog: Dialog, { request, geometry }: KeyContext, key: Key): DialogStep {
  const text = textOf(dialog.text).trim();
  if (key.name === "escape") {
    if (dialog.stage !== "reason") return { dialog: goBack(dialog) };
    const kept = withDrafts(dialog, { reason: text === "" ? undefined : dialog.text });
    return { dialog: goBack(kept, text === "" ? "" : words().reasonKept) };
  }
  if (key.name !== "enter" || key.alt || key.shift)
    return { dialog: { ...dialog, text: editKey(dialog.text, key, geometry.field) } };
  if (dialog.stage === "reason") {
    // Where it does not count it is not lost.
    const kept = withDrafts(dialog, { reason: dialog.text });
    return answer(kept, text === "" ? { decision: "deny" } : { decision: "deny", reason: text });
  }
  if (text.toLowerCase() === "yes") return answer(dialog, onceOf(request));
  return { dialog: goBack(dialog, words().notTheWord) };
}
