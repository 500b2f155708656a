import { fullView as words } from "../../../words/en/full-view.ts";
import type { DiffHead } from "../../terminal/diff-view.ts";
import { applyKey } from "../../terminal/edit-keys.ts";
import type { Key } from "../../terminal/key.ts";
import type { Rows } from "../../terminal/rows.ts";
import { plainText, type StyledLine } from "../../terminal/span.ts";
import { emptyBuffer, type TextBuffer } from "../../terminal/text-buffer.ts";
import { readBy } from "../question/window.ts";

/** A place that another layout of the same text has too: so many rows below a head. */
interface Place {
  head: number;
  below: number;
}

/** A person who reads a long text on the whole screen: where they are in it. */
export interface Reader {
  top: number;
  /** Takes the place of `top` once the text is laid out anew. */
  place: Place | undefined;
  /** Columns that are scrolled away at the left; undefined while long lines are wrapped. */
  left: number | undefined;
  /** Old beside new; undefined: where there is room for it. */
  sides: boolean | undefined;
  /** The words that are searched for. */
  query: string;
  /** The row that it was found in last. */
  hit: number | undefined;
  /** A search that goes on: it began at a row, and so many rows of them all were looked at. */
  search: { from: number; looked: number; total: number } | undefined;
  /** The query while it is being typed. */
  typing: TextBuffer | undefined;
  note: string;
}

export const newReader = (): Reader => ({
  top: 0,
  place: undefined,
  left: undefined,
  sides: undefined,
  query: "",
  hit: undefined,
  search: undefined,
  typing: undefined,
  note: "",
});

/** The text as it is laid out now; what keys need to know of it. */
export interface ReaderText {
  rows: Rows;
  heads: readonly DiffHead[];
  /** Rows of it on the screen, and the first of them. */
  window: number;
  top: number;
  /** True if there is room for two sides. */
  mayHaveSides: boolean;
  sides: boolean;
}

export interface ReaderStep {
  reader: Reader;
  /** The person goes back to where they came from. */
  leaves?: boolean;
}

const sidewaysBy = 10;

/** One key; undefined for keys that mean nothing to a reader. A search under way is over by any other, and by Esc alone. */
export function readerKey(before: Reader, key: Key, text: ReaderText): ReaderStep | undefined {
  const reader: Reader = { ...before, top: text.top, place: undefined, search: undefined, note: "" };
  if (before.search !== undefined && key.name === "escape") return { reader };
  if (reader.typing !== undefined) return { reader: searchKey(reader, reader.typing, key, text) };
  const by = readBy(key, text.window) ?? controlBy(key, text.window);
  if (by !== undefined) return { reader: moved(reader, text.top + by, text) };
  if (key.name === "left" || key.name === "right") return { reader: sideways(reader, key.name, text) };
  if (key.name === "escape") return { reader, leaves: true };
  if (key.name !== "char" || key.ctrl || key.alt) return undefined;
  return letter(reader, key.text ?? "", text);
}

function controlBy(key: Key, window: number): number | undefined {
  if (key.name !== "char" || !key.ctrl) return undefined;
  const half = Math.max(1, Math.floor(window / 2));
  const by: Record<string, number> = { d: half, u: -half, f: window, b: -window };
  return by[key.text ?? ""];
}

function letter(reader: Reader, text: string, laid: ReaderText): ReaderStep | undefined {
  const page = Math.max(1, laid.window - 1);
  switch (text) {
    case "j":
      return { reader: moved(reader, laid.top + 1, laid) };
    case "k":
      return { reader: moved(reader, laid.top - 1, laid) };
    case "b":
      return { reader: moved(reader, laid.top - page, laid) };
    case "g":
      return { reader: moved(reader, 0, laid) };
    case "G":
      return { reader: moved(reader, laid.rows.length, laid) };
    case "J":
    case "K":
      return { reader: toHead(reader, "hunk", text === "J" ? 1 : -1, laid) };
    case "n":
    case "p":
    case "N":
      return { reader: { ...reader, note: words().otherKeys } };
    case "]":
    case "[":
      return { reader: toHead(reader, "file", text === "]" ? 1 : -1, laid) };
    case "h":
    case "l":
      return { reader: sideways(reader, text === "l" ? "right" : "left", laid) };
    case "v":
      return { reader: switched(reader, laid) };
    case "/":
      return { reader: { ...reader, typing: emptyBuffer() } };
    case "q":
      return { reader, leaves: true };
    default:
      return undefined;
  }
}

const lastTop = ({ rows, window }: ReaderText): number => Math.max(0, rows.length - window);

const moved = (reader: Reader, to: number, text: ReaderText): Reader => ({
  ...reader,
  top: Math.max(0, Math.min(to, lastTop(text))),
});

/** To the next place of its kind that is not on the first row already. */
function toHead(reader: Reader, kind: DiffHead["kind"], by: 1 | -1, text: ReaderText): Reader {
  const rows = text.heads.filter((head) => head.kind === kind).map(({ row }) => row);
  const row = by > 0 ? rows.find((one) => one > text.top) : rows.findLast((one) => one < text.top);
  const next = row === undefined ? undefined : moved(reader, row, text);
  if (next === undefined || next.top === text.top)
    return { ...reader, note: (by > 0 ? words().noFurther : words().noneBefore)[kind] };
  return next;
}

function placeOf({ heads, top }: ReaderText): Place {
  const head = heads.findLastIndex(({ row }) => row <= top);
  return { head, below: top - (heads[head]?.row ?? 0) };
}

/** Long lines run on to the right once the person goes there; at the left edge they are wrapped again. */
function sideways(reader: Reader, to: "left" | "right", text: ReaderText): Reader {
  const { left } = reader;
  if (to === "left" && left === undefined) return reader;
  const place = placeOf(text);
  if (left === undefined) return { ...reader, place, left: 0 };
  if (to === "right") return { ...reader, left: left + sidewaysBy };
  return left > 0 ? { ...reader, left: Math.max(0, left - sidewaysBy) } : { ...reader, place, left: undefined };
}

function switched(reader: Reader, text: ReaderText): Reader {
  if (!text.mayHaveSides) return { ...reader, note: words().needsRoom };
  return { ...reader, place: placeOf(text), sides: !text.sides };
}

function searchKey(reader: Reader, typing: TextBuffer, key: Key, text: ReaderText): Reader {
  if (key.name === "escape") return { ...reader, typing: undefined };
  if (key.name !== "enter") return { ...reader, typing: applyKey(typing, key, 1_000_000) ?? typing };
  const query = typing.text === "" ? reader.query : typing.text;
  const hit = typing.text === "" ? reader.hit : undefined;
  return query === ""
    ? { ...reader, typing: undefined }
    : beginSearch({ ...reader, typing: undefined, query, hit }, text);
}

/** From the row behind the last hit, or behind the first row on the screen. */
function beginSearch(reader: Reader, text: ReaderText): Reader {
  const { hit } = reader;
  const isInSight = hit !== undefined && hit >= text.top && hit < text.top + text.window;
  const from = Math.min(text.rows.length, (isInSight ? hit : text.top) + 1);
  return searchOn({ ...reader, search: { from, looked: 0, total: text.rows.length } }, text);
}

/** Finds the places of the words in a row, in UTF-16 units from its beginning; capitals count where there are any. */
export function hitsIn(row: StyledLine, query: string): number[] {
  const fold = (one: string): string => (query === query.toLowerCase() ? one.toLowerCase() : one);
  const [text, wanted] = [fold(plainText(row)), fold(query)];
  const hits: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) hits.push(at);
  return hits;
}

/** Rows that are looked at in one go: laying them out takes some 25 ms, and a key that comes meanwhile is not kept waiting longer. */
const rowsAtATime = 500;

/**
 * Looks at the next rows for the words, behind the end from the beginning on. To be called again, in
 * another turn of the event loop, as long as `search` is there.
 */
export function searchOn(reader: Reader, text: ReaderText): Reader {
  const { query, search } = reader;
  if (search === undefined) return reader;
  // Laid out anew meanwhile: the rows that were looked at are others now.
  if (search.total !== text.rows.length) return beginSearch(reader, text);
  const { from, looked, total } = search;
  const at = (from + looked) % Math.max(1, total);
  const count = Math.min(rowsAtATime, total - looked);
  const rows = [
    ...text.rows.slice(at, Math.min(total, at + count)),
    ...text.rows.slice(0, Math.max(0, at + count - total)),
  ];
  const found = rows.findIndex((row) => hitsIn(row, query).length > 0);
  if (found >= 0) {
    const hit = (at + found) % total;
    return { ...moved(reader, hit, text), search: undefined, hit, note: words().found({ query }) };
  }
  if (looked + count >= total) return { ...reader, search: undefined, note: words().notFound({ query }) };
  const note = words().searching({ query, looked: looked + count, total });
  return { ...reader, search: { ...search, looked: looked + count }, note };
}
