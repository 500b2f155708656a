import type { Plan } from "../../core/tool.ts";
import type { JournalReading } from "../../store/types.ts";

/**
 * A file that another session of the tree has changed since a call was planned, whose change the call would write over as though it were not
 * there: what it leaves is the same with it as without. The journals of all of them say so, whichever process it was, also where a change's end was not seen: the file is as it would have
 * left it.
 */
export function writtenOver(
  journal: Pick<JournalReading, "session" | "fileChangesInTree">,
  planned: Plan,
  now: Plan,
): { real: string; by: string } | undefined {
  for (const { real, before, after } of now.files ?? []) {
    const old = planned.files?.find((file) => file.real === real);
    if (before === after || old?.after !== after || old.before === before) continue;
    const left = journal
      .fileChangesInTree({ unseen: true })
      .findLast((change) => change.real === real && change.after === before);
    if (left !== undefined && left.session !== journal.session) return { real, by: left.session };
  }
  return undefined;
}
