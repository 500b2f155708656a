import { StaleMove } from "../../types.ts";
import type { Database } from "../database.ts";
import { storeFailure } from "../failures.ts";
import { inflate, type Packed } from "./kept-bytes.ts";

/** What a call said, whole. `job`: it goes, or went, on in the background after the call. */
export interface KeptOutput {
  bytes: Uint8Array;
  job?: "running" | "ended";
}

/** `lost`: it was ended unseen, and the person was not told yet; from then on it has ended like any other. */
type JobRow = "running" | "ended" | "lost";
type Row = { form: number; bytes: Uint8Array; job: JobRow | null };

/** Inside `write` only. In the place of what was kept of the call before. @throws StaleMove where there is no such call. */
export function writeOutput(
  db: Database,
  thread: number,
  output: { callId: string; packed: Packed; job?: JobRow | undefined; at: number },
): void {
  const { callId, packed, job, at } = output;
  const { changes } = db.run(
    `INSERT OR REPLACE INTO call_output (call, at, form, bytes, job)
     SELECT key, ?, ?, ?, ? FROM tool_call WHERE thread = ? AND id = ?`,
    ...[at, packed.form, packed.bytes, job ?? null, thread, callId],
  );
  if (changes !== 1) throw new StaleMove(`there is no call ${callId} to keep the output of`);
}

/** @throws StoreFailure corrupt where it cannot be unpacked. */
export function readOutput(db: Database, thread: number, callId: string): KeptOutput | undefined {
  const sql = `SELECT o.form, o.bytes, o.job FROM call_output o JOIN tool_call c ON c.key = o.call
    WHERE c.thread = ? AND c.id = ?`;
  const row = db.get<Row>(sql, thread, callId);
  if (row === undefined) return undefined;
  const bytes = inflate(row);
  if (bytes === undefined) throw storeFailure("corrupt", db.file, `the output of call ${callId}`);
  return row.job === null ? { bytes } : { bytes, job: row.job === "running" ? "running" : "ended" };
}

/** Calls that have a job, or had one of which something is still kept; in their order. */
export function jobsOf(db: Database, thread: number): string[] {
  const sql = `SELECT c.id FROM call_output o JOIN tool_call c ON c.key = o.call
    WHERE c.thread = ? AND o.job IS NOT NULL ORDER BY c.key`;
  return db.all<{ id: string }>(sql, thread).map(({ id }) => id);
}

/** Calls whose job was running when something was last kept of it, or was lost and the person was not told; in their order. */
export function jobsThatAre(job: "running" | "lost", db: Database, thread: number): string[] {
  const sql = `SELECT c.id FROM call_output o JOIN tool_call c ON c.key = o.call
    WHERE c.thread = ? AND o.job = ? ORDER BY c.key`;
  return db.all<{ id: string }>(sql, thread, job).map(({ id }) => id);
}

/** The person was told that it was lost. Inside `write` only. */
export function markPersonTold(db: Database, thread: number, callId: string): void {
  const sql = `UPDATE call_output SET job = 'ended'
    WHERE job = 'lost' AND call = (SELECT key FROM tool_call WHERE thread = ? AND id = ?)`;
  db.run(sql, thread, callId);
}

/** The same for a call's copy in another session, whose jobs do not run. Inside `write` only. */
export function copyOutput(db: Database, from: number, to: number): void {
  db.run(
    `INSERT OR IGNORE INTO call_output (call, at, form, bytes, job)
     SELECT ?, at, form, bytes, CASE WHEN job IS NULL THEN NULL ELSE 'ended' END FROM call_output WHERE call = ?`,
    ...[to, from],
  );
}
