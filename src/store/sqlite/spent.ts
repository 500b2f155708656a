import { amountOf } from "../../core/amount.ts";
import type { Spent } from "../rows.ts";
import type { Database } from "./database.ts";
import { inTreeOf } from "./tree.ts";

interface Sums {
  input: number | null;
  cached: number | null;
  output: number | null;
  cost: number | null;
  unpriced: number;
}

const sums = `sum(input) AS input, sum(cached) AS cached, sum(output) AS output, sum(cost) AS cost,
  count(*) - count(cost) AS unpriced`;

export function spentIn(db: Database, thread: number, turn: number | undefined): Spent {
  const of = turn === undefined ? "" : " AND turn = ?";
  const row = db.get(
    `SELECT ${sums} FROM spent WHERE thread = ?${of}`,
    ...(turn === undefined ? [thread] : [thread, turn]),
  );
  return spentOf(row as unknown as Sums);
}

export const modelsIn = (db: Database, thread: number, turn: number): string[] =>
  db
    .all(
      "SELECT model FROM spent WHERE thread = ? AND turn = ? AND model IS NOT NULL GROUP BY model ORDER BY min(key)",
      thread,
      turn,
    )
    .map((row) => String((row as { model: unknown }).model));

/** Of the turns of all sessions whose root is that of this one. */
export function spentInTree(db: Database, thread: number): Spent {
  const row = db.get(`SELECT ${sums} FROM spent WHERE turn IS NOT NULL AND ${inTreeOf("thread")}`, thread);
  return spentOf(row as unknown as Sums);
}

export function spentBySession(db: Database, since: number): Map<string, Spent> {
  const rows = db.all(
    `SELECT thread.id AS id, ${sums} FROM spent JOIN thread ON thread.key = spent.thread WHERE at >= ? GROUP BY thread.id`,
    since,
  );
  return new Map((rows as unknown as (Sums & { id: string })[]).map((row) => [row.id, spentOf(row)]));
}

const spentOf = ({ input, cached, output, cost, unpriced }: Sums): Spent => ({
  inputTokens: input ?? 0,
  cachedTokens: cached ?? 0,
  outputTokens: output ?? 0,
  ...(cost === null ? {} : { cost: amountOf(cost) }),
  unpriced,
});
