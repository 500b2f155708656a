import { wordsOf } from "../graph/talk/no-words.ts";
import { bySpeaker } from "../graph/talk/typed-text.ts";
import { titleMark } from "../model/port.ts";
import type { JournalReading, Store } from "../store/types.ts";

/** Characters that a title has at the most. */
export const longestTitle = 80;

/** UTF-16 units that are looked at: a longer character, with marks without end, is none that a title needs. */
const mostUnits = longestTitle * 32;

/** One line without control characters, cut at a whole character; undefined where nothing is left of it. Pure. */
export function cleanTitle(text: string): string | undefined {
  const line = text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|(?!\n)\p{Cc}/gu, " ")
    .trim()
    .split("\n", 1)[0];
  const bare = (line ?? "").replace(/\s+/g, " ").trim();
  if (bare === "") return undefined;
  // Each character that is found comes with a copy of the whole text.
  const characters = [...new Intl.Segmenter().segment(bare.slice(0, mostUnits))].map(({ segment }) => segment);
  return characters.length <= longestTitle && bare.length <= mostUnits
    ? bare
    : `${characters
        .slice(0, Math.min(longestTitle, characters.length) - 1)
        .join("")
        .trimEnd()}…`;
}

/** The same of what a model wrote: without the marks that it likes to put around a name. Pure. */
export const titleOfReply = (text: string): string | undefined =>
  cleanTitle((cleanTitle(text) ?? "").replace(/^(?:title:|["'`“«*#\s])+|["'`”»*\s]+$/giu, ""));

/**
 * Gives a session the person's name for it, also while a process drives it; the model's never takes its place.
 * @returns the title as it was kept; undefined where nothing is left of it, or there is no such session.
 */
export async function renameSession(
  store: Pick<Store, "sessions">,
  id: string,
  text: string,
): Promise<string | undefined> {
  const title = cleanTitle(text);
  if (title === undefined || store.sessions.get(id) === undefined) return undefined;
  await store.sessions.rename(id, title);
  return title;
}

/** Characters of the prompt and of the last words that a title is made of. */
const enough = 1_500;

/** Makes the question by which the model is asked for a title of a session's first turn. It begins so that it can be told from the talk. */
export function titleQuestion(
  journal: Pick<JournalReading, "turns" | "turnMessage" | "steps" | "findReply">,
): string | undefined {
  const first = journal.turns().find(({ state }) => state !== "queued");
  if (first === undefined) return undefined;
  const steps = journal.steps().filter(({ id }) => id.turn === first.turn);
  const last = steps.at(-1);
  const reply = last && journal.findReply(last.id)?.message;
  return [
    `${titleMark} Name this conversation for a list: at most six words, in its own language, no quotes. Answer with the name alone.`,
    `The person asked: ${bySpeaker(journal.turnMessage(first.turn)).person.slice(0, enough)}`,
    ...(reply === undefined ? [] : [`The answer was: ${wordsOf(reply).slice(0, enough)}`]),
  ].join("\n\n");
}
