import { applyKey } from "../../terminal/edit-keys.ts";
import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, type TextBuffer } from "../../terminal/text-buffer.ts";

/** Ctrl+R: earlier messages that have these words in them. */
export interface MessageSearch {
  /** The words that are looked for. */
  words: TextBuffer;
  /** Newest first; undefined until they are known. */
  messages: readonly string[] | undefined;
  /** The place of the shown message among those that fit, from the newest. */
  at: number;
}

export const newSearch: MessageSearch = { words: emptyBuffer(), messages: undefined, at: 0 };

/** Messages that have all the words, in any order and case. */
export function fitting({ words, messages = [] }: MessageSearch): string[] {
  const wanted = words.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return messages.filter((message) => {
    const text = message.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export const shownMessage = (search: MessageSearch): string | undefined => fitting(search)[search.at];

/** `search` is undefined where the search is over; `taken` is the message that was found. */
interface SearchStep {
  search: MessageSearch | undefined;
  taken?: string;
}

/** One key while earlier messages are searched: Ctrl+R and the arrows go on, Enter and Tab take, Esc gives up. */
export function searchKey(search: MessageSearch, key: Key, width: number): SearchStep {
  const control = key.name === "char" && key.ctrl ? key.text : undefined;
  if (key.name === "escape" || control === "g") return { search: undefined };
  if (key.name === "enter" || key.name === "tab") {
    const taken = shownMessage(search);
    return taken === undefined ? { search } : { search: undefined, taken };
  }
  if (control === "r" || key.name === "up") return { search: moved(search, 1) };
  if (control === "s" || key.name === "down") return { search: moved(search, -1) };
  const words = applyKey(search.words, key, width);
  return { search: words === undefined ? search : { ...search, words, at: 0 } };
}

const moved = (search: MessageSearch, by: number): MessageSearch => ({
  ...search,
  at: Math.max(0, Math.min(fitting(search).length - 1, search.at + by)),
});
