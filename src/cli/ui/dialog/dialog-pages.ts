import { sameCall } from "../../../core/call-ref.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import { fullView } from "../../../words/en/full-view.ts";
import type { Key } from "../../terminal/key.ts";
import { type Reader, type ReaderText, readerKey } from "../full-view/reader-state.ts";
import { unarmed } from "../question/arming.ts";
import { readBy, scrolledBy } from "../question/window.ts";
import type { Ask, Request } from "../view/view.ts";
import { type KeyContext, letter, letterOf, unseenWords } from "./dialog-choices.ts";
import {
  allShown,
  type Dialog,
  type DialogStep,
  freshDialog,
  goBack,
  noted,
  openPage,
  unseenRows,
} from "./dialog-state.ts";

/** The body moved by so many lines. */
export const scrolled = (dialog: Dialog, by: number, { geometry }: KeyContext): Dialog => ({
  ...dialog,
  sure: false,
  toUnseen: false,
  scroll: scrolledBy(dialog.scroll, by, geometry),
});

/** Returns the number of lines by which a letter moves a page that is only read. */
function letterBy(text: string | undefined, window: number): number | undefined {
  const page = Math.max(1, window - 1);
  const by: Record<string, number> = {
    j: 1,
    k: -1,
    b: -page,
    g: Number.NEGATIVE_INFINITY,
    G: Number.POSITIVE_INFINITY,
  };
  return text === undefined ? undefined : by[text];
}

/** A page to be read: Esc goes back from it, and the keys of the menu mean there what they mean in it. */
export function whyStage(dialog: Dialog, asked: KeyContext, key: Key): DialogStep {
  const text = letterOf(key);
  const { window } = asked.geometry;
  const by = readBy(key, window) ?? letterBy(text, window);
  if (by !== undefined) return { dialog: { ...scrolled(dialog, by, asked), note: "" } };
  if (key.name === "escape" || text === "?" || text === "q") return { dialog: goBack(dialog) };
  return text === undefined ? { dialog } : letter(dialog, asked, text);
}

const deciding: ReadonlySet<string> = new Set(["y", "r", "e", "s", "m", "A", "o"]);

/** In other readers these go to the next and the last place: whoever walks by them must not deny. */
const ofMenu: ReadonlySet<string> = new Set(["n", "p", "N"]);

/** The keys of a reader come first; what was read to its end is decided about here as in the menu. */
export function fullStage(dialog: Dialog, asked: KeyContext, key: Key, text: ReaderText): DialogStep {
  const pressed = dialog.reader.typing === undefined ? letterOf(key) : undefined;
  const gone = pressed === undefined ? undefined : gonePage(dialog, asked, pressed, text);
  if (gone !== undefined) return { dialog: gone };
  const step = readerKey(dialog.reader, key, text);
  const next: Dialog = { ...dialog, toUnseen: false };
  if (step?.leaves === true) return { dialog: goBack(dialog) };
  if (step !== undefined) return { dialog: readOn(next, asked, step.reader) };
  if (key.name === "tab") return { dialog: readNext(next, asked, key.shift ? -1 : 1) };
  if (pressed === undefined || !deciding.has(pressed)) return { dialog: noted(next, "") };
  return allShown(dialog, asked.request, asked.geometry)
    ? letter(next, asked, pressed)
    : { dialog: unread(next, asked) };
}

/** Returns the dialog after a letter that no reader has. */
function gonePage(dialog: Dialog, asked: KeyContext, pressed: string, text: ReaderText): Dialog | undefined {
  if (pressed === "d") return goBack(dialog);
  if (pressed === "?") return letter(dialog, asked, pressed).dialog;
  if (ofMenu.has(pressed)) return noted(dialog, words().ofMenu);
  return pressed === " " ? toUnseen(dialog, asked, text) : undefined;
}

/** Nothing is decided about what was not read: it is said which lines these are. */
function unread(dialog: Dialog, { geometry, request }: KeyContext): Dialog {
  const { noText, runsOn, readFirst, unseenRows: unseenNote, goesBack } = words();
  if (request.partial?.why === "binary") return noted(dialog, noText);
  if (dialog.reader.left !== undefined) return noted(dialog, runsOn);
  const left = unseenWords(dialog, geometry);
  const note = left === "" ? readFirst : unseenNote({ unseen: left, next: goesBack });
  return { ...noted(dialog, note), toUnseen: left !== "" };
}

/** The full view at the first line that was not shown, where that was said, and at the end, where a page further is none. */
function toUnseen(dialog: Dialog, { geometry }: KeyContext, { top, rows, window }: ReaderText): Dialog | undefined {
  const [first] = geometry.window > 0 ? unseenRows(dialog, geometry) : [];
  if (first === undefined || (!dialog.toUnseen && top + window < rows.length)) return undefined;
  const reader: Reader = {
    ...dialog.reader,
    top: Math.max(0, Math.min(first[0], rows.length - window)),
    place: undefined,
  };
  return { ...dialog, toUnseen: false, reader: { ...reader, search: undefined, note: "" } };
}

/** Behind the last file, and before the first one, comes another request. */
function readOn(dialog: Dialog, asked: KeyContext, reader: Reader): Dialog {
  const { noFurther, noneBefore } = fullView();
  const isBehind = reader.note === noFurther.file;
  if (asked.ask.requests.length < 2 || !(isBehind || reader.note === noneBefore.file)) return { ...dialog, reader };
  return readNext(dialog, asked, isBehind ? 1 : -1);
}

/** The next request, still in the full view. */
const readNext = (dialog: Dialog, { ask }: KeyContext, by: number): Dialog => {
  const next = nextRequest(dialog, ask, by);
  return sameCall(next.ref, dialog.ref) ? noted(dialog, words().only) : openPage(next, "full");
};

/** All calls of the batch; Enter opens one that waits. */
export function listStage(dialog: Dialog, ask: Ask, key: Key): DialogStep {
  const at = (row: number): DialogStep => ({
    dialog: { ...dialog, row: Math.max(0, Math.min(ask.batch.length - 1, row)), note: "" },
  });
  const text = letterOf(key);
  if (key.name === "down" || text === "j") return at(dialog.row + 1);
  if (key.name === "up" || text === "k") return at(dialog.row - 1);
  if (key.name === "home" || text === "g") return at(0);
  if (key.name === "end" || text === "G") return at(ask.batch.length - 1);
  if (key.name === "enter") return opened(dialog, ask);
  if (key.name === "escape" || text === "l" || text === "q") return { dialog: goBack(dialog) };
  return { dialog: { ...dialog, note: words().listOnly } };
}

function opened(dialog: Dialog, ask: Ask): DialogStep {
  const entry = ask.batch[dialog.row];
  const request = ask.requests.find((one) => sameCall(one.ref, entry?.ref));
  if (request === undefined) return { dialog: { ...dialog, note: words().decided } };
  if (!sameCall(request.ref, dialog.ref)) return { dialog: goneTo(dialog, request) };
  return { dialog: goBack({ ...dialog, trail: [] }) };
}

const goneTo = (dialog: Dialog, request: Request): Dialog => ({
  ...freshDialog(request, unarmed(dialog.lastKeyAt), dialog),
  armed: true,
});

export function nextRequest(dialog: Dialog, ask: Ask, by: number): Dialog {
  const count = ask.requests.length;
  const at = ask.requests.findIndex((one) => sameCall(one.ref, dialog.ref));
  const other = ask.requests[(at + by + count) % count];
  if (other === undefined || sameCall(other.ref, dialog.ref)) return { ...dialog, note: words().only };
  return goneTo(dialog, other);
}
