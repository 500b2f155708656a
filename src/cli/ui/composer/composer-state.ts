import { mentionOf, pastedImage, unquoted } from "../../image-names.ts";
import { applyKey } from "../../terminal/edit-keys.ts";
import type { Key } from "../../terminal/key.ts";
import {
  emptyBuffer,
  expandPasteBefore,
  insertPaste,
  insertText,
  moveTo,
  setText,
  submitted,
  type TextBuffer,
} from "../../terminal/text-buffer.ts";
import { expandPastes, writtenText } from "../../terminal/text-units.ts";
import { isCommand } from "../../typed.ts";
import { type MessageSearch, newSearch, searchKey } from "./message-search.ts";
import { completeCommand, type Offer } from "./slash-commands.ts";

/** Names that fit what is being typed, below the input. */
export interface Popup {
  kind: "file" | "command";
  /** The place in the text where the completed word begins; its end is the cursor. */
  from: number;
  items: Offer[];
  row: number;
  /** Commands of files: none before they are known, for which they were asked. */
  ofFiles?: readonly Offer[];
}

export interface Composer {
  buffer: TextBuffer;
  popup: Popup | undefined;
  /** Closed by Esc for the word that begins here. */
  dismissed: number | undefined;
  /** Earlier messages are being searched. */
  search: MessageSearch | undefined;
  /** The list of keys is shown, until the next key. */
  keysShown: boolean;
}

export type ComposerEffect =
  /** `written`: the text without what was pasted, where that differs. `later`: while the agent works it waits for the turn's end, and is not given to the model before. */
  | { do: "submit"; text: string; written?: string; later: boolean }
  /** Ask for what was said earlier in this folder; the answer comes with `withMessages`. */
  | { do: "recall" }
  /** The draft is to be written in the person's own editor. */
  | { do: "compose"; text: string }
  /** Ask for the commands that files bring; the answer comes with `withCommands`. */
  | { do: "commands" }
  /** Ask for the files whose path fits `prefix`; the answer comes with `withFiles`. */
  | { do: "complete"; prefix: string };

export interface ComposerStep {
  composer: Composer;
  effect?: ComposerEffect;
  /** False for keys that mean nothing to the input. */
  used: boolean;
}

const closed = { popup: undefined, dismissed: undefined, search: undefined, keysShown: false } as const;

export const newComposer = (history: readonly string[]): Composer => ({
  buffer: emptyBuffer(history),
  ...closed,
});

export const draftOf = (composer: Composer): string => composer.buffer.text;

/** Esc goes back in it: a menu, a search, the list of keys. */
export const takesEscape = ({ popup, search, keysShown }: Composer): boolean =>
  search !== undefined || keysShown || (popup !== undefined && popup.items.length > 0);

export const clearDraft = (composer: Composer): Composer => ({
  buffer: setText(composer.buffer, ""),
  ...closed,
});

/** Another draft in the place of the one there is. */
export const withDraft = (composer: Composer, text: string): Composer => ({
  buffer: setText(composer.buffer, text),
  ...closed,
});

/** Messages that were taken back stand in front of what is being written, parted by blank lines; long ones as pastes. */
export function withTakenBack(composer: Composer, texts: readonly string[]): Composer {
  const { buffer } = composer;
  const parts = buffer.text === "" ? texts.slice(0, -1) : texts;
  let taken = moveTo(buffer, 0);
  for (const text of parts) taken = insertText(insertPaste(taken, text, true), "\n\n");
  if (buffer.text === "") taken = insertPaste(taken, texts.at(-1) ?? "", true);
  return { ...composer, ...closed, buffer: moveTo(taken, taken.cursor + buffer.cursor) };
}

/**
 * The word before the cursor that can be completed: `@path` and `@"path with blanks` after a blank or a line's start, `/name` at the very
 * start. `from` is behind the sign; `prefix` is the name as far as it is written, without quotes.
 */
export function wordAt({
  text,
  cursor,
}: Pick<TextBuffer, "text" | "cursor">): { kind: Popup["kind"]; from: number; prefix: string } | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w:.-]*)$/.exec(before);
  if (command) return { kind: "command", from: 1, prefix: command[1] ?? "" };
  const quoted = /(?:^|\s)@("((?:[^"\\\n]|\\.)*))$/.exec(before);
  if (quoted) return { kind: "file", from: cursor - (quoted[1] ?? "").length, prefix: unquoted(quoted[2] ?? "") };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file ? { kind: "file", from: cursor - (file[1] ?? "").length, prefix: file[1] ?? "" } : undefined;
}

/** One key of the person's typing. `running`: the agent works, and Alt+Enter means later, not a new line. */
export function composerKey(before: Composer, key: Key, width: number, running = false): ComposerStep {
  if (before.search !== undefined) return searching(before, before.search, key, width);
  const composer: Composer = before.keysShown ? { ...before, keysShown: false } : before;
  const { popup } = composer;
  if (popup !== undefined && popup.items.length > 0) {
    const step = popupKey(composer, popup, key);
    if (step !== undefined) return step;
  }
  return controlKey(before, composer, key) ?? textKey(composer, key, width, running);
}

const draftKeys: ReadonlySet<Key["name"]> = new Set(["char", "paste", "backspace", "delete", "left", "right"]);

/** A key that was meant for the draft while a question was in front. Enter, Esc and Tab mean nothing then. */
export const withKeyInDraft = (composer: Composer, key: Key, width: number): Composer =>
  draftKeys.has(key.name) ? { ...composerKey(composer, key, width).composer, popup: undefined } : composer;

function controlKey(before: Composer, composer: Composer, key: Key): ComposerStep | undefined {
  const control = key.name === "char" && key.ctrl && !key.alt ? key.text : undefined;
  if (control === "r") return { composer: { ...composer, search: newSearch }, effect: { do: "recall" }, used: true };
  if (control === "g") {
    return { composer, effect: { do: "compose", text: expandPastes(composer.buffer) }, used: true };
  }
  if (key.name === "tab" && !key.shift) {
    const buffer = expandPasteBefore(composer.buffer);
    return buffer === undefined ? undefined : { composer: { ...composer, buffer }, used: true };
  }
  const asks = key.name === "char" && key.text === "?" && !key.ctrl && !key.alt && draftOf(composer) === "";
  if (asks && !before.keysShown) return { composer: { ...composer, keysShown: true }, used: true };
  return undefined;
}

function textKey(composer: Composer, key: Key, width: number, running: boolean): ComposerStep {
  const picture = key.name === "paste" ? pastedImage(key.text ?? "") : undefined;
  if (picture !== undefined) return typed(composer, named(composer.buffer, picture));
  const later = running && key.name === "enter" && key.alt && !key.shift;
  const buffer = later ? undefined : applyKey(composer.buffer, key, width);
  if (buffer !== undefined) return key.name === "paste" ? pasted(typed(composer, buffer)) : typed(composer, buffer);
  if (key.name !== "enter") return { composer, used: false };
  const text = expandPastes(composer.buffer);
  if (text.trim() === "") return { composer, used: true };
  const next: Composer = { buffer: submitted(composer.buffer), ...closed };
  const written = writtenText(composer.buffer);
  return { composer: next, effect: { do: "submit", text, ...(written !== text && { written }), later }, used: true };
}

/** Drops the completion of a pasted text where it would ask a server what it has. */
const pasted = ({ effect, ...step }: ComposerStep): ComposerStep =>
  effect === undefined || (effect.do === "complete" && effect.prefix.includes(":")) ? step : { ...step, effect };

/** A picture whose path was pasted, as a message names it. */
function named(buffer: TextBuffer, path: string): TextBuffer {
  const isApart = buffer.cursor === 0 || /\s/.test(buffer.text.charAt(buffer.cursor - 1));
  return insertPaste(buffer, `${isApart ? "" : " "}${mentionOf(path)} `, true);
}

/** The found message comes into the input, where it can be changed before it is sent. */
function searching(composer: Composer, search: MessageSearch, key: Key, width: number): ComposerStep {
  const step = searchKey(search, key, width);
  if (step.search !== undefined) return { composer: { ...composer, search: step.search }, used: true };
  if (step.taken === undefined) return { composer: { ...composer, search: undefined }, used: true };
  return { composer: withDraft(composer, step.taken), used: true };
}

/** Adds to an open search the messages that were sent earlier in this folder, newest first. */
export function withMessages(composer: Composer, messages: readonly string[]): Composer {
  const { search } = composer;
  return search === undefined ? composer : { ...composer, search: { ...search, messages } };
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
  const meant = popup.row === 0 && popup.kind === "command" && isCommand(written);
  const name = nameOf(popup);
  const whole = meant || written === name || written === name.replace(/\/"$/, "/");
  return key.name === "enter" && !whole ? accept(composer, popup) : undefined;
}

/** The name that is pointed at, as it stands in a message behind its sign. */
function nameOf({ kind, items, row }: Popup): string {
  const name = items[row]?.name ?? "";
  return kind === "file" ? mentionOf(name).slice(1) : name;
}

function accept(composer: Composer, popup: Popup): ComposerStep {
  const { buffer } = composer;
  const name = nameOf(popup);
  const isQuoted = name.startsWith('"');
  const isFolder = /\/"?$/.test(name);
  const head = buffer.text.slice(0, popup.from) + name;
  const behind = buffer.text.slice(buffer.cursor);
  // The quote that a folder was given before.
  const rest = isOpen(buffer, popup) && behind.startsWith('"') ? behind.slice(1) : behind;
  const gap = isFolder || rest.startsWith(" ") ? "" : " ";
  const next = setText(buffer, head + gap + rest);
  if (!isFolder)
    return { composer: { ...composer, buffer: moveTo(next, (head + gap).length), popup: undefined }, used: true };
  // In front of its quote the name goes on.
  return typed({ ...composer, popup: undefined }, moveTo(next, head.length - (isQuoted ? 1 : 0)));
}

const isOpen = ({ text }: TextBuffer, { from }: Popup): boolean => text.charAt(from) === '"';

/** After a change of the text: the popup that now fits. */
function typed(composer: Composer, buffer: TextBuffer): ComposerStep {
  const word = wordAt(buffer);
  if (word === undefined) return { composer: { buffer, ...closed }, used: true };
  if (word.from === composer.dismissed) return { composer: { ...composer, buffer, popup: undefined }, used: true };
  const { kind, from, prefix } = word;
  if (kind === "command") {
    const known = composer.popup?.kind === "command" ? composer.popup.ofFiles : undefined;
    const ofFiles = known ?? [];
    const popup: Popup = { kind, from, items: completeCommand(prefix, ofFiles), row: 0, ofFiles };
    const effect = known === undefined ? { effect: { do: "commands" } as const } : {};
    return { composer: { buffer, ...closed, popup }, ...effect, used: true };
  }
  const old = composer.popup?.kind === "file" && composer.popup.from === from ? composer.popup : undefined;
  const popup: Popup = old ?? { kind, from, items: [], row: 0 };
  return { composer: { buffer, ...closed, popup }, effect: { do: "complete", prefix }, used: true };
}

/** The commands of files that were found; dropped when no name of a command is being typed any more. */
export function withCommands(composer: Composer, ofFiles: readonly Offer[]): Composer {
  const { popup } = composer;
  const word = wordAt(composer.buffer);
  if (popup?.kind !== "command" || word?.kind !== "command") return composer;
  const items = completeCommand(word.prefix, ofFiles);
  const pointed = popup.row === 0 ? undefined : popup.items[popup.row]?.name;
  const row = Math.max(
    0,
    items.findIndex(({ name }) => name === pointed),
  );
  return { ...composer, popup: { ...popup, items, row, ofFiles } };
}

/** The files that were found; dropped when the person has typed on since. */
export function withFiles(composer: Composer, prefix: string, files: readonly string[]): Composer {
  const word = wordAt(composer.buffer);
  if (word?.kind !== "file" || word.prefix !== prefix || composer.popup === undefined) return composer;
  const items = files.map((name) => ({ name }));
  return { ...composer, popup: { ...composer.popup, from: word.from, items, row: 0 } };
}
