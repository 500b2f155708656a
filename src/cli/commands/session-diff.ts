import { jsonLine } from "../../core/json-line.ts";
import { diffTextOf, sessionDiff } from "../../records/session-diff.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { atTerminal, wantsLines } from "../io.ts";
import { changeRows } from "../print/change-rows.ts";
import { pageOf } from "../print/page.ts";
import { printRows } from "../print/rows.ts";
import { layoutDiff } from "../terminal/diff-view.ts";
import { cleanText } from "../terminal/sanitise.ts";

/**
 * `agent sessions show --diff`: all that the session and its children changed, a diff a file; what was taken back does not show. At a terminal that is too
 * low for it the person reads it on the whole screen.
 */
export async function showDiff(composition: Composition, id: string): Promise<number> {
  const { io, flags } = composition;
  const row = await findSession({ store: composition.reading }, id);
  const store = await composition.reading();
  const changed = sessionDiff({ store, journal: store.readJournal(row.id) }, row.workspace);
  const page = pageOf(io, composition.config.theme);
  if (page.width !== undefined && flags.json !== true) {
    const changes = changed.flatMap((file) => file.changes);
    if (atTerminal(io) && !wantsLines(io.env) && layoutDiff(changes, page.width).length >= (io.stdout.rows || 24)) {
      const { readChanges } = await import("../ui/full-view/read-changes.ts");
      const { theme = "auto" } = composition.config;
      await readChanges(io, { title: sessionWords().changedBy({ session: row.id }), changes, theme });
      return 0;
    }
    await printRows(io, await changeRows(changes, page.width, page), page);
    return 0;
  }
  // As patch takes it.
  for (const file of changed) {
    const line = diffTextOf(file);
    io.stdout.write(flags.json === true ? jsonLine(line) : cleanText(line.diff));
  }
  return 0;
}
