import { applyKey } from "../../terminal/edit-keys.ts";
import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, setText, submitted, type TextBuffer } from "../../terminal/text-buffer.ts";
import { expandPastes } from "../../terminal/text-units.ts";
import { completeCommand } from "./slash-commands.ts";

/** Names that fit what is being typed, above the input. */
export interface Popup {
  kind: "file" | "command";
  /** Where the completed word begins, in the text; its end is the cursor. */
  from: number;
  items: string[];
  row: number;
}

export interface Composer {
  buffer: TextBuffer;
  popup: Popup | undefined;
  /** Closed by Esc for the word that begins here. */
  dismissed: number | undefined;
}

export type ComposerEffect =
  | { do: "submit"; text: string }
  /** Ask for the files whose path fits `prefix`; the answer comes with `withFiles`. */
  | { do: "complete"; prefix: string };

export interface ComposerStep {
  composer: Composer;
  effect?: ComposerEffect;
  /** False for keys that mean nothing to the input. */
  used: boolean;
}

export const newComposer = (history: readonly string[]): Composer => ({
  buffer: emptyBuffer(history),
  popup: undefined,
  dismissed: undefined,
});

export const draftOf = (composer: Composer): string => composer.buffer.text;

export const clearDraft = (composer: Composer): Composer => ({
  buffer: setText(composer.buffer, ""),
  popup: undefined,
  dismissed: undefined,
});

/** The word before the cursor that can be completed: `@path` after a blank or a line's start, `/name` at the very start. */
export function wordAt({
  text,
  cursor,
}: Pick<TextBuffer, "text" | "cursor">): { kind: Popup["kind"]; from: number; prefix: string } | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([a-z]*)$/.exec(before);
  if (command) return { kind: "command", from: 1, prefix: command[1] ?? "" };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file ? { kind: "file", from: cursor - (file[1] ?? "").length, prefix: file[1] ?? "" } : undefined;
}

/** One key of the person's typing. */
export function composerKey(composer: Composer, key: Key, width: number): ComposerStep {
  const { popup } = composer;
  if (popup !== undefined && popup.items.length > 0) {
    const step = popupKey(composer, popup, key);
    if (step !== undefined) return step;
  }
  const buffer = applyKey(composer.buffer, key, width);
  if (buffer !== undefined) return typed(composer, buffer);
  if (key.name !== "enter") return { composer, used: false };
  const text = expandPastes(composer.buffer);
  if (text.trim() === "") return { composer, used: true };
  const next: Composer = { buffer: submitted(composer.buffer), popup: undefined, dismissed: undefined };
  return { composer: next, effect: { do: "submit", text }, used: true };
}

function popupKey(composer: Composer, popup: Popup, key: Key): ComposerStep | undefined {
  const last = popup.items.length - 1;
  const at = (row: number): ComposerStep => ({ composer: { ...composer, popup: { ...popup, row } }, used: true });
  if (key.shift || key.alt || key.ctrl) return undefined;
  if (key.name === "down") return at(popup.row >= last ? 0 : popup.row + 1);
  if (key.name === "up") return at(popup.row <= 0 ? last : popup.row - 1);
  if (key.name === "escape") {
    return { composer: { ...composer, popup: undefined, dismissed: popup.from }, used: true };
  }
  if (key.name === "tab") return accept(composer, popup);
  // Enter on a command that is written out runs it; else it takes the name.
  const written = composer.buffer.text.slice(popup.from, composer.buffer.cursor);
  const whole = popup.items[popup.row] === written;
  return key.name === "enter" && !whole ? accept(composer, popup) : undefined;
}

function accept(composer: Composer, popup: Popup): ComposerStep {
  const item = popup.items[popup.row] ?? "";
  const { buffer } = composer;
  const head = buffer.text.slice(0, popup.from) + item;
  const rest = buffer.text.slice(buffer.cursor);
  const gap = item.endsWith("/") || rest.startsWith(" ") ? "" : " ";
  const next = setText(buffer, head + gap + rest);
  const at = { ...next, cursor: (head + gap).length };
  return item.endsWith("/")
    ? typed({ ...composer, popup: undefined }, at)
    : { composer: { ...composer, buffer: at, popup: undefined }, used: true };
}

/** After a change of the text: the popup that now fits. */
function typed(composer: Composer, buffer: TextBuffer): ComposerStep {
  const word = wordAt(buffer);
  if (word === undefined) return { composer: { buffer, popup: undefined, dismissed: undefined }, used: true };
  if (word.from === composer.dismissed) return { composer: { ...composer, buffer, popup: undefined }, used: true };
  const { kind, from, prefix } = word;
  if (kind === "command") {
    const items = completeCommand(prefix);
    const popup: Popup | undefined = items.length === 0 ? undefined : { kind, from, items, row: 0 };
    return { composer: { buffer, popup, dismissed: undefined }, used: true };
  }
  const old = composer.popup?.kind === "file" && composer.popup.from === from ? composer.popup : undefined;
  const popup: Popup = old ?? { kind, from, items: [], row: 0 };
  return { composer: { buffer, popup, dismissed: undefined }, effect: { do: "complete", prefix }, used: true };
}

/** The files that were found; dropped when the person has typed on since. */
export function withFiles(composer: Composer, prefix: string, files: readonly string[]): Composer {
  const word = wordAt(composer.buffer);
  if (word?.kind !== "file" || word.prefix !== prefix || composer.popup === undefined) return composer;
  return { ...composer, popup: { ...composer.popup, from: word.from, items: [...files], row: 0 } };
}
