import type { Durability, Keys } from "../commit.ts";
import type { CommitEngine, Planned, RowSource } from "../engine.ts";
import type { Lease } from "../types.ts";
import { applyCommit } from "./apply-commit.ts";
import type { Database } from "./database.ts";
import { SessionSource } from "./session-source.ts";
import type { Leases } from "./sessions/leases.ts";

/** Commits of sessions, over SQLite. */
export class SqliteEngine implements CommitEngine {
  readonly #db: Database;
  readonly #leases: Leases;

  constructor(db: Database, leases: Leases) {
    this.#db = db;
    this.#leases = leases;
  }

  get isHeldUp(): boolean {
    return this.#db.isHeldUp;
  }

  source(thread: number, session: string): RowSource {
    return new SessionSource(this.#db, thread, session);
  }

  async commit(lease: Lease, durability: Durability, plan: () => Planned): Promise<void> {
    const held = this.#leases.own(lease);
    const work = (): { planned: Planned; keys: Keys } => {
      this.#leases.check(held);
      const planned = plan();
      return { planned, keys: applyCommit(this.#db, held.thread, planned.commit) };
    };
    await this.#db.write(durability, work, ({ planned, keys }) => planned.committed(keys));
  }

  isOurs(lease: Lease): boolean {
    return this.#leases.isOurs(this.#leases.own(lease));
  }
}
