import type { CallDecision } from "../../../graph/decisions.ts";
import type { Key } from "../../terminal/key.ts";
import { newReader, type Reader, type ReaderText, readerKey } from "../full-view/reader-state.ts";
import { onKey } from "../question/arming.ts";
import { type Geometry, readBy, scrollBy, scrolledBy } from "../question/window.ts";
import type { Ask, Request } from "../view/view.ts";
import {
  allShown,
  type Choice,
  choicesOf,
  type Dialog,
  type DialogStep,
  freshDialog,
  historyWanted,
  isWider,
  keyOf,
  pointedAt,
  requestOf,
  withHistory,
} from "./dialog-state.ts";
import { beginEdit, editStage, openEditor } from "./edit-keys.ts";
import { bufferOf, editKey, textOf } from "./text-field.ts";

/** What a key is judged by. */
interface Asked {
  ask: Ask;
  request: Request;
  geometry: Geometry;
}

const scrolled = (dialog: Dialog, by: number, geometry: Geometry): Dialog => ({
  ...dialog,
  sure: false,
  scroll: scrolledBy(dialog.scroll, by, geometry),
});

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
  if (dialog.paintedAt === undefined && key.name !== "tab") return { dialog };
  const request = requestOf(ask, dialog);
  if (request === undefined || dialog.busy) return { dialog: next };
  const step = stageKey(next, { ask, request, geometry }, key, text);
  const wanted = step.effect === undefined ? historyWanted(step.dialog, request) : undefined;
  return wanted === undefined ? step : { dialog: withHistory(step.dialog, wanted.scope, ""), effect: wanted };
}

function stageKey(next: Dialog, asked: Asked, key: Key, text: ReaderText | undefined): DialogStep {
  const { ask, request } = asked;
  switch (next.stage) {
    case "reason":
    case "confirm":
      return lineStage(next, request, key);
    case "edit":
      return editStage(next, request, key, Math.max(4, asked.geometry.columns));
    case "why":
      return whyStage(next, asked, key);
    case "list":
      return listStage(next, ask, key);
    case "full":
      return text === undefined ? { dialog: back(next) } : fullStage(next, asked, key, text);
    case "choose":
      return chooseStage(next, asked, key);
  }
}

const back = (dialog: Dialog): Dialog => ({ ...dialog, stage: "choose", scroll: 0, row: 0, note: "" });

const letterOf = (key: Key): string | undefined =>
  key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;

/** A page to be read: Esc goes back from it, and the keys of the menu mean there what they mean in it. */
function whyStage(dialog: Dialog, asked: Asked, key: Key): DialogStep {
  const by = readBy(key, asked.geometry.window);
  if (by !== undefined) return { dialog: scrolled(dialog, by, asked.geometry) };
  if (key.name === "paste") return { dialog };
  const text = letterOf(key);
  return text === undefined || text === "?" || text === "q"
    ? { dialog: back(dialog) }
    : letter(back(dialog), asked, text);
}

const readFirst = "read it to its end first; esc goes back";

/** The keys of a reader come first; what was read to its end is decided about here as in the menu. */
function fullStage(dialog: Dialog, asked: Asked, key: Key, text: ReaderText): DialogStep {
  const step = readerKey(dialog.reader, key, text);
  const isRead = allShown(dialog, asked.request, asked.geometry);
  const pressed = letterOf(key);
  if (step?.leaves === true || (pressed === "d" && dialog.reader.typing === undefined)) return { dialog: back(dialog) };
  if (step !== undefined) return moveOn(dialog, asked, step.reader, isRead && pressed === "n");
  if (key.name === "tab") return { dialog: readNext(dialog, asked, key.shift ? -1 : 1) };
  const decides = pressed !== undefined && ["y", "r", "e", "s", "m", "A", "o", "?"].includes(pressed);
  if (!decides) return { dialog: said(dialog, "") };
  return isRead || pressed === "?" ? letter(back(dialog), asked, pressed) : { dialog: said(dialog, readFirst) };
}

const said = (dialog: Dialog, note: string): Dialog => ({ ...dialog, reader: { ...dialog.reader, note } });

/** Behind the last change `n` means no, but only the second one: the first may have been meant for a further change. */
function moveOn(dialog: Dialog, asked: Asked, reader: Reader, mayDeny: boolean): DialogStep {
  const files = asked.ask.requests.length > 1 && /^no (?:further file|file before)/.exec(reader.note);
  if (files) return { dialog: readNext(dialog, asked, reader.note.startsWith("no further") ? 1 : -1) };
  if (!mayDeny || reader.note === "") return { dialog: { ...dialog, reader } };
  if (dialog.reader.note === denyNote) return answer(dialog, { decision: "deny" });
  return { dialog: said({ ...dialog, reader }, denyNote) };
}

const denyNote = "no further change; n again denies";

/** The next request, still in the full view. */
const readNext = (dialog: Dialog, { ask }: Asked, by: number): Dialog => {
  const next = nextRequest(dialog, ask, by);
  return next.callId === dialog.callId ? said(dialog, "this is the only request") : { ...next, stage: "full" };
};

/** All calls of the batch; Enter opens one that waits. */
function listStage(dialog: Dialog, ask: Ask, key: Key): DialogStep {
  const at = (row: number): DialogStep => ({
    dialog: { ...dialog, row: Math.max(0, Math.min(ask.batch.length - 1, row)), note: "" },
  });
  const text = letterOf(key);
  if (key.name === "down" || text === "j") return at(dialog.row + 1);
  if (key.name === "up" || text === "k") return at(dialog.row - 1);
  if (key.name === "home") return at(0);
  if (key.name === "end") return at(ask.batch.length - 1);
  if (key.name === "enter") return opened(dialog, ask);
  if (key.name === "escape" || text === "l" || text === "q") return { dialog: back(dialog) };
  return { dialog: { ...dialog, note: "↑↓ and enter open one, esc goes back: nothing is decided here" } };
}

function opened(dialog: Dialog, ask: Ask): DialogStep {
  const entry = ask.batch[dialog.row];
  const request = ask.requests.find((one) => one.call.callId === entry?.callId);
  if (request === undefined) return { dialog: { ...dialog, note: "this one is decided already" } };
  return { dialog: request.call.callId === dialog.callId ? back(dialog) : goneTo(dialog, request) };
}

const goneTo = (dialog: Dialog, request: Request): Dialog => ({
  ...freshDialog(request, dialog.lastKeyAt, dialog),
  armed: true,
});

function chooseStage(dialog: Dialog, asked: Asked, key: Key): DialogStep {
  const { request, geometry } = asked;
  const by = scrollBy(key, geometry.window);
  if (by !== undefined) return { dialog: scrolled({ ...dialog, note: "" }, by, geometry) };
  const choices = choicesOf(request);
  switch (key.name) {
    case "up":
    case "down":
      return { dialog: moved(dialog, key.name === "up" ? -1 : 1, choices) };
    case "tab":
      return { dialog: nextRequest(dialog, asked.ask, key.shift ? -1 : 1) };
    case "escape":
      return stepBack(dialog, request);
    case "enter":
      return choose(dialog, asked, choices[dialog.row] ?? "deny");
    case "paste":
      return { dialog: { ...dialog, note: "a paste decides nothing here" } };
    default: {
      const text = letterOf(key);
      return text === undefined ? { dialog } : letter(dialog, asked, text);
    }
  }
}

/** Esc: from what a wider choice would write, and from a `y` that asked once more, one step back; else it denies. */
function stepBack(dialog: Dialog, request: Request): DialogStep {
  if (dialog.sure || pointedAt(dialog, request) !== undefined)
    return { dialog: { ...dialog, row: 0, sure: false, note: "" } };
  return answer(dialog, { decision: "deny" });
}

const moved = (dialog: Dialog, by: number, choices: Choice[]): Dialog => ({
  ...dialog,
  row: Math.max(0, Math.min(choices.length - 1, dialog.row + by)),
  sure: false,
  note: "",
});

function nextRequest(dialog: Dialog, ask: Ask, by: number): Dialog {
  const count = ask.requests.length;
  const at = ask.requests.findIndex((one) => one.call.callId === dialog.callId);
  const other = ask.requests[(at + by + count) % count];
  if (other === undefined || other.call.callId === dialog.callId)
    return { ...dialog, note: "this is the only request" };
  return goneTo(dialog, other);
}

function letter(dialog: Dialog, asked: Asked, text: string): DialogStep {
  const { ask, request } = asked;
  switch (text) {
    case "?":
      return { dialog: { ...dialog, stage: "why", scroll: 0, note: "", sure: false } };
    case "d":
      return { dialog: { ...dialog, stage: "full", reader: newReader(), note: "", sure: false } };
    case "o":
      return openEditor(dialog, request);
    case "A":
      return approveShown(dialog, asked);
    case "l":
      if (ask.batch.length < 2) return { dialog: { ...dialog, note: "this is the only request" } };
      return { dialog: { ...dialog, stage: "list", row: placeOf(dialog, ask), note: "", sure: false } };
    default:
      return chosen(dialog, asked, text);
  }
}

const placeOf = (dialog: Dialog, ask: Ask): number => ask.batch.findIndex(({ callId }) => callId === dialog.callId);

function chosen(dialog: Dialog, asked: Asked, text: string): DialogStep {
  const choices = choicesOf(asked.request);
  const row = choices.findIndex((choice) => keyOf[choice] === text);
  const choice = choices[row];
  if (choice === undefined) {
    if (text === keyOf.edit) return beginEdit(dialog, asked.request);
    return { dialog: { ...dialog, note: `“${text}” is no choice here`, sure: false } };
  }
  // The wider choices are only pointed at: what they write is read before Enter.
  if (isWider(choice)) return { dialog: { ...dialog, row, note: "", sure: false } };
  return choose({ ...dialog, row }, asked, choice);
}

const answer = (dialog: Dialog, decision: CallDecision): DialogStep => ({
  dialog: { ...dialog, busy: true, note: "" },
  effect: { do: "answer", answers: [{ callId: dialog.callId, decision }] },
});

function choose(dialog: Dialog, asked: Asked, choice: Choice): DialogStep {
  switch (choice) {
    case "deny":
      return answer(dialog, { decision: "deny" });
    case "reason":
      return { dialog: { ...dialog, stage: "reason", text: bufferOf(""), note: "" } };
    case "edit":
      return beginEdit(dialog, asked.request);
    case "once":
      return approve(dialog, asked);
    case "session":
    case "project":
    case "mode":
      return approveWider(dialog, asked, choice);
  }
}

const unseenNote = "not all shown; again approves all the same";
const partialNote = "not all shown; read it to its end first, or approve it once with y";

function approve(dialog: Dialog, { request, geometry }: Asked): DialogStep {
  const shown = allShown(dialog, request, geometry);
  if (request.call.risk === "high" || (request.partial !== undefined && !shown)) {
    const { partial } = request;
    const note = shown ? "" : partial?.why === "binary" ? partial.text : "not all of it was shown";
    return { dialog: { ...dialog, stage: "confirm", text: bufferOf(""), note } };
  }
  if (!shown && !dialog.sure) {
    return { dialog: { ...dialog, sure: true, note: "not all shown; y again approves" } };
  }
  return answer(dialog, { decision: "approve", digest: dialog.digest });
}

/** This call, and by a grant or a mode those like it from now on. */
function approveWider(
  dialog: Dialog,
  { request, geometry }: Asked,
  choice: "session" | "project" | "mode",
): DialogStep {
  const shown = allShown(dialog, request, geometry);
  if (!shown && request.partial !== undefined) return { dialog: { ...dialog, note: partialNote } };
  if (!shown && !dialog.sure) return { dialog: { ...dialog, sure: true, note: unseenNote } };
  const once: CallDecision = { decision: "approve", digest: dialog.digest };
  if (choice === "mode") return inMode(answer(dialog, once), request);
  const grant = request.call.grants?.find((one) => one.scope === choice);
  return grant === undefined ? { dialog } : answer(dialog, { ...once, grant });
}

function inMode({ dialog, effect }: DialogStep, { call: { mode } }: Request): DialogStep {
  if (effect?.do !== "answer" || mode === undefined) return { dialog };
  return { dialog, effect: { ...effect, mode } };
}

/** Approves at once what the person has read to its end, but nothing of high risk. */
function approveShown(dialog: Dialog, { ask, geometry }: Asked): DialogStep {
  const ready = ask.requests.filter((one) => one.call.risk !== "high" && allShown(dialog, one, geometry));
  if (ready.length === 0)
    return { dialog: { ...dialog, note: "A approves what was shown whole, of low or medium risk: nothing yet" } };
  const answers = ready.map(({ call: { callId, digest } }) => ({
    callId,
    decision: { decision: "approve", digest } as const,
  }));
  const isHere = answers.some(({ callId }) => callId === dialog.callId);
  return { dialog: { ...dialog, busy: isHere, note: "", sure: false }, effect: { do: "answer", answers } };
}

function lineStage(dialog: Dialog, request: Request, key: Key): DialogStep {
  if (key.name === "escape") return { dialog: { ...dialog, stage: "choose", note: "" } };
  if (key.name !== "enter" || key.alt || key.shift) return { dialog: { ...dialog, text: editKey(dialog.text, key) } };
  const text = textOf(dialog.text).trim();
  if (dialog.stage === "reason")
    return answer(dialog, text === "" ? { decision: "deny" } : { decision: "deny", reason: text });
  if (text.toLowerCase() === "yes") return answer(dialog, { decision: "approve", digest: request.call.digest });
  return { dialog: { ...dialog, stage: "choose", note: "not approved: the word was not “yes”" } };
}
