import { jsonLine } from "../../core/json-line.ts";
import type { MessageHit } from "../../records/search.ts";
import type { SessionRow } from "../../store/types.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import type { Io } from "../io.ts";
import { momentText, whenText } from "../print/moments.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span, wrapped } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { cleanText, sanitise } from "../terminal/sanitise.ts";
import type { Span, StyledLine } from "../terminal/span.ts";

/** Nobody reads more; it is said where there are more. */
const most = 100;

type Hit = MessageHit & { session: SessionRow };

/**
 * `agent sessions search WORDS`: titles and messages in which all words stand, of this workspace's sessions or of all, the newest
 * session first. @throws CliProblem usage without a word.
 */
export async function searchSessions(
  composition: Composition,
  given: readonly string[],
  all: boolean,
): Promise<number> {
  const { io, flags, workspace } = composition;
  const { searchSession, searchWords } = await import("../../records/search.ts");
  const words = searchWords(given.join(" "));
  if (words.length === 0) throw new CliProblem("usage", sessionWords().noWord, { hint: sessionWords().noWordHint });
  const store = await composition.reading();
  const hits: Hit[] = [];
  for (const session of store.sessions.list(all ? {} : { workspace })) {
    if (hits.length > most) break;
    hits.push(...hitsOf(session, () => searchSession(store.readJournal(session.id), session, words), io));
  }
  const told = hits.slice(0, most);
  if (flags.json === true) for (const hit of told) io.stdout.write(jsonLine(lineOf(hit)));
  else await printHits(composition, told, words);
  if (hits.length > most) io.stderr.write(`${sessionWords().more({ most })}\n`);
  return 0;
}

/** One session's, no more than are told; a damaged one is named and passed over. */
function hitsOf(session: SessionRow, search: () => Iterable<MessageHit>, { stderr }: Pick<Io, "stderr">): Hit[] {
  const hits: Hit[] = [];
  try {
    for (const found of search()) {
      hits.push({ ...found, session });
      if (hits.length > most) break;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    stderr.write(cleanText(`${sessionWords().notSearched({ session: session.id, why })}\n`));
  }
  return hits;
}

const lineOf = ({ session: { id, title, workspace }, at, role, text }: Hit) => ({
  ...{ id, title, workspace, at: new Date(at).toISOString(), role, text },
});

const speakers: Readonly<Record<MessageHit["role"], string>> = { title: "title", user: "you", assistant: "agent" };

async function printHits({ io, flags }: Composition, hits: readonly Hit[], words: readonly string[]): Promise<void> {
  const { width } = pageOf(io);
  const utc = flags.utc === true;
  if (hits.length === 0) io.stdout.write(`${sessionWords().noMessage}\n`);
  if (width === undefined) {
    const rows = hits.map(({ session, at, role, text }) =>
      [session.id, momentText(at, utc), speakers[role].padEnd(5), text].map((cell) => span(cell)),
    );
    return printRows(io, tableRows(rows, width, "wrap"));
  }
  const now = Date.now();
  const sessions = [...new Set(hits.map(({ session }) => session))];
  const rows = sessions.flatMap((session): StyledLine[] => {
    const own = hits.filter((hit) => hit.session === session);
    const head = [span(session.id, { bold: true }), span(`  ${session.title}`)];
    const lines = own
      .filter(({ role }) => role !== "title" || own.length === 1)
      .map(({ at, role, text }) => [
        span(`  ${speakers[role]}`, { dim: true }),
        span(whenText(at, now, utc), { dim: true }),
        span(text),
      ]);
    return [...wrapped(head, width, 2), ...tableRows(lines, width, "wrap").map((row) => marked(row, words))];
  });
  await printRows(io, rows);
}

/** The words stand out. */
function marked(row: StyledLine, words: readonly string[]): StyledLine {
  const any = new RegExp(
    `(${words.map((word) => sanitise(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
    "iu",
  );
  return row.flatMap((one): Span[] =>
    one.dim === true
      ? [one]
      : one.text
          .split(any)
          .map((text, at) => (at % 2 === 1 ? { ...one, text, bold: true, color: "yellow" } : { ...one, text })),
  );
}
