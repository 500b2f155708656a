import { statSync } from "node:fs";
import { faultPoint } from "../../core/fault-point.ts";
import { holdLocked } from "../../files/locked-files.ts";
import type { Durability } from "../commit.ts";
import { SessionBusy, StoreFailure } from "../types.ts";
import type { Connection, Statement, Value } from "./driver/driver.ts";
import { asStoreError, isBusy, isInMemory, storeBusy, storeFailure } from "./failures.ts";
import { lostLog } from "./file-damage.ts";
import { type Patience, stampOf, Waiting } from "./patience.ts";

/** The time after a write that waited in vain in which the next ones are part of the same end, and do not wait as long again. */
const hopelessMs = 1_000;

/** The number of tries of the last write before an end: each waits for a lock as long as a statement may. */
const lastTries = 12;

/**
 * The connections that nobody closes: they end with the garbage, and their files may be opened again: but not before the library
 * itself has closed them, which may be a collection of garbage later than that of the things around them.
 */
const abandoned = new FinalizationRegistry<readonly (() => void)[]>((unhold) => {
  for (const one of unhold) one();
});

// Keeps store 2.
/** SQLite as this store uses it: prepared statements by their text, and transactions that wait without blocking. */
export class Database {
  readonly file: string;
  readonly #sqlite: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #mayWait: Patience;
  #line: Promise<unknown> | undefined;
  /** Work that goes along with the next transaction. */
  #along: (() => () => void) | undefined;
  #commits = 0;
  /** Changes with what other connections commit. */
  readonly #versionOf: Statement;
  #elsewhere: number | undefined;
  /** A transaction of `write` is under way. */
  #writing = false;
  #heldUp = false;
  /** Until when a locked store is not waited for again, since somebody just waited in vain. */
  #hopelessUntil = 0;
  /** The file that its name led to when it was opened; undefined in memory. */
  readonly #identity: string | undefined;

  /** The log as it was last seen: it stays the same file for as long as this one is open, and what is in it is a part of the store. */
  #log: { ino: number; size: number } | undefined;

  readonly #closed: () => void;
  /** Takes back that nobody may open its files beside this connection. */
  readonly #unhold: (() => void)[];

  /** @param closed what is to be done when it is closed */
  constructor(sqlite: Connection, file: string, mayWait: Patience, closed = (): void => undefined) {
    this.#sqlite = sqlite;
    this.#versionOf = sqlite.prepare("PRAGMA data_version");
    this.#closed = closed;
    this.file = file;
    this.#mayWait = mayWait;
    this.#identity = isInMemory(file) ? undefined : identityOf(file);
    this.#unhold = isInMemory(file) ? [] : ["", "-wal", "-shm", "-journal"].map((end) => holdLocked(`${file}${end}`));
    abandoned.register(sqlite.native, this.#unhold, this);
  }

  /** @returns how many rows changed and the last row's key. Inside `write` only. */
  run(sql: string, ...values: Value[]): { changes: number; key: number } {
    return this.#prepare(sql).run(...values);
  }

  /** The row's type is what the statement's columns are: tables are STRICT. */
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(...values) as Row[]);
  }

  /** All that `look` reads is of one moment, whatever other processes write meanwhile. */
  view<T>(look: () => T): T {
    return this.#guard(() => {
      this.#prepare("BEGIN").run();
      try {
        return look();
      } finally {
        if (this.#sqlite.inTransaction) this.#prepare("COMMIT").run();
      }
    });
  }

  /**
   * One transaction: begun before `work`, committed when the promise resolves, rolled back when it rejects. `work` may
   * run again when the store was busy. Transactions are made in the order of the calls.
   * @param committed is run at once when it is committed, before anybody reads
   * @throws SessionBusy when another process keeps the store locked for longer than the patience; StoreFailure.
   */
  async write<T>(durability: Durability, work: () => T, committed?: (value: T) => void): Promise<T> {
    if (this.#line === undefined) {
      const done = this.#attempt(durability, work, committed);
      if (done !== undefined) return done.value;
    }
    const before = this.#line;
    const turn = (async () => {
      await before?.catch(() => undefined);
      return await this.#insist(durability, work, committed);
    })();
    this.#line = turn;
    try {
      return await turn;
    } finally {
      if (this.#line === turn) this.#line = undefined;
    }
  }

  /** As `write`, once and at once; undefined when the store is busy. */
  tryWrite<T>(durability: Durability, work: () => T): { value: T } | undefined {
    return this.#attempt(durability, work);
  }

  /** The same for the last that is written before something ends: it stands in the way of all else while others have the store, for a moment. */
  tryLast<T>(durability: Durability, work: () => T): { value: T } | undefined {
    for (let tries = performance.now() < this.#hopelessUntil ? 1 : lastTries; ; tries -= 1) {
      const done = this.#attempt(durability, work);
      if (done !== undefined || tries <= 1) return done;
    }
  }

  /** Another number once a transaction was committed, here or by another connection; NaN within `write`, for it may be rolled back. */
  version(): number {
    if (this.#writing) return Number.NaN;
    return this.#commitsElsewhere() * 2 ** 32 + this.#commits;
  }

  /** Looked at once for all that is read in one go. */
  #commitsElsewhere(): number {
    if (this.#elsewhere === undefined) {
      this.#elsewhere = this.#guard(() => (this.#versionOf.get() as { data_version: number }).data_version);
      queueMicrotask(() => {
        this.#elsewhere = undefined;
      });
    }
    return this.#elsewhere;
  }

  /** A transaction waits here for another process that keeps the store locked. */
  get isHeldUp(): boolean {
    return this.#heldUp;
  }

  /**
   * Lets `work` be part of the next transaction, before that one's own work; what it returns is run once that is committed. One
   * at a time: until then, more of it is the business of who gave it.
   */
  defer(work: () => () => void): void {
    this.#along = work;
  }

  /** Writes what waits for a transaction. @throws as `write`. */
  async flush(): Promise<void> {
    if (this.#along !== undefined) await this.write("normal", () => undefined);
  }

  /** As `flush`, once and at once: a busy store leaves it waiting. */
  tryFlush(): void {
    if (this.#along !== undefined) this.tryLast("normal", () => undefined);
  }

  /** From now on what is deleted is overwritten at once. */
  overwriteDeleted(): void {
    this.#sqlite.exec("PRAGMA secure_delete=ON");
  }

  /**
   * Writes the file anew, without free pages, and empties its log: the room goes back to the disk, and nothing of what was ever
   * deleted stays in either. @returns false where another process uses the store, or the disk is full: then old copies may stay.
   */
  shrink(): boolean {
    try {
      this.#sqlite.exec("VACUUM");
      const [log] = this.#sqlite.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all() as { busy: number }[];
      return log?.busy === 0;
    } catch (error) {
      const failure = asStoreError(error, this.file);
      const passing = failure instanceof SessionBusy || (failure instanceof StoreFailure && failure.kind === "full");
      if (!passing) throw failure;
      return false;
    }
  }

  /**
   * Copies the log into the file, as far as nobody reads it and there is room.
   * @returns a mark of the log, another one once somebody writes; undefined where not all of it is in the file now
   */
  copyLog(): string | undefined {
    try {
      const [log] = this.#sqlite.prepare("PRAGMA wal_checkpoint(PASSIVE)").all() as {
        busy: number;
        log: number;
        checkpointed: number;
      }[];
      return log === undefined || log.busy !== 0 || log.log !== log.checkpointed ? undefined : `${log.log} pages`;
    } catch {
      return undefined; // Another process reads, or the disk is full.
    }
  }

  /** SQLite copies the log into the file and removes it where nobody else has the store open; else it stays as it is. */
  close(): void {
    if (!this.#sqlite.isOpen) return;
    this.#sqlite.close();
    abandoned.unregister(this);
    for (const unhold of this.#unhold) unhold();
    this.#closed();
  }

  async #insist<T>(durability: Durability, work: () => T, committed?: (value: T) => void): Promise<T> {
    try {
      for (const waiting = new Waiting(this.#mayWait, stampOf(this.file)); ; await waiting.pause()) {
        const done = this.#attempt(durability, work, committed);
        if (done !== undefined) return done.value;
        if (!waiting.isWorthIt || performance.now() < this.#hopelessUntil) {
          this.#hopelessUntil = performance.now() + hopelessMs;
          throw storeBusy(this.file);
        }
        this.#heldUp = true;
      }
    } finally {
      this.#heldUp = false;
    }
  }

  /**
   * A commit at NORMAL on the same connection is sound: a later FULL commit syncs the log with all before it, so what a
   * power cut takes is only a tail without effects in it. The pragma is never prepared, since compiling it executes it.
   */
  #attempt<T>(durability: Durability, work: () => T, committed?: (value: T) => void): { value: T } | undefined {
    try {
      if (durability === "normal") this.#sqlite.exec("PRAGMA synchronous=NORMAL");
      this.#prepare("BEGIN IMMEDIATE").run();
      this.#writing = true;
      faultPoint("transaction begun");
      const settle = this.#along?.();
      const value = work();
      faultPoint("transaction written");
      this.#checkThere();
      this.#prepare("COMMIT").run();
      this.#writing = false;
      this.#commits += 1;
      this.#along = undefined;
      settle?.();
      committed?.(value);
      return { value };
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw asStoreError(error, this.file);
    } finally {
      if (this.#sqlite.inTransaction) this.#prepare("ROLLBACK").run();
      this.#writing = false;
      if (durability === "normal") this.#sqlite.exec("PRAGMA synchronous=FULL");
    }
  }

  /**
   * Before each commit, and so before each effect: SQLite would go on writing to a file that has no name any more, or not this one.
   * @throws StoreFailure gone.
   */
  #checkThere(): void {
    if (this.#identity === undefined) return;
    if (identityOf(this.file) !== this.#identity) throw storeFailure("gone", this.file);
    const log = statSync(`${this.file}-wal`, { throwIfNoEntry: false });
    if (this.#log !== undefined && log?.ino !== this.#log.ino) throw storeFailure("gone", this.file, "its log");
    // No other process may empty it now.
    if (this.#log !== undefined && (log?.size ?? 0) < this.#log.size && lostLog(this.file) !== undefined)
      throw storeFailure("gone", this.file, "what its log held");
    this.#log = log;
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#sqlite.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #guard<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      // Inside a transaction `write` decides: a busy store is tried again there.
      throw this.#sqlite.inTransaction ? error : asStoreError(error, this.file);
    }
  }
}

/** Asked at each commit: some microseconds. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? "none" : `${found.dev}:${found.ino}`;
}
