import { parseStep, type StepId, stepText } from "../../../core/step-id.ts";
import type { LostJob } from "../../types.ts";
import type { Database } from "../database.ts";

/** Inside `write` only. The model is told of it with the next request that is made. */
export function addLostJob(db: Database, thread: number, callId: string): void {
  db.run("INSERT OR IGNORE INTO lost_job (thread, call) VALUES (?, ?)", thread, callId);
}

/** In the order of their calls. */
export function readLostJobs(db: Database, thread: number): LostJob[] {
  const sql = `SELECT l.call, l.step FROM lost_job l JOIN tool_call c ON c.thread = l.thread AND c.id = l.call
    WHERE l.thread = ? ORDER BY c.key`;
  const rows = db.all<{ call: string; step: string | null }>(sql, thread);
  return rows.map(({ call, step }) => ({ callId: call, ...(step === null ? {} : { step: parseStep(step) }) }));
}

/** From now on all that were not told belong to this step. Inside `write` only. */
export function markLostTold(db: Database, thread: number, stepId: StepId): void {
  db.run("UPDATE lost_job SET step = ? WHERE thread = ? AND step IS NULL", stepText(stepId), thread);
}

/** Those of the calls that came along; told there where that step came along, too. Inside `write` only. */
export function copyLostJobs(db: Database, from: number, to: number): void {
  db.run(
    `INSERT INTO lost_job (thread, call, step)
     SELECT ?, call, (SELECT id FROM step WHERE thread = ? AND id = l.step) FROM lost_job l
     WHERE thread = ? AND EXISTS (SELECT 1 FROM tool_call WHERE thread = ? AND id = l.call)`,
    ...[to, to, from, to],
  );
}
