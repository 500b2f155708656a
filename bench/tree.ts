import { statSync } from "node:fs";
import { join } from "node:path";
import { newTurn } from "../src/session/human-message.ts";
import { openStore } from "../src/store/open-store.ts";
import { loadDriver } from "../src/store/sqlite/driver/load-driver.ts";
import { interleave, runToEnd, type Spread } from "./measure.ts";
import { type Row, ratioRow } from "./row.ts";
import { agentPath, type World } from "./world.ts";

/** Steps of each session, with a call each, of which the last changed a file. */
const calls = 20;

const fill = `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${calls})
INSERT INTO tool_call (thread, id, model_id, tool, arguments, risk, effect, status, attempt, actor, rule, result, plan, proposed, started, settled)
  SELECT s.thread, 'c' || (1000 + i), 'm' || i, 'edit_file', '{"file_path":"a.ts"}', 'medium', CASE WHEN i = ${calls} THEN 'file' ELSE 'none' END,
    'success', 1, 'policy', 'table', '{"output":"' || hex(zeroblob(500)) || '"}',
    '{"summary":"edit a.ts","cwd":"/w","files":[{"asked":"a.ts","real":"/w/a' || s.thread || '.ts","kind":"modify","before":"' || hex(zeroblob(32)) || '","after":"' || hex(zeroblob(31)) || '01"}]}',
    i, i + 1, i + 2 FROM session s JOIN n;
`;

/** A store with so many parents, each with so many children. */
async function storeOf(file: string, parents: number, children: number): Promise<void> {
  const store = await openStore({ file });
  for (let at = 0; at < parents; at += 1) {
    const parent = `session-${at}`;
    const first = { ...newTurn({ text: "look at it all" }), queued: false };
    const { lease } = await store.begin({ id: parent, workspace: "/w", model: "demo" }, first);
    for (let place = 0; place < children; place += 1) {
      const row = { id: `${parent}@explore-1-20261125T0000-${place}`, parent, call: "c1", place };
      const turn = { ...newTurn({ text: `look at ${place}` }), queued: false };
      await store.beginChild({ ...row, spec: { task: "look" }, workspace: "/w", model: "demo" }, turn);
    }
    lease.release();
  }
  store.close();
  const database = (await loadDriver()).open(file, { blockMs: 1_000, make: false });
  database.exec(fill);
  database.close();
}

/** `agent sessions` over 200 sessions in one tree, and over 200 trees of four, beside a node that does nothing. */
export async function benchTree({ env, folder }: World): Promise<Row[]> {
  const trees = { "one tree of 200 sessions": [1, 199], "200 trees of 4 sessions": [200, 3] } as const;
  const rows: Row[] = [];
  for (const [name, [parents, children]] of Object.entries(trees)) {
    const home = join(folder, `tree-home-${parents}`);
    const file = join(home, "agent.db");
    await storeOf(file, parents, children);
    const options = { env: env("http://127.0.0.1:9/v1", home), cwd: folder };
    const listed = async (...more: string[]): Promise<number> =>
      (await runToEnd(process.execPath, [agentPath, "sessions", "--all", ...more], options)).ms;
    const spread: Record<"empty" | "told" | "json", Spread> = await interleave(
      {
        empty: async () => (await runToEnd(process.execPath, ["-e", "0"], options)).ms,
        told: () => listed(),
        json: () => listed("--json"),
      },
      5,
    );
    const megabytes = (statSync(file).size / 2 ** 20).toFixed(0);
    for (const [how, words] of [
      ["told", ""],
      ["json", " --json"],
    ] as const) {
      const row = ratioRow(
        `agent sessions${words} of ${name} (${megabytes} MB)`,
        spread[how],
        { what: "node -e 0", spread: spread.empty },
        100,
      );
      rows.push({ ...row, aim: "<= 300 ms", kept: spread[how].min <= 300 });
    }
  }
  return rows;
}
