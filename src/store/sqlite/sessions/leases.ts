import type { ProcessIdentity } from "../../../core/child.ts";
import { faultPoint } from "../../../core/fault-point.ts";
import { standing, thisProcess } from "../../../process/process-identity.ts";
import { type Lease, SessionBusy } from "../../types.ts";
import type { Database } from "../database.ts";

type LeaseRow = {
  fence: number;
  pid: number | null;
  host: string;
  boot: string;
  started: string;
  since: number;
  /** The time when the holder last said that it lives; 0 where it never did. */
  beat: number;
};
type Driven = { thread: number; root: number };
/** One driving of a session: another one once it was released and taken again. */
type Seat = { readonly session: string };
/** The part of one root session that this store drives, named as it was first asked for; `threads`: by key. */
type DrivenSession = { session: string; fence: number; threads: Map<number, Seat>; lost: AbortController };

/** The pause between two signs of life of a holder, in milliseconds. */
const defaultBeatMs = 10_000;
/** A holder elsewhere that was silent for so long counts as gone in listings; its lease stays its own until taken over. */
const silentMs = 60_000;
/**
 * No program before version 14 of the store has such a fence: theirs began with 1 or with the time. One may still run, with a session
 * that was removed before keys were given only once.
 */
const fenceBefore = 2 ** 44;

/** A lease as this store keeps it: a sub-agent's session is driven under the lease of its root. */
export interface HeldLease extends Lease {
  readonly thread: number;
  readonly root: number;
  readonly seat: Seat;
}

// Keeps store 1.
/** The leases, by which a process may write to a session. Each taking raises the fence, and every transaction compares it. */
export class Leases {
  readonly #db: Database;
  readonly #clock: () => number;
  readonly #here: ProcessIdentity = thisProcess();
  /** Root session -> the fence this store has and the sessions it drives under it. */
  readonly #held = new Map<number, DrivenSession>();
  readonly #beatMs: number;
  #heart: NodeJS.Timeout | undefined;

  constructor(db: Database, clock: () => number, beatMs = defaultBeatMs) {
    this.#db = db;
    this.#clock = clock;
    this.#beatMs = beatMs;
  }

  /** @throws SessionBusy naming pid and since when; Error when there is no such session. */
  async acquire(session: string, takeOver: boolean): Promise<HeldLease> {
    const found = this.#db.get<Driven>(
      "SELECT s.thread, s.root FROM session s JOIN thread t ON t.key = s.thread WHERE t.id = ?",
      session,
    );
    if (found === undefined) throw new Error(`there is no session ${session}`);
    faultPoint("before lease taken");
    const held = this.#held.get(found.root);
    // A child under the root's lease, unless this very session is being driven.
    const fence =
      held !== undefined && !held.threads.has(found.thread) && !takeOver
        ? this.#stillOurs({ session, root: found.root, fence: held.fence }, held)
        : await this.#db.write("full", () => this.#take(session, found.root, takeOver));
    faultPoint("after lease taken");
    return this.keep(session, found, fence);
  }

  /** Takes the lease of a session that is being made. Inside `write` only; `keep` follows once that is committed. @returns its fence. */
  takeNew(session: string, { root }: Driven): number {
    return this.#take(session, root, false);
  }

  /** The lease as `acquire` gave it. @throws TypeError for any other. */
  own(lease: Lease): HeldLease {
    if ("thread" in lease) return lease as HeldLease;
    throw new TypeError(`the lease of ${lease.session} was not made by this store`);
  }

  /** Call it first in every transaction that writes to the session. @throws SessionBusy: the fence is lost. */
  check(lease: HeldLease): void {
    const held = this.#held.get(lease.root);
    const seat = held?.threads.get(lease.thread);
    if (held === undefined || seat === undefined || (held.fence === lease.fence && seat !== lease.seat))
      throw new SessionBusy(`session ${lease.session} is no longer driven here: its lease was released`);
    this.#stillOurs(lease, held);
  }

  /** Tells whether the session is still driven under this lease, as the store has it now. */
  isOurs({ root, thread, fence, seat }: HeldLease): boolean {
    const held = this.#held.get(root);
    if (held?.threads.get(thread) !== seat || held.lost.signal.aborted) return false;
    const row = this.#row(root);
    return row !== undefined && row.fence === fence && row.pid !== null;
  }

  /** For what is written for a session that is being made under the root's lease. Inside `write` only. @throws SessionBusy */
  checkRoot(session: string, root: number): void {
    const held = this.#held.get(root);
    if (held === undefined) throw new SessionBusy(`session ${session} is not driven here`);
    this.#stillOurs({ session, root, fence: held.fence }, held);
  }

  /**
   * For writers that have no lease in hand (the checkpointer): what this store drives must still be its own and still there, and what
   * another process drives is not touched. Threads that are no session are free, and those whose process is dead.
   * @param thread what is there by that id now
   */
  checkThread(thread: number | undefined, id: string): void {
    const driven = [...this.#held.values()]
      .flatMap(({ threads }) => [...threads])
      .filter(([, { session }]) => session === id);
    if (driven.length > 0 && !driven.some(([key]) => key === thread)) throw this.#lost(id, undefined);
    const row = this.#db.get<LeaseRow & { root: number }>(
      "SELECT l.*, s.root FROM session s JOIN lease l ON l.session = s.root WHERE s.thread = ?",
      thread ?? -1,
    );
    if (row === undefined) return;
    const held = this.#held.get(row.root);
    const mine = held === undefined ? this.#standing(row) === "dead" : held.fence === row.fence && row.pid !== null;
    if (!mine) throw this.#lost(id, row);
  }

  /**
   * Tells whether this store drives the thread: then its journal answers for all that is not written yet.
   * @throws SessionBusy once it was seen that another process took it over.
   */
  drives(thread: number): boolean {
    for (const { threads, lost } of this.#held.values()) {
      if (!threads.has(thread)) continue;
      lost.signal.throwIfAborted();
      return true;
    }
    return false;
  }

  /** Tells whether a living process drives the session, as far as can be known here: elsewhere, by how long it has been silent. */
  isDriven(root: number): boolean {
    const row = this.#row(root);
    if (row === undefined) return false;
    const where = this.#standing(row);
    if (where === "elsewhere") return Math.abs(this.#clock() - row.beat) < silentMs;
    return where === "alive";
  }

  /** The fence of whoever drives the session now, unless it is known to be dead. */
  drivenUnder(root: number): number | undefined {
    const row = this.#row(root);
    return row === undefined || this.#standing(row) === "dead" ? undefined : row.fence;
  }

  /** Refuses where another process drives the session. @throws SessionBusy. */
  checkFree(root: number, id: string): void {
    const row = this.#row(root);
    if (row === undefined || this.#held.get(root)?.fence === row.fence) return;
    if (this.#standing(row) !== "dead") throw this.#busy(id, row);
  }

  releaseAll(): void {
    this.#writeDeferred();
    for (const [root, { fence }] of [...this.#held]) this.#giveUp(root, fence);
  }

  /** Keeps a lease that was taken as owned from now on. */
  keep(session: string, { thread, root }: Driven, fence: number): HeldLease {
    const known = this.#held.get(root);
    // Taken over by this very process: whoever had it here has lost it like any other.
    if (known !== undefined && known.fence !== fence) known.lost.abort(this.#lost(session, this.#row(root)));
    const held = known?.fence === fence ? known : { session, fence, threads: new Map(), lost: new AbortController() };
    const seat = { session };
    held.threads.set(thread, seat);
    this.#held.set(root, held);
    this.#heart ??= setInterval(() => this.#beat(), this.#beatMs).unref();
    const release = (): void => this.#release(root, thread, fence);
    return { session, thread, root, fence, seat, lost: held.lost.signal, release };
  }

  /** Says that this process lives, and finds out what was taken from it while it had nothing to write. */
  #beat(): void {
    for (const [root, held] of this.#held) {
      if (held.lost.signal.aborted) continue;
      try {
        this.#db.tryWrite("normal", () => {
          const sql = "UPDATE lease SET beat = ? WHERE session = ? AND fence = ? AND pid IS NOT NULL";
          const { changes } = this.#db.run(sql, this.#clock(), root, held.fence);
          if (changes === 0) held.lost.abort(this.#lost(held.session, this.#row(root)));
        });
      } catch {
        // The next transaction that matters reports a failing store.
      }
    }
  }

  #release(root: number, thread: number, fence: number): void {
    const held = this.#held.get(root);
    if (held?.fence !== fence) return;
    this.#writeDeferred();
    held.threads.delete(thread);
    if (held.threads.size === 0) this.#giveUp(root, fence);
  }

  /** The last that is written under a lease. A store that refuses it loses nothing that the journal does not have. */
  #writeDeferred(): void {
    try {
      this.#db.tryFlush();
    } catch {
      // told by the transaction that failed first
    }
  }

  /** The fence stays in the row, so that the next holder's is higher. */
  #giveUp(root: number, fence: number): void {
    this.#held.delete(root);
    if (this.#held.size === 0) {
      clearInterval(this.#heart);
      this.#heart = undefined;
    }
    faultPoint("before lease released");
    try {
      this.#db.tryLast("normal", () =>
        this.#db.run("UPDATE lease SET pid = NULL WHERE session = ? AND fence = ?", root, fence),
      );
    } catch {
      // A busy or failing store keeps the row; its holder is soon dead, and a dead holder is none.
    }
    faultPoint("after lease released");
  }

  #take(session: string, root: number, takeOver: boolean): number {
    const row = this.#row(root);
    if (row !== undefined && !takeOver && this.#standing(row) !== "dead") throw this.#busy(session, row);
    const now = this.#clock();
    const fence = (row?.fence ?? fenceBefore) + 1;
    const { pid, host, boot, started } = this.#here;
    this.#db.run(
      `INSERT INTO lease (session, fence, pid, host, boot, started, since, beat) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET fence = excluded.fence, pid = excluded.pid, host = excluded.host,
         boot = excluded.boot, started = excluded.started, since = excluded.since, beat = excluded.beat`,
      ...[root, fence, pid, host, boot, started, now, now],
    );
    return fence;
  }

  /** @returns the fence. @throws SessionBusy, which all who drive anything under the same fence are told too. */
  #stillOurs({ session, root, fence }: Pick<HeldLease, "session" | "root" | "fence">, held: DrivenSession): number {
    const row = this.#row(root);
    if (row !== undefined && row.fence === fence && row.pid !== null) return fence;
    const lost = this.#lost(session, row);
    if (held.fence === fence) held.lost.abort(lost);
    throw lost;
  }

  /** Finds the standing of the holder; a session that nobody holds has a dead one. */
  #standing(row: LeaseRow): ReturnType<typeof standing> {
    return row.pid === null ? "dead" : standing({ ...row, pid: row.pid }, this.#here);
  }

  #row(root: number): LeaseRow | undefined {
    return this.#db.get("SELECT * FROM lease WHERE session = ?", root);
  }

  #lost(session: string, row: LeaseRow | undefined): SessionBusy {
    if (row === undefined) return new SessionBusy(`session ${session} is gone: it was removed`, { why: "removed" });
    const message = `session ${session} was taken over ${this.#by(row)}; this process writes nothing more`;
    return new SessionBusy(message, { why: "taken" });
  }

  #busy(session: string, row: LeaseRow): SessionBusy {
    const how = `end it there, or take it over: agent resume ${session} --take-over`;
    return new SessionBusy(`session ${session} is driven ${this.#by(row)}${this.#heard(row)}; ${how}`);
  }

  #by(row: LeaseRow): string {
    const who = row.pid === null ? "a process that has ended by now" : `process ${row.pid}`;
    return `by ${who}${this.#where(row)} since ${new Date(row.since).toISOString()}`;
  }

  #where({ host }: LeaseRow): string {
    if (host === this.#here.host) return "";
    const name = (of: string): string => of.split(" ", 1)[0] ?? of;
    return name(host) === name(this.#here.host) ? " in another container of this machine" : ` on ${name(host)}`;
  }

  /** Words the last sign of life of a holder elsewhere: whether it still lives cannot be seen from here. */
  #heard(row: LeaseRow): string {
    if (this.#standing(row) !== "elsewhere") return "";
    const when = row.beat === 0 ? "never" : `at ${new Date(row.beat).toISOString()}`;
    return ` (last seen ${when}; whether it still runs cannot be checked from here)`;
  }
}
