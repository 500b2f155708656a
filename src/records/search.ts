import { wordsOf } from "../graph/talk/no-words.ts";
import { bySpeaker } from "../graph/talk/typed-text.ts";
import type { JournalReading, SessionRow, StoredReply } from "../store/types.ts";

/** One message, or a session's title, in which all words stand. */
export interface MessageHit {
  role: "title" | "user" | "assistant";
  /** The last moment that the records know at or before it, in milliseconds since the epoch. */
  at: number;
  /** The line with most of the words; of a long one the part around the first of them. */
  text: string;
}

type Readable = Pick<JournalReading, "turns" | "turnMessage" | "steers" | "storedReplies" | "findReply">;

/** Characters of a line that are told. */
const longestLine = 400;

/** Upper and lower case are the same, and so are composed and decomposed letters. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** The words as they are looked for: parted by blanks, each once. */
export const searchWords = (text: string): string[] =>
  [...new Set(folded(text).split(/\s+/))].filter((word) => word !== "");

/** Yields the places of a session that have all these words, in its order: the title first, then the talk. */
export function* searchSession(
  journal: Readable,
  { title, createdAt }: Pick<SessionRow, "title" | "createdAt">,
  words: readonly string[],
): Generator<MessageHit> {
  const find = (role: MessageHit["role"], at: number, text: string): MessageHit[] => {
    const line = lineWith(text, words);
    return line === undefined ? [] : [{ role, at, text: line }];
  };
  yield* find("title", createdAt, title);
  const replies = byTurn(journal.storedReplies());
  const escaped = words.map((word) => JSON.stringify(word).slice(1, -1));
  const steers = journal.steers();
  let at = createdAt;
  for (const { turn } of journal.turns()) {
    const told = steers.filter(({ step }) => step?.turn === turn).map(({ message }) => message);
    // What servers gave for them is no word of the person's.
    for (const said of [journal.turnMessage(turn), ...told]) yield* find("user", at, bySpeaker(said).person);
    for (const { id, body, proposed } of replies.get(turn) ?? []) {
      at = proposed ?? at;
      const stored = folded(body);
      // Most are passed over as they lie there.
      const message = escaped.every((word) => stored.includes(word)) ? journal.findReply(id)?.message : undefined;
      if (message !== undefined) yield* find("assistant", at, wordsOf(message));
    }
  }
}

function byTurn(replies: readonly StoredReply[]): Map<number, StoredReply[]> {
  const turns = new Map<number, StoredReply[]>();
  for (const reply of replies) turns.set(reply.id.turn, [...(turns.get(reply.id.turn) ?? []), reply]);
  return turns;
}

function lineWith(text: string, words: readonly string[]): string | undefined {
  const whole = folded(text);
  if (!words.every((word) => whole.includes(word))) return undefined;
  const lines = text.normalize("NFC").split(/\r?\n/);
  const score = (line: string): number => words.filter((word) => folded(line).includes(word)).length;
  let best = "";
  let most = 0;
  for (const line of lines) {
    const here = score(line);
    if (here > most) [best, most] = [line, here];
    if (most === words.length) break;
  }
  return around(best.trim(), words);
}

function around(line: string, words: readonly string[]): string {
  if (line.length <= longestLine) return line;
  const low = folded(line);
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places) - longestLine / 4);
  const part = line.slice(from, from + longestLine).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${part}${from + longestLine < line.length ? "…" : ""}`;
}
