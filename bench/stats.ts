import { statSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../src/store/open-store.ts";
import { loadDriver } from "../src/store/sqlite/driver/load-driver.ts";
import { interleave, runToEnd } from "./measure.ts";
import { type Row, ratioRow } from "./row.ts";
import { agentPath, type World } from "./world.ts";

const sessions = 10_000;
/** Calls of a session; one session in fifty is a fork that has ten of those of the session before it. */
const calls = 20;

const numbers = (most: number): string =>
  `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT i FROM n)`;

/** Results of 1 kB, of ten tools, with times that differ. */
const fill = `
INSERT INTO thread (key, id) SELECT i, 'session-' || i FROM ${numbers(sessions)};
INSERT INTO session (thread, root, title, workspace, state, model, created, updated, forked_from, forked_at)
  SELECT i, i, 'a title', '/w', 'idle', 'demo', i, i,
    CASE WHEN i % 50 = 0 THEN 'session-' || (i - 1) END, CASE WHEN i % 50 = 0 THEN 'c10' END FROM ${numbers(sessions)};
INSERT INTO tool_call (thread, id, model_id, tool, arguments, risk, effect, status, attempt, actor, rule, result, proposed, started, settled)
  SELECT thread, 'c' || i, 'm' || origin || '-' || i, 'tool_' || (i % 10), '{"file_path":"src/some/file.ts"}', 'low', 'none',
    CASE WHEN (origin + i) % 17 = 0 THEN 'error' ELSE 'success' END, 1, 'policy', 'table', '{"output":"' || hex(zeroblob(500)) || '"}',
    origin * 100000 + i * 1000, origin * 100000 + i * 1000 + 1, origin * 100000 + i * 1000 + 1 + (origin * 7919 + i * 104729) % 3000
  FROM (SELECT s.i AS thread, c.i AS i, CASE WHEN s.i % 50 = 0 AND c.i <= 10 THEN s.i - 1 ELSE s.i END AS origin
    FROM ${numbers(sessions)} s JOIN ${numbers(calls)} c ORDER BY s.i, c.i);
`;

/** `agent stats` over the calls of 10,000 sessions, beside a node that does nothing. */
export async function benchStats({ env, folder }: World): Promise<Row[]> {
  const home = join(folder, "stats-home");
  const file = join(home, "agent.db");
  const made = await openStore({ file });
  made.close();
  const database = (await loadDriver()).open(file, { blockMs: 1_000, make: false });
  database.exec(fill);
  database.close();
  const options = { env: env("http://127.0.0.1:9/v1", home), cwd: folder };
  const spread = await interleave(
    {
      empty: async () => (await runToEnd(process.execPath, ["-e", "0"], options)).ms,
      stats: async () => (await runToEnd(process.execPath, [agentPath, "stats", "--json"], options)).ms,
    },
    5,
  );
  const megabytes = (statSync(file).size / 2 ** 20).toFixed(0);
  const what = `agent stats of ${sessions * calls} calls (${megabytes} MB)`;
  const row = ratioRow(what, spread.stats, { what: "node -e 0", spread: spread.empty }, 100);
  return [{ ...row, aim: "<= 1 s", kept: spread.stats.min <= 1000 }];
}
