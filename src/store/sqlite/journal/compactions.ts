import { wellFormed } from "../../plain-codec.ts";
import type { Compaction, NewCompaction } from "../../types.ts";
import type { Database } from "../database.ts";

interface Row {
  seq: number;
  at: number;
  actor: Compaction["by"];
  up_to: string;
  made_after: string;
  was: number;
  became: number;
  kept: number | null;
  summary: string | null;
  shown: string | null;
  undone: number | null;
}

/** Inside `write` only. @returns its id */
export function storeCompaction(db: Database, thread: number, made: NewCompaction, at: number): string {
  const seq = countCompactions(db, thread) + 1;
  const { by, upTo, madeAfter, before, after } = made;
  const [kept, summary, shown] =
    made.kind === "prune" ? [made.kept, null, null] : [null, wellFormed(made.summary), wellFormed(made.shown)];
  db.run(
    `INSERT INTO compaction (thread, seq, at, actor, up_to, made_after, was, became, kept, summary, shown)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[thread, seq, at, by, upTo, madeAfter, before, after, kept, summary, shown],
  );
  return idOf(seq);
}

/** In the order in which they were made; those that were taken back say so. */
export const readCompactions = (db: Database, thread: number): Compaction[] =>
  db.all<Row>("SELECT * FROM compaction WHERE thread = ? ORDER BY seq", thread).map((row) => ({
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
  }));

const countCompactions = (db: Database, thread: number): number =>
  db.get<{ last: number | null }>("SELECT max(seq) AS last FROM compaction WHERE thread = ?", thread)?.last ?? 0;

/** Inside `write` only. @returns whether it was in force */
export const takeBackCompaction = (db: Database, thread: number, id: string, at: number): boolean =>
  db.run("UPDATE compaction SET undone = ? WHERE thread = ? AND seq = ? AND undone IS NULL", at, thread, seqOf(id))
    .changes === 1;

const idOf = (seq: number): string => `k${seq}`;
const seqOf = (id: string): number => Number(/^k(\d+)$/.exec(id)?.[1] ?? 0);
