import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, type TextBuffer } from "../../terminal/text-buffer.ts";
import { editKey, textOf } from "../dialog/text-field.ts";

/** One thing that can be done from the palette. */
export interface Entry {
  /** Its name; not yet safe to draw. */
  name: string;
  /** Its effect, in words. */
  text: string;
  /** The key that does it without the palette, where there is one. */
  key?: string;
  /** The words that stand above it and those beside it of the same; entries of one group follow each other. */
  group?: string;
  /** A command that is run at once, which may lead to another session; or what comes into the input, to be written on. */
  does: { command: string; argument: string; leads: boolean } | { write: string };
}

/** All that can be done here, to choose from by some of its letters. */
export interface Palette {
  entries: readonly Entry[];
  /** The row that is pointed at, among those that are shown. */
  at: number;
  filter: TextBuffer;
}

export type PaletteEffect =
  | { do: "run_chosen"; command: string; argument: string; leads: boolean }
  | { do: "write_chosen"; text: string };

export interface PaletteStep {
  /** Undefined: the person is back in the chat. */
  palette: Palette | undefined;
  effect?: PaletteEffect;
}

export const newPalette = (entries: readonly Entry[]): Palette => ({ entries, at: 0, filter: emptyBuffer() });

/** Returns the typed text, in lower case and one line. */
export const soughtIn = ({ filter }: Pick<Palette, "filter">): string =>
  textOf(filter).replace(/\s+/gu, " ").trim().toLowerCase();

/** Those that have all the words that were typed; first those whose name begins with them, then those whose name has them. */
export function shownEntries(palette: Pick<Palette, "entries" | "filter">): readonly Entry[] {
  const sought = soughtIn(palette);
  if (sought === "") return palette.entries;
  const words = sought.split(" ");
  const ranked = palette.entries.flatMap((entry) => {
    const name = entry.name.toLowerCase();
    const all = `${name} ${entry.text.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const rank = name.replace(/^\//u, "").startsWith(sought) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2;
    return [{ entry, rank }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry);
}

/**
 * One key. What is typed narrows the list; Esc goes one step back, in the end out of it.
 * @param page entries on the screen; where there are none of it, nothing is chosen
 */
export function paletteKey(palette: Palette, key: Key, page: number): PaletteStep {
  if (isControl(key, "c") || isControl(key, "p")) return { palette: undefined };
  if (key.name === "escape") return back(palette);
  const shown = shownEntries(palette);
  const by = rowsOf(key, page);
  if (by !== undefined)
    return { palette: { ...palette, at: Math.max(0, Math.min(shown.length - 1, palette.at + by)) } };
  if (key.name === "enter") return page < 1 ? { palette } : chosen(palette, shown[palette.at]);
  const filter = editKey(palette.filter, key);
  return { palette: filter.text === palette.filter.text ? { ...palette, filter } : { ...palette, filter, at: 0 } };
}

const isControl = (key: Key, letter: string): boolean => key.name === "char" && key.ctrl && key.text === letter;

/** Letters, Home and End are for what is typed. */
function rowsOf({ name }: Key, page: number): number | undefined {
  if (name === "up") return -1;
  if (name === "down") return 1;
  if (name === "pageup") return -page;
  return name === "pagedown" ? page : undefined;
}

const back = (palette: Palette): PaletteStep => ({
  palette: soughtIn(palette) === "" ? undefined : newPalette(palette.entries),
});

function chosen(palette: Palette, entry: Entry | undefined): PaletteStep {
  if (entry === undefined) return { palette };
  const { does } = entry;
  return {
    palette: undefined,
    effect: "write" in does ? { do: "write_chosen", text: does.write } : { do: "run_chosen", ...does },
  };
}
