import { countText } from "../../core/count-text.ts";
import { composer as words } from "../../words/en/composer.ts";
import {
  cleanInput,
  expandPastes,
  nextStop,
  type Paste,
  previousStop,
  type Snapshot,
  snap,
  unitAt,
} from "./text-units.ts";

/** The state of a multi-line editor. Immutable: each operation returns the next state. */
export interface TextBuffer extends Snapshot {
  /** Lines parted by \n; pasted blocks as markers. */
  readonly text: string;
  /** Index into `text` in UTF-16 units, never inside a grapheme or a marker. */
  readonly cursor: number;
  readonly pastes: readonly Paste[];
  /** Short pastes that name something with `@`: they stand in the text as they are. */
  readonly pasted?: readonly string[];
  /** The texts that were pasted into a sent one: they are still pasted where that comes back. */
  readonly sent?: readonly string[];
  /** The column that moves up and down come back to, in cells. */
  readonly goal?: number;
  readonly killed: string;
  readonly undone: readonly Snapshot[];
  readonly done: readonly Snapshot[];
  readonly last: "typing" | "killing" | "other";
  /** Earlier inputs, oldest first. */
  readonly history: readonly string[];
  /** The entry of the history on show. */
  readonly recalled?: number;
  /** The text that was being written when the history was opened. */
  readonly draft?: Snapshot;
}

const MAX_UNDO = 200;
/** A longer paste is shown as a marker. */
const MARKER_LINES = 10;
const MARKER_UNITS = 1024;
/** So many pastes are remembered once they were sent. */
const mostKept = 100;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

export function emptyBuffer(history: readonly string[] = []): TextBuffer {
  return { text: "", cursor: 0, pastes: [], killed: "", undone: [], done: [], last: "other", history };
}

/** The same buffer with `text` in place of what was written, the cursor at its end; can be undone. */
export function setText(buffer: TextBuffer, text: string): TextBuffer {
  const clean = cleanInput(text);
  return edited(backInto(buffer, clean), clean, clean.length, "other");
}

/** An empty buffer after a submit; the input is added to the history unless it is empty or repeats the last. */
export function submitted(buffer: TextBuffer): TextBuffer {
  const input = expandPastes(buffer);
  const repeats = input.trim() === "" || buffer.history.at(-1) === input;
  const pastes = buffer.pastes.flatMap(({ text, isOwn }) => (isOwn === true ? [] : [text]));
  const sent = [...(buffer.sent ?? []), ...(buffer.pasted ?? []), ...pastes].slice(-mostKept);
  const next = emptyBuffer(repeats ? buffer.history : [...buffer.history, input]);
  return { ...next, killed: buffer.killed, ...(sent.length > 0 && { sent }) };
}

/** The same buffer, into which a text comes back. */
function backInto(buffer: TextBuffer, text: string): TextBuffer {
  const again = (buffer.sent ?? []).filter((one) => text.includes(one.trim()));
  return again.length === 0 ? buffer : { ...buffer, pasted: [...(buffer.pasted ?? []), ...again] };
}

export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  const clean = cleanInput(text);
  if (clean === "") return buffer;
  const next = splice(buffer, buffer.cursor, buffer.cursor, clean);
  const goesOn = buffer.last === "typing" && !/\s/.test(clean);
  return edited(buffer, next, buffer.cursor + clean.length, "typing", goesOn);
}

/** Inserts a paste, as a marker when it is long. Control characters and escape sequences of the paste are dropped. @param isOwn the person wrote it */
export function insertPaste(before: TextBuffer, text: string, isOwn = false): TextBuffer {
  const clean = cleanInput(text);
  const buffer = isOwn ? backInto(before, clean) : before;
  const lines = clean.replace(/\n$/, "").split("\n").length;
  if (lines <= MARKER_LINES && clean.length <= MARKER_UNITS) {
    const pasted = !isOwn && clean.includes("@") ? { pasted: [...(buffer.pasted ?? []), clean] } : {};
    return { ...insertText({ ...buffer, last: "other" }, clean), ...pasted, last: "other" };
  }
  const at = buffer.pastes.length === 0 ? undefined : buffer.pastes.length + 1;
  const marker =
    lines > 1
      ? words().pastedLines({ lines: countText(lines), at })
      : words().pastedCharacters({ characters: countText(clean.length), at });
  const next = splice(buffer, buffer.cursor, buffer.cursor, marker);
  const pastes = [...buffer.pastes, { marker, text: clean, ...(isOwn && { isOwn: true as const }) }];
  return { ...edited({ ...buffer, pastes }, next, buffer.cursor + marker.length, "other"), done: remember(buffer) };
}

/** The paste whose marker ends at the cursor, written out in its place; undefined where there is none. */
export function expandPasteBefore(buffer: TextBuffer): TextBuffer | undefined {
  const paste = buffer.pastes.find(({ marker }) => buffer.text.endsWith(marker, buffer.cursor));
  if (paste === undefined) return undefined;
  const start = buffer.cursor - paste.marker.length;
  return edited(buffer, splice(buffer, start, buffer.cursor, paste.text), start + paste.text.length, "other");
}

export function backspace(buffer: TextBuffer): TextBuffer {
  return remove(buffer, previousStop(buffer, buffer.cursor), buffer.cursor);
}

export function deleteForward(buffer: TextBuffer): TextBuffer {
  return remove(buffer, buffer.cursor, nextStop(buffer, buffer.cursor));
}

export function moveTo(buffer: TextBuffer, cursor: number): TextBuffer {
  const { goal: _goal, ...rest } = buffer;
  return { ...rest, cursor: snap(buffer, cursor), last: "other" };
}

export function moveLeft(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, previousStop(buffer, buffer.cursor));
}

export function moveRight(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, nextStop(buffer, buffer.cursor));
}

export function moveWordLeft(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, wordStart(buffer, isWord));
}

export function moveWordRight(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, wordEnd(buffer));
}

/** To the beginning of the line that the cursor is on (of the text's line, not of the screen's row). */
export function moveHome(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, lineStart(buffer));
}

export function moveEnd(buffer: TextBuffer): TextBuffer {
  return moveTo(buffer, lineEnd(buffer));
}

export function killToLineEnd(buffer: TextBuffer): TextBuffer {
  const end = lineEnd(buffer);
  return kill(buffer, buffer.cursor, end === buffer.cursor ? nextStop(buffer, end) : end);
}

export function killToLineStart(buffer: TextBuffer): TextBuffer {
  const start = lineStart(buffer);
  return kill(buffer, start === buffer.cursor ? previousStop(buffer, start) : start, buffer.cursor);
}

/** Up to the last blank, as Ctrl-W does in a shell. */
export function killBlankWordLeft(buffer: TextBuffer): TextBuffer {
  return kill(
    buffer,
    wordStart(buffer, (unit) => !/^\s/.test(unit)),
    buffer.cursor,
  );
}

export function killWordLeft(buffer: TextBuffer): TextBuffer {
  return kill(buffer, wordStart(buffer, isWord), buffer.cursor);
}

export function killWordRight(buffer: TextBuffer): TextBuffer {
  return kill(buffer, buffer.cursor, wordEnd(buffer));
}

/** Inserts what was killed last; kills in a row count as one. */
export function yank(buffer: TextBuffer): TextBuffer {
  return { ...insertText({ ...backInto(buffer, buffer.killed), last: "other" }, buffer.killed), last: "other" };
}

export function undo(buffer: TextBuffer): TextBuffer {
  return travel(buffer, "done", "undone");
}

export function redo(buffer: TextBuffer): TextBuffer {
  return travel(buffer, "undone", "done");
}

/** The entry before the one on show; the draft is kept. The same buffer when there is none. */
export function historyPrevious(buffer: TextBuffer): TextBuffer {
  const index = (buffer.recalled ?? buffer.history.length) - 1;
  return recall(buffer, index);
}

/** The entry after the one on show, at last the draft as it was left. */
export function historyNext(buffer: TextBuffer): TextBuffer {
  if (buffer.recalled === undefined) return buffer;
  if (buffer.recalled + 1 < buffer.history.length) return recall(buffer, buffer.recalled + 1);
  const { recalled: _recalled, draft, goal: _goal, ...rest } = buffer;
  return { ...rest, ...(draft ?? { text: "", cursor: 0, pastes: [] }), last: "other" };
}

function splice(buffer: TextBuffer, start: number, end: number, text: string): string {
  return buffer.text.slice(0, start) + text + buffer.text.slice(end);
}

function remember(buffer: TextBuffer): Snapshot[] {
  const { text, cursor, pastes } = buffer;
  return [...buffer.done, { text, cursor, pastes }].slice(-MAX_UNDO);
}

function edited(
  buffer: TextBuffer,
  text: string,
  cursor: number,
  last: TextBuffer["last"],
  sameUndo = false,
): TextBuffer {
  const { goal: _goal, ...rest } = buffer;
  const done = sameUndo ? buffer.done : remember(buffer);
  const next = { ...rest, text, last, undone: [], done };
  return { ...next, cursor: snap(next, cursor) };
}

function remove(buffer: TextBuffer, start: number, end: number): TextBuffer {
  return start === end ? buffer : edited(buffer, splice(buffer, start, end, ""), start, "other");
}

function kill(buffer: TextBuffer, start: number, end: number): TextBuffer {
  if (start === end) return buffer;
  const gone = expandPastes({ ...buffer, text: buffer.text.slice(start, end) });
  const before = buffer.last === "killing" ? buffer.killed : "";
  const killed = start < buffer.cursor ? gone + before : before + gone;
  return { ...edited(buffer, splice(buffer, start, end, ""), start, "killing"), killed };
}

function travel(buffer: TextBuffer, from: "done" | "undone", to: "done" | "undone"): TextBuffer {
  const target = buffer[from].at(-1);
  if (target === undefined) return buffer;
  const { goal: _goal, text, cursor, pastes, ...rest } = buffer;
  const here = { text, cursor, pastes };
  return { ...rest, ...target, last: "other", [from]: buffer[from].slice(0, -1), [to]: [...buffer[to], here] };
}

function recall(buffer: TextBuffer, index: number): TextBuffer {
  const entry = buffer.history[index];
  if (entry === undefined) return buffer;
  const { goal: _goal, ...rest } = backInto(buffer, entry);
  const { text, cursor, pastes } = buffer;
  const draft = buffer.draft ?? { text, cursor, pastes };
  return { ...rest, text: entry, cursor: entry.length, pastes: [], recalled: index, draft, last: "other" };
}

function isWord(unit: string): boolean {
  return WORD.test(unit);
}

function wordStart(buffer: TextBuffer, belongs: (unit: string) => boolean): number {
  let at = buffer.cursor;
  const before = (): string => buffer.text.slice(previousStop(buffer, at), at);
  while (at > 0 && !belongs(before())) at = previousStop(buffer, at);
  while (at > 0 && belongs(before())) at = previousStop(buffer, at);
  return at;
}

function wordEnd(buffer: TextBuffer): number {
  let at = buffer.cursor;
  while (at < buffer.text.length && !isWord(unitAt(buffer, at))) at = nextStop(buffer, at);
  while (at < buffer.text.length && isWord(unitAt(buffer, at))) at = nextStop(buffer, at);
  return at;
}

function lineStart(buffer: TextBuffer): number {
  return buffer.cursor === 0 ? 0 : buffer.text.lastIndexOf("\n", buffer.cursor - 1) + 1;
}

function lineEnd(buffer: TextBuffer): number {
  const end = buffer.text.indexOf("\n", buffer.cursor);
  return end < 0 ? buffer.text.length : end;
}
