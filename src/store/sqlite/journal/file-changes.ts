import type { Sha } from "../../../core/json.ts";
import type { FileChangeRow } from "../../types.ts";
import type { Database } from "../database.ts";

type Row = { id: string; real: string; before: string | null; after: string | null };

/**
 * What calls changed in files, oldest first: what was noted of each (`done`), then what the plan of a file effect says that came to its
 * end. The texts of plans are not read for it, so that a list of sessions can tell it.
 */
export function readFileChanges(db: Database, thread: number): FileChangeRow[] {
  const columns = `c.key, c.id, f.value ->> '$.real' AS real, f.value ->> '$.before' AS before, f.value ->> '$.after' AS after`;
  const rows = db.all<Row>(
    `SELECT id, real, before, after FROM (
       SELECT ${columns}, 0 AS late, f.key AS place
         FROM tool_call c, json_each(c.done) f WHERE c.thread = ? AND c.done IS NOT NULL
       UNION ALL
       SELECT ${columns}, 1 AS late, f.key AS place
         FROM tool_call c, json_each(c.plan, '$.files') f
         WHERE c.thread = ? AND c.effect = 'file' AND c.status = 'success' AND c.plan IS NOT NULL)
     WHERE before IS NOT after ORDER BY key, late, place`,
    thread,
    thread,
  );
  const seen = new Set<string>();
  return rows.flatMap(({ id, real, before, after }) => {
    const known = JSON.stringify([id, real, before, after]);
    if (seen.has(known)) return [];
    seen.add(known);
    return [{ callId: id, real, before: before as Sha | null, after: after as Sha | null }];
  });
}
