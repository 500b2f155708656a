import { jsonLine } from "../../core/json-line.ts";
import type { SessionRow, SessionState } from "../../store/types.ts";
import type { Composition } from "../composition.ts";
import { momentText, whenText } from "../print/moments.ts";
import { pageOf, printRows, span } from "../print/page.ts";
import { tableRows } from "../print/table.ts";
import type { Span } from "../terminal/span.ts";

/** `agent sessions list`: this workspace's, newest first, or all. */
export async function listSessions(composition: Composition, all: boolean): Promise<number> {
  const { io, flags, workspace } = composition;
  const rows = (await composition.reading()).sessions.list(all ? {} : { workspace });
  if (flags.json === true) {
    for (const { id, title, workspace, state, model, createdAt, updatedAt } of rows) {
      const [created, updated] = [createdAt, updatedAt].map((at) => new Date(at).toISOString());
      io.stdout.write(jsonLine({ id, title, workspace, state, model, createdAt: created, updatedAt: updated }));
    }
    return 0;
  }
  if (rows.length === 0) {
    io.stdout.write(all ? "no sessions\n" : "no sessions of this folder (--all includes other folders)\n");
    return 0;
  }
  const { width } = pageOf(io);
  const utc = flags.utc === true;
  const now = Date.now();
  const cellsOf = (row: SessionRow): Span[] => [
    span(row.id, { bold: true }),
    span(width === undefined ? momentText(row.updatedAt, utc) : whenText(row.updatedAt, now, utc), { dim: true }),
    width === undefined ? span(row.state.padEnd(17)) : stateCell(row.state),
    span(all ? `${row.title}  ${row.workspace}` : row.title),
  ];
  await printRows(io, tableRows(rows.map(cellsOf), width, "cut"));
  return 0;
}

const states: Readonly<Record<SessionState, Span>> = {
  idle: { text: "idle", dim: true },
  running: { text: "running", color: "cyan" },
  awaiting_approval: { text: "waits for you", color: "yellow" },
  awaiting_recovery: { text: "outcome unknown", color: "yellow" },
  broken: { text: "damaged", color: "red" },
};

/** Where a session stands, in words. */
export const stateCell = (state: SessionState): Span => states[state];
