import { jsonLine } from "../../core/json-line.ts";
import { rootSessions, sessionInfo } from "../../records/session-info.ts";
import { type SessionProgress, standingOfRow, standingText } from "../../records/session-progress.ts";
import type { SessionRow, SessionState } from "../../store/types.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { momentText, whenText } from "../print/moments.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { standingAgain, titleOf } from "../print/standing-words.ts";
import { tableRows } from "../print/table.ts";
import type { Span } from "../terminal/span.ts";
import { cutSpans } from "../terminal/width.ts";

/** `agent sessions list`: this workspace's, newest first, or all. */
export async function listSessions(composition: Composition, all: boolean): Promise<number> {
  const { io, flags, workspace } = composition;
  const store = await composition.reading();
  const rows = rootSessions(store, all ? undefined : workspace);
  if (flags.json === true) {
    const spent = store.spent();
    for (const row of rows) io.stdout.write(jsonLine(sessionInfo(store, row, spent)));
    return 0;
  }
  if (rows.length === 0) {
    io.stdout.write(all ? `${sessionWords().noSessions}\n` : `${sessionWords().noneHere}\n`);
    return 0;
  }
  const { width } = pageOf(io);
  const utc = flags.utc === true;
  const now = Date.now();
  const cells = rows.map((row): [Span, Span, Span[], Span] => {
    const helpers = helpersMore(store.sessions.children(row.id).length);
    return [
      span(row.id, { bold: true }),
      span(width === undefined ? momentText(row.updatedAt, utc) : whenText(row.updatedAt, now, utc), { dim: true }),
      [
        ...(width === undefined ? [span(row.state.padEnd(17))] : standingCells(row, standingOfRow(store, row), width)),
        span(helpers, { dim: true }),
      ],
      span(all ? `${row.title}  ${row.workspace}` : row.title),
    ];
  });
  // Where no session changed a file, or has a helper, there is no column of them.
  const isTold = (at: number): boolean => at === 0 || cells.some(([, , stands]) => (stands[at]?.text ?? "") !== "");
  const table = cells.map(([id, time, stands, title]) => [id, time, ...stands.filter((_, at) => isTold(at)), title]);
  await printRows(io, tableRows(table, width, "cut"));
  return 0;
}

/** A session stands in the list with those that its calls drive; empty for none. */
const helpersMore = (count: number): string => (count === 0 ? "" : cellWords().helpers({ helpers: count }));

const looks = (): Readonly<Record<SessionState, Span>> => ({
  idle: { text: sessionWords().idle, dim: true },
  running: { text: sessionWords().running, color: "cyan" },
  awaiting_approval: { text: sessionWords().waits, color: "yellow" },
  awaiting_recovery: { text: sessionWords().unknown, color: "yellow" },
  broken: { text: sessionWords().isDamaged, color: "red" },
});

/** Makes the cell of a session's state, in words; undefined: it is damaged. */
export function stateCell(state: SessionState, standing: SessionProgress | undefined): Span {
  if (standing === undefined) return looks().broken;
  if (state === "running") return looks().running;
  const text = standingText(state, standing, titleOf);
  return text === "idle" ? looks().idle : span(standingAgain(text), { color: "yellow" });
}

/** The number of files in words; empty for none. */
export const filesText = (standing: Pick<SessionProgress, "filesChanged"> | undefined): string => {
  const count = standing?.filesChanged ?? 0;
  return count === 0 ? "" : cellWords().files({ files: count });
};

/** The words keep to a part of the terminal: who wants to read more opens the session. */
function standingCells({ state }: SessionRow, standing: SessionProgress | undefined, width: number): Span[] {
  const [words = looks().idle] = cutSpans([stateCell(state, standing)], Math.max(28, Math.floor(width / 3)));
  return [words, span(filesText(standing), { dim: true })];
}
