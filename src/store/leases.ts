import type { Database } from "./database.ts";
import { type Holder, standing, thisHolder } from "./holder.ts";
import { type Lease, SessionBusy } from "./types.ts";

type LeaseRow = { fence: number; pid: number | null; host: string; boot: string; started: string; since: number };
type Driven = { thread: number; root: number };

/** A lease as this store keeps it: a sub-agent's session is driven under the lease of its root. */
export interface HeldLease extends Lease {
  readonly thread: number;
  readonly root: number;
}

/** Who may write to which session. Each taking raises the fence, and every transaction compares it. */
export class Leases {
  readonly #db: Database;
  readonly #clock: () => number;
  readonly #here: Holder = thisHolder();
  /** Root session -> the fence this store has and the sessions it drives under it. */
  readonly #held = new Map<number, { fence: number; threads: Set<number> }>();

  constructor(db: Database, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @throws SessionBusy naming pid and since when; Error when there is no such session. */
  async acquire(session: string, takeOver: boolean): Promise<HeldLease> {
    const found = this.#db.get<Driven>(
      "SELECT s.thread, s.root FROM session s JOIN thread t ON t.key = s.thread WHERE t.id = ?",
      session,
    );
    if (found === undefined) throw new Error(`there is no session ${session}`);
    const held = this.#held.get(found.root);
    // A child under the root's lease, unless this very session is being driven.
    const fence =
      held !== undefined && !held.threads.has(found.thread) && !takeOver
        ? this.#stillOurs(session, found.root, held.fence)
        : await this.#db.write("full", () => this.#take(session, found.root, takeOver));
    return this.#keep(session, found, fence);
  }

  /** The lease as `acquire` gave it. @throws TypeError for any other. */
  own(lease: Lease): HeldLease {
    if ("root" in lease && "thread" in lease) return lease as HeldLease;
    throw new TypeError(`the lease of ${lease.session} was not made by this store`);
  }

  /** Call it first in every transaction that writes to the session. @throws SessionBusy: the fence is lost. */
  check(lease: HeldLease): void {
    if (this.#held.get(lease.root)?.threads.has(lease.thread) !== true)
      throw new SessionBusy(`session ${lease.session} is no longer driven here: its lease was released`);
    this.#stillOurs(lease.session, lease.root, lease.fence);
  }

  /**
   * For writers that have no lease in hand (the checkpointer): what this store drives must still be its own, and what
   * another process drives is not touched. Threads that are no session are free.
   */
  checkThread(thread: number, id: string): void {
    const row = this.#db.get<LeaseRow & { root: number }>(
      "SELECT l.*, s.root FROM session s JOIN lease l ON l.session = s.root WHERE s.thread = ?",
      thread,
    );
    if (row === undefined) return;
    const held = this.#held.get(row.root);
    if (held === undefined ? row.pid !== null : held.fence !== row.fence || row.pid === null) throw this.#lost(id, row);
  }

  /** Whether a living process drives the session, as far as can be known here. */
  isDriven(root: number): boolean {
    const row = this.#row(root);
    return row !== undefined && row.pid !== null && standing({ ...row, pid: row.pid }, this.#here) !== "dead";
  }

  /** Refuses where another process drives the session. @throws SessionBusy. */
  checkFree(root: number, id: string): void {
    const row = this.#row(root);
    if (row !== undefined && this.#held.get(root)?.fence !== row.fence && this.isDriven(root))
      throw this.#busy(id, row);
  }

  releaseAll(): void {
    for (const root of [...this.#held.keys()]) this.#giveUp(root);
  }

  #keep(session: string, { thread, root }: Driven, fence: number): HeldLease {
    const held = this.#held.get(root);
    if (held?.fence === fence) held.threads.add(thread);
    else this.#held.set(root, { fence, threads: new Set([thread]) });
    return { session, thread, root, fence, release: () => this.#release(root, thread, fence) };
  }

  #release(root: number, thread: number, fence: number): void {
    const held = this.#held.get(root);
    if (held?.fence !== fence) return;
    held.threads.delete(thread);
    if (held.threads.size === 0) this.#giveUp(root);
  }

  /** The fence stays in the row, so that the next holder's is higher. */
  #giveUp(root: number): void {
    const fence = this.#held.get(root)?.fence ?? 0;
    this.#held.delete(root);
    try {
      this.#db.tryWrite("normal", () =>
        this.#db.run("UPDATE lease SET pid = NULL WHERE session = ? AND fence = ?", root, fence),
      );
    } catch {
      // A busy or failing store keeps the row; its holder is soon dead, and a dead holder is none.
    }
  }

  #take(session: string, root: number, takeOver: boolean): number {
    const row = this.#row(root);
    if (row !== undefined && !takeOver && this.isDriven(root)) throw this.#busy(session, row);
    const fence = (row?.fence ?? 0) + 1;
    const { pid, host, boot, started } = this.#here;
    this.#db.run(
      `INSERT INTO lease (session, fence, pid, host, boot, started, since) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET fence = excluded.fence, pid = excluded.pid, host = excluded.host,
         boot = excluded.boot, started = excluded.started, since = excluded.since`,
      ...[root, fence, pid, host, boot, started, this.#clock()],
    );
    return fence;
  }

  #stillOurs(session: string, root: number, fence: number): number {
    const row = this.#row(root);
    if (row === undefined || row.fence !== fence || row.pid === null) throw this.#lost(session, row);
    return fence;
  }

  #row(root: number): LeaseRow | undefined {
    return this.#db.get("SELECT * FROM lease WHERE session = ?", root);
  }

  #lost(session: string, row: LeaseRow | undefined): SessionBusy {
    if (row === undefined) return new SessionBusy(`session ${session} is gone: it was removed`);
    return new SessionBusy(`session ${session} was taken over ${this.#by(row)}; nothing more is written from here`);
  }

  #busy(session: string, row: LeaseRow): SessionBusy {
    return new SessionBusy(`session ${session} is driven ${this.#by(row)}; end it there, or take the session over`);
  }

  #by(row: LeaseRow): string {
    const where = row.host === this.#here.host ? "" : ` on ${row.host}`;
    return `by process ${row.pid ?? "unknown"}${where} since ${new Date(row.since).toISOString()}`;
  }
}
