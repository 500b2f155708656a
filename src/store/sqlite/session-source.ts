import type { CallStatus } from "../../core/call.ts";
import type { Sha } from "../../core/json.ts";
import {
  type ChangedFile,
  type ChangedInTree,
  type HeardColumns,
  type RowSource,
  type StoredEvent,
  type StoredOutput,
  type WholeTables,
  wholeOrders,
} from "../engine.ts";
import type { StoreFailure } from "../problems.ts";
import type { Spent } from "../rows.ts";
import type { JobState, MirroredCall, SessionColumns } from "../tables.ts";
import type { Database } from "./database.ts";
import { brokenSession, storeFailure } from "./failures.ts";
import { readKept } from "./kept-bytes.ts";
import { modelsIn, spentIn, spentInTree } from "./spent.ts";
import { inTreeOf } from "./tree.ts";

/** All but the plan, which is large and seldom asked for. */
const columns = `key, id, model_id, tool, arguments, raw_arguments, risk, effect, status, attempt, digest, actor, rule, reason, result, error,
  error_code, proposed, decided, started, settled, fence, shown, children, packed, done, verdict, ended, max_observe`;
const calls = `SELECT ${columns} FROM tool_call WHERE thread = ?`;

const changed = `c.key, (SELECT t.id FROM thread t WHERE t.key = c.thread) AS session, c.started, c.id, f.value ->> '$.real' AS real, f.value ->> '$.before' AS before,
  f.value ->> '$.after' AS after`;

/**
 * Makes the query of the changes noted of each call (`done`), then of those in the plan of a file effect that came to its end, oldest
 * first. The texts of plans are not read for it, so that a list of sessions can tell it.
 * @param of a condition on the calls, with one value
 * @param ends what plans are told of
 */
const changedFiles = (of: string, ends: readonly CallStatus[] = ["success"]): string =>
  `SELECT session, started, id, real, before, after FROM (
     SELECT ${changed}, 0 AS late, f.key AS place
       FROM tool_call c, json_each(c.done) f WHERE ${of} AND c.done IS NOT NULL
     UNION ALL
     SELECT ${changed}, 1 AS late, f.key AS place
       FROM tool_call c, json_each(c.plan, '$.files') f
       WHERE ${of} AND c.effect = 'file' AND c.status IN (${ends.map((end) => `'${end}'`).join(", ")}) AND c.plan IS NOT NULL)
   WHERE before IS NOT after ORDER BY key, late, place`;

/** Of messages that were looked through: the last one's key, and where in one of them something stands; null where there are none. */
interface Looked {
  last: number | null;
  at: number | null;
}

/** The rows that SQLite has of one session. */
export class SessionSource implements RowSource {
  readonly #db: Database;
  readonly #thread: number;
  readonly #session: string;
  /** Of each mark that was asked for: whether a message has it, and the last that was looked through. */
  readonly #marks = new Map<string, { isHeld: boolean; upTo: number }>();

  constructor(db: Database, thread: number, session: string) {
    this.#db = db;
    this.#thread = thread;
    this.#session = session;
  }

  get file(): string {
    return this.#db.file;
  }

  version(): number {
    return this.#db.version();
  }

  whole<T extends keyof WholeTables>(table: T): WholeTables[T][] {
    return this.#all(`SELECT * FROM ${table} WHERE thread = ? ORDER BY ${wholeOrders[table]}`);
  }

  session(): SessionColumns | undefined {
    const sql =
      "SELECT state, model, title, title_by, updated, input_tokens, output_tokens FROM session WHERE thread = ?";
    return this.#db.get(sql, this.#thread);
  }

  callNames(): { id: string; key: number }[] {
    return this.#all("SELECT id, key FROM tool_call WHERE thread = ? ORDER BY key");
  }

  call(id: string): MirroredCall | undefined {
    return this.#db.get(`${calls} AND id = ?`, this.#thread, id);
  }

  calls(range?: { first: number; last: number }): MirroredCall[] {
    if (range === undefined) return this.#all(`${calls} ORDER BY key`);
    // By the key alone, and not by the index of all calls of the session.
    const sql = `SELECT ${columns} FROM tool_call WHERE +thread = ? AND key BETWEEN ? AND ? ORDER BY key`;
    return this.#db.all(sql, this.#thread, range.first, range.last);
  }

  standings(range: { first: number; last: number }): ReturnType<RowSource["standings"]> {
    const sql = "SELECT tool, status, error_code FROM tool_call WHERE +thread = ? AND key BETWEEN ? AND ? ORDER BY key";
    return this.#db.all(sql, this.#thread, range.first, range.last);
  }

  openCalls(): MirroredCall[] {
    return this.#all(`${calls} AND status NOT IN ('success', 'error', 'cancelled') ORDER BY key`);
  }

  succeeded(tool: string): MirroredCall[] {
    return this.#db.all(`${calls} AND tool = ? AND status = 'success' ORDER BY key`, this.#thread, tool);
  }

  planOf(id: string): string | null | undefined {
    const sql = "SELECT plan FROM tool_call WHERE thread = ? AND id = ?";
    return this.#db.get<{ plan: string | null }>(sql, this.#thread, id)?.plan;
  }

  lastEvent(): { seq: number; hash: Uint8Array } | undefined {
    return this.#db.get(
      "SELECT seq, hash FROM tool_call_event WHERE thread = ? ORDER BY seq DESC LIMIT 1",
      this.#thread,
    );
  }

  /** An event whose call is lost stays in the list, or the chain would look whole without it. */
  events(): StoredEvent[] {
    return this.#all(
      `SELECT e.*, coalesce(c.id, '') AS call_id FROM tool_call_event e LEFT JOIN tool_call c ON c.key = e.call
       WHERE e.thread = ? ORDER BY e.seq`,
    );
  }

  replies(): ReturnType<RowSource["replies"]> {
    return this.#all(
      `SELECT s.id, m.body, c.proposed FROM step s JOIN message m ON m.key = s.message
       LEFT JOIN tool_call c ON c.key = s.first_call WHERE s.thread = ? ORDER BY s.message`,
    );
  }

  heardCalls(): HeardColumns[] {
    return this.#all(
      `SELECT tool, actor, plan, verdict, decided, settled FROM tool_call
       WHERE ${inTreeOf("thread")}
       AND (status = 'success' OR (status = 'error' AND (result IS NOT NULL OR packed IS NOT NULL)))
       AND (verdict LIKE '%"guarded"%'
         OR (effect <> 'file' AND (plan LIKE '%"hosts":[{%' OR plan LIKE '%"network":true%'
           OR (effect <> 'none' AND plan LIKE '%"sandbox":false%')))) ORDER BY settled, key`,
    );
  }

  // Keeps store 9.
  /** Tells whether a message has the mark: messages stay, and later ones have a higher key, so each is looked through once. */
  holdsMark(key: string): boolean {
    const { isHeld, upTo } = this.#marks.get(key) ?? { isHeld: false, upTo: 0 };
    if (isHeld) return true;
    const said = (table: string): string => `SELECT message FROM ${table} WHERE ${inTreeOf("thread")} AND message > ?`;
    const sql = `SELECT max(key) AS last, max(instr(body, ?)) AS at FROM message WHERE key IN (${said("turn")} UNION ALL ${said("steer")})`;
    // Within a text the marks of JSON are escaped.
    const mark = `${JSON.stringify(key)}:true`;
    const row = this.#db.get<Looked>(sql, mark, this.#thread, upTo, this.#thread, upTo);
    const found = (row?.at ?? 0) > 0;
    this.#marks.set(key, { isHeld: found, upTo: row?.last ?? upTo });
    return found;
  }

  fileChanges(): ChangedFile[] {
    return this.#db.all(changedFiles("c.thread = ?"), this.#thread, this.#thread);
  }

  fileChangesInTree(unseen: boolean): ChangedInTree[] {
    const ends = unseen ? (["success", "executing", "interrupted"] as const) : undefined;
    return this.#db.all(changedFiles(inTreeOf("c.thread"), ends), this.#thread, this.#thread);
  }

  spent(turn?: number): Spent {
    return spentIn(this.#db, this.#thread, turn);
  }

  modelsOf(turn: number): string[] {
    return modelsIn(this.#db, this.#thread, turn);
  }

  spentInTree(): Spent {
    return spentInTree(this.#db, this.#thread);
  }

  stepsOfOthers(): number {
    const sql = `SELECT count(*) AS steps FROM step WHERE thread <> ? AND ${inTreeOf("thread")}`;
    return this.#db.get<{ steps: number }>(sql, this.#thread, this.#thread)?.steps ?? 0;
  }

  jobs(): { id: string; job: JobState }[] {
    return this.#all(
      `SELECT c.id, o.job FROM call_output o JOIN tool_call c ON c.key = o.call
       WHERE c.thread = ? AND o.job IS NOT NULL ORDER BY c.key`,
    );
  }

  output(id: string): StoredOutput | undefined {
    const sql = `SELECT o.form, o.bytes, o.job FROM call_output o JOIN tool_call c ON c.key = o.call
      WHERE c.thread = ? AND c.id = ?`;
    return this.#db.get(sql, this.#thread, id);
  }

  jobOf(call: number): JobState | null {
    const sql = "SELECT job FROM call_output WHERE call = ?";
    return this.#db.get<{ job: JobState | null }>(sql, call)?.job ?? null;
  }

  kept(sha: Sha): Uint8Array | undefined {
    return readKept(this.#db, this.#thread, sha);
  }

  damaged(what: string): StoreFailure {
    return storeFailure("corrupt", this.file, what);
  }

  broken(cause: unknown): StoreFailure {
    return brokenSession(this.#session, this.file, cause);
  }

  #all<Row>(sql: string): Row[] {
    return this.#db.all<Row>(sql, this.#thread);
  }
}
