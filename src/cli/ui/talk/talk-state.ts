import type { Key } from "../../terminal/key.ts";
import { newReader, type Reader, type ReaderText, readerKey, searchOn } from "../full-view/reader-state.ts";
import { letterOf } from "../surface/rows-by.ts";
import type { Item } from "../view/view.ts";

/** The talk of a session, and where the person is in it. */
export interface Talk {
  session: string;
  items: readonly Item[];
  reader: Reader;
  /** The window stays at the end of what comes. */
  follows: boolean;
}

/** @param follows read at its end; else at its beginning */
export const newTalk = (session: string, items: readonly Item[], follows: boolean): Talk => ({
  ...{ session, items, follows },
  reader: newReader(),
});

/** The keys that a reader of changes has beside: there are no changes to go to here. */
const ofChanges: ReadonlySet<string> = new Set(["J", "K", "[", "]", "n", "p", "N", "v"]);

/** One key. @returns undefined where the person goes back */
export function talkKey(talk: Talk, key: Key, text: ReaderText | undefined): Talk | undefined {
  const isSearch = talk.reader.typing !== undefined;
  if (text === undefined || (!isSearch && ofChanges.has(letterOf(key) ?? ""))) return talk;
  const step = readerKey(talk.reader, key, text);
  if (step === undefined) return talk;
  if (step.leaves === true) return undefined;
  const { reader } = step;
  return { ...talk, reader, follows: reader.top + text.window >= text.rows.length };
}

/** A long search is gone on with; the same where none is under way. */
export const talkSearchedOn = (talk: Talk, text: ReaderText): Talk =>
  talk.reader.search === undefined ? talk : { ...talk, reader: searchOn(talk.reader, text), follows: false };
