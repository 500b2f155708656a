import { join } from "node:path";
import { faultPoint } from "../../../core/fault-point.ts";
import type { JsonObject } from "../../../core/json.ts";
import { packFolder } from "../../../files/bytes/pack-file.ts";
import { dropKeptTree } from "../../../files/bytes/pack-room.ts";
import { fromText, toText, wellFormed } from "../../plain-codec.ts";
import type { ChildRow, NewSession, SessionRow, SessionState, Sessions } from "../../types.ts";
import type { MessageShelf } from "../checkpoints/message-shelf.ts";
import type { Database } from "../database.ts";
import { storeFailure } from "../failures.ts";
import type { Leases } from "./leases.ts";

type Row = {
  thread: number;
  root: number;
  id: string;
  title: string;
  workspace: string;
  state: SessionState;
  model: string;
  created: number;
  updated: number;
  input_tokens: number;
  output_tokens: number;
  parent_id: string | null;
  forked_from: string | null;
  forked_at: string | null;
};

const select = `SELECT s.*, t.id, p.id AS parent_id FROM session s
  JOIN thread t ON t.key = s.thread LEFT JOIN thread p ON p.key = s.parent`;

/** The integer by which rows name a thread, made on first use and never given again. Inside `write` only. @throws StoreFailure corrupt. */
export function threadKey(db: Database, id: string): number {
  const found = findThread(db, id);
  if (found !== undefined) return found;
  const sql = "INSERT INTO thread (key, id) SELECT last + 1, ? FROM thread_key RETURNING key";
  const made = db.get<{ key: number }>(sql, id);
  if (made === undefined) throw storeFailure("corrupt", db.file, "which key a thread was given last is gone");
  return made.key;
}

export const findThread = (db: Database, id: string): number | undefined =>
  db.get<{ key: number }>("SELECT key FROM thread WHERE id = ?", id)?.key;

const originOf = (session: string, at: string | null): NonNullable<SessionRow["forkedFrom"]> => ({
  session,
  ...(at === null ? {} : { at }),
});

/** The table of conversations. */
export class SessionTable implements Sessions {
  readonly #db: Database;
  readonly #leases: Leases;
  readonly #shelf: MessageShelf;
  readonly #clock: () => number;

  constructor(db: Database, leases: Leases, shelf: MessageShelf, clock: () => number) {
    this.#db = db;
    this.#leases = leases;
    this.#shelf = shelf;
    this.#clock = clock;
  }

  /** @throws Error when the id is taken or the parent is not there. */
  async create(row: NewSession & { title: string; parent?: string }): Promise<void> {
    faultPoint("before session made");
    await this.#db.write("full", () => this.insert(row));
    faultPoint("after session made");
  }

  /** As `create`; inside `write` only. @returns the thread's key, and that of its root. */
  insert(row: NewSession & { title?: string; parent?: string }): { thread: number; root: number } {
    const { id, workspace, model, title = "", parent } = row;
    const above = parent === undefined ? undefined : this.#row(parent);
    if (parent !== undefined && above === undefined) throw new Error(`there is no session ${parent}`);
    if (this.#row(id) !== undefined) throw new Error(`there is a session ${id} already`);
    const thread = threadKey(this.#db, id);
    const root = above?.root ?? thread;
    const now = this.#clock();
    this.#db.run(
      `INSERT INTO session (thread, parent, root, title, workspace, state, model, created, updated)
       VALUES (?, ?, ?, ?, ?, 'idle', ?, ?, ?)`,
      ...[thread, above?.thread ?? null, root, wellFormed(title), workspace, model, now, now],
    );
    return { thread, root };
  }

  has(id: string): boolean {
    return this.#row(id) !== undefined;
  }

  get(id: string): SessionRow | undefined {
    const row = this.#row(id);
    return row === undefined ? undefined : this.#present(row);
  }

  match(idOrPrefix: string): SessionRow[] {
    const exact = this.get(idOrPrefix);
    if (exact !== undefined) return [exact];
    if (idOrPrefix === "") return [];
    const rows = this.#db.all<Row>(
      `${select} WHERE s.parent IS NULL AND substr(t.id, 1, length(?)) = ? ORDER BY s.updated DESC, s.thread DESC`,
      idOrPrefix,
      idOrPrefix,
    );
    return rows.map((row) => this.#present(row));
  }

  /** @throws Error where it is not there; StoreFailure. */
  async rename(id: string, title: string): Promise<void> {
    await this.#db.write("full", () => {
      const sql = "UPDATE session SET title = ?, title_by = 'person' WHERE thread = ?";
      const { changes } = this.#db.run(sql, wellFormed(title), findThread(this.#db, id) ?? -1);
      if (changes !== 1) throw new Error(`there is no session ${id}`);
    });
  }

  /** As `insert`, for a session that a call drives. Inside `write` only. */
  insertChild({ call, place, spec, ...row }: ChildRow & NewSession & { title?: string }): {
    thread: number;
    root: number;
  } {
    const made = this.insert(row);
    this.#db.run(
      "INSERT INTO child (thread, parent, call, place, spec) VALUES (?, ?, ?, ?, ?)",
      ...[made.thread, findThread(this.#db, row.parent) ?? -1, call, place, toText(spec)],
    );
    return made;
  }

  children(parent: string, call?: string): ChildRow[] {
    const rows = this.#db.all<{ id: string; call: string; place: number; spec: string }>(
      `SELECT t.id, c.call, c.place, c.spec FROM child c JOIN thread t ON t.key = c.thread
       WHERE c.parent = ? AND c.call = coalesce(?, c.call) ORDER BY length(c.call), c.call, c.place`,
      findThread(this.#db, parent) ?? -1,
      call ?? null,
    );
    return rows.map(({ spec, ...row }) => ({ ...row, parent, spec: fromText(spec) as JsonObject }));
  }

  /** By the last thing that happened. */
  list(filter: { workspace?: string } = {}): SessionRow[] {
    const rows = this.#db.all<Row>(
      `${select} WHERE s.workspace = coalesce(?, s.workspace) ORDER BY s.updated DESC, s.thread DESC`,
      filter.workspace ?? null,
    );
    return rows.map((row) => this.#present(row));
  }

  /**
   * With its sub-agents' sessions; what is left of their text goes with `Store.shrink`.
   * @throws SessionBusy while another process drives it.
   */
  async remove(id: string): Promise<void> {
    this.#db.overwriteDeleted();
    const ids: string[] = [];
    await this.#db.write("full", () => {
      const row = this.#row(id);
      if (row === undefined) return;
      this.#leases.checkFree(row.root, id);
      this.#removeTree(row.thread, ids);
    });
    this.#shelf.forget();
    // What is left of a removed session after a death in between is dropped in time like any other.
    const packs = packFolder(this.#db.file);
    if (packs !== undefined) for (const removed of ids) dropKeptTree(join(packs, removed));
  }

  /** The session goes before its thread: only then do the events' own guards let the rest follow it. */
  #removeTree(thread: number, ids: string[]): void {
    const children = this.#db.all<{ thread: number }>("SELECT thread FROM session WHERE parent = ?", thread);
    for (const child of children) this.#removeTree(child.thread, ids);
    ids.push(...this.#db.all<{ id: string }>("SELECT id FROM thread WHERE key = ?", thread).map(({ id }) => id));
    this.#db.run("DELETE FROM session WHERE thread = ?", thread);
    this.#db.run("DELETE FROM thread WHERE key = ?", thread);
  }

  #row(id: string): Row | undefined {
    return this.#db.get<Row>(`${select} WHERE t.id = ?`, id);
  }

  #present(row: Row): SessionRow {
    return {
      id: row.id,
      title: row.title,
      workspace: row.workspace,
      state: this.#stateOf(row),
      model: row.model,
      createdAt: row.created,
      updatedAt: row.updated,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      ...(row.parent_id === null ? {} : { parent: row.parent_id }),
      ...(row.forked_from === null ? {} : { forkedFrom: originOf(row.forked_from, row.forked_at) }),
    };
  }

  /** A session whose process died did not say goodbye: then its calls tell what it waits for. */
  #stateOf(row: Row): SessionState {
    if (row.state !== "running" || this.#leases.isDriven(row.root)) return row.state;
    const open = this.#db.all<{ status: string; effect: string }>(
      `SELECT DISTINCT status, effect FROM tool_call
       WHERE thread IN (SELECT thread FROM session WHERE thread = ? OR root = ?)
         AND status NOT IN ('success', 'error', 'cancelled')`,
      row.thread,
      row.thread,
    );
    const unseen = ({ status, effect }: { status: string; effect: string }): boolean =>
      status === "interrupted" || (status === "executing" && (effect === "once" || effect === "file"));
    if (open.some(unseen)) return "awaiting_recovery";
    return open.some((call) => call.status === "awaiting_approval") ? "awaiting_approval" : "idle";
  }
}
