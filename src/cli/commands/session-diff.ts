import { jsonLine } from "../../core/json-line.ts";
import { diffText, isStructured, totalOf } from "../../files/diff-text.ts";
import { sessionDiff } from "../../records/session-diff.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { pageOf, printRows } from "../print/page.ts";
import { layoutDiff } from "../terminal/diff-view.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent sessions show --diff`: all that the session changed, a diff a file; what was taken back does not show. */
export async function showDiff(composition: Composition, id: string): Promise<number> {
  const { io, flags } = composition;
  const row = await findSession({ store: composition.reading }, id);
  const changed = sessionDiff((await composition.reading()).readJournal(row.id), row.workspace);
  const { width } = pageOf(io);
  if (width !== undefined && flags.json !== true) {
    const rows = layoutDiff(
      changed.flatMap(({ changes }) => changes),
      width,
    );
    await printRows(
      io,
      rows.slice(0, rows.length).map(({ spans }) => spans),
    );
    return 0;
  }
  // As patch takes it.
  for (const { path, changes } of changed) {
    const diff = diffText(changes);
    const line = { path, ...(changes.every(isStructured) ? totalOf(changes) : {}), diff };
    io.stdout.write(flags.json === true ? jsonLine(line) : cleanText(diff));
  }
  return 0;
}
