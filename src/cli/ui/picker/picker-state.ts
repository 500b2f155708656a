import { picker as words } from "../../../words/en/picker.ts";
import type { SessionLine, SessionLook } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, setText, type TextBuffer } from "../../terminal/text-buffer.ts";
import { editKey, textOf } from "../dialog/text-field.ts";

export interface Picker {
  /** Newest first. */
  rows: readonly SessionLine[];
  /** Reads a session's records, once; asked only for what is on the screen. */
  look: (id: string) => SessionLook;
  /** The session that the list was opened from. */
  present: string | undefined;
  /** Those of other folders are in it too. */
  all: boolean;
  /** The session that is pointed at, by its id. */
  at: string | undefined;
  filter: TextBuffer;
  /** True while typed text goes to the filter. */
  filtering: boolean;
  /** The new title of the session that is pointed at, while it is written. */
  naming: TextBuffer | undefined;
  /** True while the person is asked whether the session that is pointed at goes for good. */
  removing: boolean;
  note: string;
}

export type PickerEffect =
  | { do: "choose"; id: string }
  | { do: "retitle"; id: string; title: string }
  | { do: "remove"; id: string }
  /** The list is wanted again, with other folders or without. */
  | { do: "list"; all: boolean }
  | { do: "back" };

export interface PickerStep {
  picker: Picker;
  effect?: PickerEffect;
}

const waiting: ReadonlySet<string> = new Set(["awaiting_approval", "awaiting_recovery"]);

/** Returns the session where the person begins: the newest that waits for them, else the newest. */
const firstOf = (rows: readonly SessionLine[], present: string | undefined): string | undefined => {
  const others = rows.filter(({ id }) => id !== present);
  return (others.find(({ state }) => waiting.has(state)) ?? others[0] ?? rows[0])?.id;
};

export const newPicker = (opened: Pick<Picker, "rows" | "look" | "present" | "all">): Picker => ({
  ...opened,
  at: firstOf(opened.rows, opened.present),
  filter: emptyBuffer(),
  filtering: false,
  naming: undefined,
  removing: false,
  note: "",
});

/** The list anew: what is pointed at stays, or its neighbour takes its place. */
export function withSessions(picker: Picker, { rows, look, all }: Pick<Picker, "rows" | "look" | "all">): Picker {
  const before = shownRows(picker);
  const next = { ...picker, rows, look, all };
  const shown = shownRows(next);
  if (shown.some(({ id }) => id === picker.at)) return next;
  const place = before.findIndex(({ id }) => id === picker.at);
  return { ...next, at: (shown[Math.min(place, shown.length - 1)] ?? shown[0])?.id };
}

/** Those that have all the words of the filter in their title, id or folder, in any order and case. */
export function shownRows({ rows, filter }: Pick<Picker, "rows" | "filter">): readonly SessionLine[] {
  const wanted = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return rows;
  return rows.filter(({ id, title, workspace }) => {
    const text = `${title}\n${id}\n${workspace}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export const pointedAt = (picker: Picker): SessionLine | undefined =>
  shownRows(picker).find(({ id }) => id === picker.at);

/** Returns a session's state and the number of files that it changed, in words; not yet safe to draw. */
export function standing({ id, state }: SessionLine, look: SessionLook, present: string | undefined): string[] {
  const stands = id === present ? words().here : state === "running" ? words().inUse : look.words;
  const { filesChanged } = look;
  return filesChanged === 0 ? [stands] : [stands, words().filesChanged({ files: filesChanged })];
}

/**
 * One key in the list of sessions. Esc goes one step back, in the end out of it.
 * @param page sessions on the screen; where there are none of it, nothing is decided
 */
export function pickerKey(before: Picker, key: Key, page: number): PickerStep {
  const picker: Picker = { ...before, note: "" };
  if (key.name === "char" && key.ctrl && key.text === "c") return { picker, effect: { do: "back" } };
  if (page < 1) return key.name === "escape" ? { picker, effect: { do: "back" } } : { picker };
  if (picker.removing) return removal(picker, key);
  if (picker.naming !== undefined) return naming(picker, picker.naming, key);
  const by = stepOf(key, page, picker.filtering);
  if (by !== undefined) return { picker: moved(picker, by) };
  if (key.name === "enter") return chosen(picker);
  return picker.filtering ? filtering(picker, key) : letter(picker, key);
}

/** Returns the number of sessions by which a key moves; letters move only where they are not typed. */
function stepOf(key: Key, page: number, typing: boolean): number | undefined {
  const plain = key.name === "char" && !key.ctrl && !key.alt && !typing ? key.text : undefined;
  if (key.name === "up" || plain === "k") return -1;
  if (key.name === "down" || plain === "j") return 1;
  if (key.name === "pageup") return -page;
  if (key.name === "pagedown" || plain === " ") return page;
  if (typing) return undefined;
  if (key.name === "home" || plain === "g") return Number.NEGATIVE_INFINITY;
  if (key.name === "end" || plain === "G") return Number.POSITIVE_INFINITY;
  return undefined;
}

function moved(picker: Picker, by: number): Picker {
  const shown = shownRows(picker);
  const place = shown.findIndex(({ id }) => id === picker.at);
  return { ...picker, at: shown[Math.max(0, Math.min(shown.length - 1, place + by))]?.id };
}

function chosen(picker: Picker): PickerStep {
  const row = pointedAt(picker);
  if (row === undefined) return { picker };
  if (row.id === picker.present) return { picker, effect: { do: "back" } };
  return inUse(picker, row) ?? { picker, effect: { do: "choose", id: row.id } };
}

/** A session that another process drives can neither be gone over to nor removed. */
const inUse = (picker: Picker, { state }: SessionLine): PickerStep | undefined =>
  state === "running" ? { picker: { ...picker, note: words().busy } } : undefined;

function letter(picker: Picker, key: Key): PickerStep {
  if (key.name === "escape") return back(picker);
  if (key.name !== "char" || key.ctrl || key.alt) return { picker };
  const row = pointedAt(picker);
  switch (key.text) {
    case "/":
      return { picker: { ...picker, filtering: true } };
    case "a":
      return { picker, effect: { do: "list", all: !picker.all } };
    case "q":
      return { picker, effect: { do: "back" } };
    case "r":
      return { picker: row === undefined ? picker : { ...picker, naming: setText(emptyBuffer(), oneLine(row.title)) } };
    case "x":
      if (row === undefined) return { picker };
      if (row.id === picker.present) return { picker: { ...picker, note: words().removeHere } };
      return inUse(picker, row) ?? { picker: { ...picker, removing: true } };
    default:
      return { picker };
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A filter goes before the list does. */
function back(picker: Picker): PickerStep {
  if (picker.filter.text === "") return { picker, effect: { do: "back" } };
  return { picker: refiltered(picker, emptyBuffer()) };
}

function filtering(picker: Picker, key: Key): PickerStep {
  if (key.name === "escape") return { picker: { ...refiltered(picker, emptyBuffer()), filtering: false } };
  return { picker: refiltered(picker, editKey(picker.filter, key)) };
}

function refiltered(picker: Picker, filter: TextBuffer): Picker {
  const next = { ...picker, filter };
  const shown = shownRows(next);
  return shown.some(({ id }) => id === picker.at) ? next : { ...next, at: shown[0]?.id };
}

function naming(picker: Picker, buffer: TextBuffer, key: Key): PickerStep {
  if (key.name === "escape") return { picker: { ...picker, naming: undefined } };
  if (key.name !== "enter") return { picker: { ...picker, naming: editKey(buffer, key) } };
  const title = oneLine(textOf(buffer));
  if (title === "") return { picker: { ...picker, note: words().emptyTitle } };
  const done = { ...picker, naming: undefined };
  return picker.at === undefined ? { picker: done } : { picker: done, effect: { do: "retitle", id: picker.at, title } };
}

/** Takes back the question whether to remove a session: it was out of sight. */
export const unasked = (picker: Picker): Picker =>
  picker.removing ? { ...picker, removing: false, note: words().kept } : picker;

/** Only `y` removes; a key of another meaning was not meant so. */
function removal(picker: Picker, key: Key): PickerStep {
  const kept = { ...picker, removing: false };
  const yes = key.name === "char" && key.text === "y" && !key.ctrl && !key.alt;
  if (!yes || picker.at === undefined) return { picker: { ...kept, note: words().kept } };
  return { picker: kept, effect: { do: "remove", id: picker.at } };
}
