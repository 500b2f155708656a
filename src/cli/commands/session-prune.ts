import { jsonLine } from "../../core/json-line.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { sessionCommands as sessionWords } from "../../words/en/session-commands.ts";
import type { Composition } from "../composition.ts";
import { sizeText } from "../print/figures.ts";
import { CliProblem } from "../problem.ts";

const dayMs = 86_400_000;

export interface PruneFlags {
  days: string | undefined;
  dryRun: boolean;
}

/**
 * `agent sessions prune`: drops the file contents that are kept for undo and older than so many days (by default
 * `retentionDays` of config.json). The sessions themselves stay.
 */
export async function pruneKept(composition: Composition, { days, dryRun }: PruneFlags): Promise<number> {
  const { io, config, flags } = composition;
  const kept = days === undefined ? config.retentionDays : daysOf(days);
  const before = Date.now() - kept * dayMs;
  const store = await composition.store();
  const { versions, bytes } = dryRun ? store.kept(before) : await store.prune(before);
  if (flags.json === true) {
    io.stdout.write(jsonLine({ versions, bytes, days: kept, dryRun }));
    return 0;
  }
  const what = sessionWords().keptForUndo({ versions, days: kept });
  io.stdout.write(`${(dryRun ? cellWords().wouldDrop : cellWords().dropped)({ what, size: sizeText(bytes) })}\n`);
  return 0;
}

function daysOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new CliProblem("usage", sessionWords().daysShape({ text }));
}
