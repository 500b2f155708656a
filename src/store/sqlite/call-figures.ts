import type { CallFigures, CallFilter } from "../rows.ts";
import type { Database } from "./database.ts";

const ended = "c.status IN ('success', 'error', 'cancelled')";

/** The condition of a call that was stopped while it ran: whoever stopped it ended it, and that is no failure of its tool. */
const stopped = "(c.status = 'cancelled' OR c.error_code IS 'CANCELLED')";

/**
 * From a run's start to its end, where both were seen: not of a call whose end was found out or told afterwards, nor of one that was
 * decided anew and not run again. What came before the start, such as waiting for the person, is none of it.
 */
const run = `CASE WHEN c.status <> 'cancelled' AND c.started IS NOT NULL AND coalesce(c.decided, 0) <= c.started
  AND coalesce(c.rule, '') NOT IN ('evidence', 'recovery') THEN max(0, c.settled - c.started) END`;

const used = "coalesce(c.started, c.proposed)";

const figures = `c.tool, sum(c.status = 'success') AS success, sum(c.status = 'error' AND NOT ${stopped}) AS error,
  sum(${stopped}) AS cancelled, 0 AS interrupted, max(${used}) AS used, group_concat(${run}) AS runs`;

const wanted = `${used} >= ? AND c.tool = coalesce(?, c.tool) GROUP BY c.tool`;

/** Of the calls of a fork, those up to this one are copies. */
const forks = `WITH copied (thread, last) AS MATERIALIZED (
  SELECT s.thread, c.key FROM session s JOIN tool_call c ON c.thread = s.thread AND c.id = s.forked_at
  WHERE s.forked_from IS NOT NULL)`;

/** All that is read of `c` is in the index, in the order of tools, so that the rows with what was said in them are not read. */
const own = `${forks} SELECT ${figures} FROM tool_call AS c INDEXED BY tool_call_ended
  LEFT JOIN copied ON copied.thread = c.thread
  WHERE ${ended} AND (copied.last IS NULL OR c.key > copied.last) AND ${wanted}`;

/** A copy counts where its origin is gone, and then once: the same call has the same names and the same time in each session. */
const orphaned = `${forks} SELECT ${figures} FROM copied
  CROSS JOIN tool_call AS c ON c.thread = copied.thread AND c.key <= copied.last
  WHERE ${ended} AND NOT EXISTS (
    SELECT 1 FROM tool_call AS o INDEXED BY tool_call_ended
    WHERE o.status IN ('success', 'error', 'cancelled') AND o.tool = c.tool AND o.proposed = c.proposed AND o.key < c.key
    AND o.id = c.id AND o.model_id = c.model_id) AND ${wanted}`;

/** One with children goes on where they are: nothing of it is unseen. */
const open = `SELECT c.tool, c.status, s.root, ${used} AS used FROM tool_call AS c INDEXED BY tool_call_open
  JOIN session s ON s.thread = c.thread
  WHERE c.status NOT IN ('success', 'error', 'cancelled') AND c.status IN ('interrupted', 'executing')
  AND NOT EXISTS (SELECT 1 FROM child k WHERE k.parent = c.thread AND k.call = c.id)
  AND ${used} >= ? AND c.tool = coalesce(?, c.tool)`;

type Row = Omit<CallFigures, "runs"> & { runs: string | null };

/**
 * Counts the outcomes of all calls, each once; those that wait or run now are not among them. Reads one index, and the rows only of calls
 * that have not ended or came along into a fork.
 * @param isDriven whether a living process drives the session with this root: what runs there is not interrupted
 */
export function callFigures(
  db: Database,
  { since = 0, tool }: CallFilter,
  isDriven: (root: number) => boolean,
): CallFigures[] {
  const values = [since, tool ?? null];
  return db.view(() => {
    const settled = [...db.all<Row>(own, ...values), ...db.all<Row>(orphaned, ...values)];
    const left = db
      .all<{ tool: string; status: string; root: number; used: number }>(open, ...values)
      .filter(({ status, root }) => status === "interrupted" || !isDriven(root))
      .map((call): Row => ({ ...none(call.tool), interrupted: 1, used: call.used, runs: null }));
    const byTool = new Map<string, CallFigures>();
    for (const row of [...settled, ...left]) {
      const known = byTool.get(row.tool) ?? none(row.tool);
      byTool.set(row.tool, joined(known, row));
    }
    return [...byTool.values()];
  });
}

const none = (tool: string): CallFigures => ({
  ...{ tool, success: 0, error: 0, cancelled: 0, interrupted: 0, used: 0, runs: [] },
});

const joined = (one: CallFigures, { runs, ...more }: Row): CallFigures => ({
  tool: one.tool,
  success: one.success + more.success,
  error: one.error + more.error,
  cancelled: one.cancelled + more.cancelled,
  interrupted: one.interrupted + more.interrupted,
  used: Math.max(one.used, more.used),
  runs: runs === null ? one.runs : [...one.runs, ...runs.split(",").map(Number)],
});
