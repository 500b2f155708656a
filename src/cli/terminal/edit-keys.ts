import type { Key } from "./key.ts";
import * as edit from "./text-buffer.ts";
import { moveDown, movePage, moveUp } from "./text-layout.ts";

type Edit = (buffer: edit.TextBuffer) => edit.TextBuffer;

const CTRL: Readonly<Record<string, Edit>> = {
  a: edit.moveHome,
  e: edit.moveEnd,
  b: edit.moveLeft,
  f: edit.moveRight,
  d: edit.deleteForward,
  h: edit.backspace,
  j: (buffer) => edit.insertText(buffer, "\n"),
  k: edit.killToLineEnd,
  u: edit.killToLineStart,
  w: edit.killBlankWordLeft,
  y: edit.yank,
  _: edit.undo,
  z: edit.undo,
};

const ALT: Readonly<Record<string, Edit>> = {
  b: edit.moveWordLeft,
  f: edit.moveWordRight,
  d: edit.killWordRight,
  z: edit.redo,
};

const NAMED: Readonly<Partial<Record<Key["name"], Edit>>> = {
  backspace: edit.backspace,
  delete: edit.deleteForward,
  left: edit.moveLeft,
  right: edit.moveRight,
  home: edit.moveHome,
  end: edit.moveEnd,
};

const BY_WORD: Readonly<Partial<Record<Key["name"], Edit>>> = {
  backspace: edit.killWordLeft,
  delete: edit.killWordRight,
  left: edit.moveWordLeft,
  right: edit.moveWordRight,
};

/**
 * Applies a key to the text: characters, pastes, moves, deletions, undo, history at the first and last row, and a line end by Shift-Enter,
 * Alt-Enter, Ctrl-J or Enter after a backslash. `undefined` for keys that are not the editor's, plain Enter and Ctrl-C among them; Ctrl-Z
 * is undo only for callers that do not suspend on it.
 *
 * @param width cells of a row, for moves up and down
 * @param rows rows on the screen, for moves by pages
 */
export function applyKey(buffer: edit.TextBuffer, key: Key, width: number, rows = 8): edit.TextBuffer | undefined {
  if (key.name === "char") return applyCharacter(buffer, key);
  if (key.name === "paste") return edit.insertPaste(buffer, key.text ?? "");
  if (key.name === "enter") return applyEnter(buffer, key);
  if (key.name === "up") return moveUp(buffer, width) ?? edit.historyPrevious(buffer);
  if (key.name === "down") return moveDown(buffer, width) ?? edit.historyNext(buffer);
  if (key.name === "pageup" || key.name === "pagedown") {
    const page = Math.max(1, rows - 1);
    return movePage(buffer, width, key.name === "pageup" ? -page : page);
  }
  const byWord = key.ctrl || key.alt ? BY_WORD[key.name] : undefined;
  return (byWord ?? NAMED[key.name])?.(buffer);
}

function applyCharacter(buffer: edit.TextBuffer, key: Key): edit.TextBuffer | undefined {
  const text = key.text ?? "";
  if (key.ctrl) return key.alt ? undefined : CTRL[text]?.(buffer);
  if (key.alt) return ALT[text]?.(buffer);
  return edit.insertText(buffer, text);
}

function applyEnter(buffer: edit.TextBuffer, key: Key): edit.TextBuffer | undefined {
  if (key.shift || key.alt) return edit.insertText(buffer, "\n");
  if (buffer.text.charAt(buffer.cursor - 1) !== "\\") return undefined;
  return edit.insertText(edit.backspace(buffer), "\n");
}
