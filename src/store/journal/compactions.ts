import type { Compaction, NewCompaction } from "../compaction.ts";
import { wellFormed } from "../plain-codec.ts";
import type { CompactionColumns } from "../tables.ts";
import type { Draft } from "./draft.ts";

/** @returns its id */
export function draftCompaction(draft: Draft, made: NewCompaction, at: number): string {
  const seq = (draft.rows.all("compaction").at(-1)?.seq ?? 0) + 1;
  const { by, upTo, madeAfter, before, after } = made;
  const shown =
    made.kind === "prune"
      ? { kept: made.kept, summary: null, shown: null }
      : { kept: null, summary: wellFormed(made.summary), shown: wellFormed(made.shown) };
  draft.must("compaction", { seq }, "absent");
  draft.insert("compaction", {
    ...{ seq, at, actor: by, up_to: upTo, made_after: madeAfter, was: before, became: after, undone: null },
    ...shown,
  });
  return idOf(seq);
}

/** @returns whether it was in force */
export function draftTakenBack(draft: Draft, id: string): boolean {
  const seq = seqOf(id);
  const isInForce = draft.rows.all("compaction").some((row) => row.seq === seq && row.undone === null);
  if (!isInForce) return false;
  draft.must("compaction", { seq }, { undone: null });
  draft.patch("compaction", { seq }, { undone: draft.clock() });
  return true;
}

export const compactionIn = (row: CompactionColumns): Compaction => ({
  id: idOf(row.seq),
  at: row.at,
  by: row.actor,
  upTo: row.up_to,
  madeAfter: row.made_after,
  before: row.was,
  after: row.became,
  ...(row.undone === null ? {} : { undone: row.undone }),
  ...(row.shown === null
    ? { kind: "prune", kept: row.kept ?? 0 }
    : { kind: "summary", summary: row.summary ?? "", shown: row.shown }),
});

const idOf = (seq: number): string => `k${seq}`;
const seqOf = (id: string): number => Number(/^k(\d+)$/.exec(id)?.[1] ?? 0);
