import { existsSync } from "node:fs";
import { faultPoint } from "../core/fault-point.ts";
import { StoreFailure } from "./problems.ts";
import { MessageShelf } from "./sqlite/checkpoints/message-shelf.ts";
import { StoreSaver } from "./sqlite/checkpoints/saver.ts";
import type { Database } from "./sqlite/database.ts";
import { callFigures } from "./sqlite/journal/call-figures.ts";
import { SessionJournal } from "./sqlite/journal/journal.ts";
import { JournalReader } from "./sqlite/journal/journal-reader.ts";
import { dropKept, keepAll, keptFigure, packAll } from "./sqlite/journal/kept-bytes.ts";
import { spentBySession } from "./sqlite/journal/spent.ts";
import { storeTurn } from "./sqlite/journal/turn-row.ts";
import { openDatabase, openToRead } from "./sqlite/open-database.ts";
import { patienceOf } from "./sqlite/patience.ts";
import { copyPacked, copySession, dropPacked } from "./sqlite/sessions/fork.ts";
import { type HeldLease, Leases } from "./sqlite/sessions/leases.ts";
import { findThread, SessionTable } from "./sqlite/sessions/sessions.ts";
import { databaseDamage, verifySession } from "./sqlite/verify.ts";
import type {
  CallFigures,
  CallFilter,
  ChildRow,
  ForkSpec,
  Journal,
  JournalReading,
  KeptFigure,
  Lease,
  NewSession,
  NewTurn,
  Spent,
  Store,
  TurnRow,
  Verified,
} from "./types.ts";

export interface OpenOptions {
  /** Absolute; made where it is not there. `:memory:` for a whole store without any file, which ends when it is closed. */
  file: string;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** Keep every checkpoint, not only the last of each turn; a DeltaChannel needs it. */
  keepAll?: boolean;
  /** How long a store that another process keeps locked is tried again, in milliseconds. */
  patienceMs?: number;
  /** Aborted when the process was asked to end: from then on a locked store is waited for no longer than a second in all. */
  leaving?: AbortSignal;
  /** How often a session that is driven here says that it lives, in milliseconds. */
  beatMs?: number;
}

/**
 * Opens the store, or makes it: mode 0600 in a folder of mode 0700.
 * @throws StoreFailure (full, read_only, corrupt, foreign, newer, io) and SessionBusy; nothing is ever overwritten.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { file, clock = Date.now, keepAll = false, patienceMs = 10_000, leaving, beatMs } = options;
  const db = await openDatabase(file, patienceOf(patienceMs, leaving));
  return new SqliteStore(db, new Leases(db, clock, beatMs), clock, keepAll);
}

/**
 * Opens a store that cannot be written to, to look at it: nothing of it is changed, and writes to it fail.
 * @throws StoreFailure, SessionBusy.
 */
export async function openStoreToRead(file: string, clock: () => number = Date.now): Promise<Store> {
  const db = await openToRead(file);
  return new SqliteStore(db, new Leases(db, clock), clock, false);
}

/** What `open` gives, or, where it can only not be written to, the same to look into. @throws what `open` throws. */
export async function orToRead(file: string, open: () => Promise<Store>): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === "read_only" && existsSync(file)) return openStoreToRead(file);
    throw error;
  }
}

/** What the first transaction of a session makes durable. */
const begun = ["session made", "lease taken", "user text saved"] as const;

class SqliteStore implements Store {
  readonly file: string;
  readonly sessions: SessionTable;
  readonly saver: StoreSaver;
  readonly #db: Database;
  readonly #shelf: MessageShelf;
  readonly #leases: Leases;
  readonly #clock: () => number;

  constructor(db: Database, leases: Leases, clock: () => number, keepAll: boolean) {
    this.file = db.file;
    this.#db = db;
    this.#clock = clock;
    this.#shelf = new MessageShelf(db);
    this.#leases = leases;
    this.sessions = new SessionTable(db, this.#leases, this.#shelf, clock);
    this.saver = new StoreSaver(db, this.#shelf, this.#leases, keepAll);
  }

  // Keeps store 6.
  async begin(session: NewSession, first: NewTurn): Promise<{ lease: HeldLease; turn: TurnRow }> {
    for (const what of begun) faultPoint(`before ${what}`);
    const packed = await packAll(first.keep);
    const made = await this.#db.write("full", () => {
      const driven = this.sessions.insert(session);
      const fence = this.#leases.takeNew(session.id, driven);
      keepAll(this.#db, driven.thread, packed, this.#clock());
      return { driven, fence, turn: storeTurn(this.#db, this.#shelf, driven.thread, first) };
    });
    for (const what of begun) faultPoint(`after ${what}`);
    made.turn.settle();
    return { lease: this.#leases.keep(session.id, made.driven, made.fence), turn: made.turn.row };
  }

  async beginChild(child: ChildRow & Pick<NewSession, "workspace" | "model">, first: NewTurn): Promise<void> {
    faultPoint("before child begun");
    const packed = await packAll(first.keep);
    const turn = await this.#db.write("full", () => {
      const { thread, root } = this.sessions.insertChild(child);
      this.#leases.checkRoot(child.parent, root);
      keepAll(this.#db, thread, packed, this.#clock());
      return storeTurn(this.#db, this.#shelf, thread, first);
    });
    faultPoint("after child begun");
    turn.settle();
  }

  acquire(session: string, options: { takeOver?: boolean } = {}): Promise<HeldLease> {
    return this.#leases.acquire(session, options.takeOver ?? false);
  }

  journal(lease: Lease): Journal {
    return new SessionJournal(this.#db, this.#shelf, this.#leases, this.#leases.own(lease), this.#clock);
  }

  spent(since = 0): Map<string, Spent> {
    return spentBySession(this.#db, since);
  }

  callFigures(filter: CallFilter = {}): CallFigures[] {
    return callFigures(this.#db, filter, (root) => this.#leases.isDriven(root));
  }

  readJournal(session: string): JournalReading {
    const thread = this.sessions.get(session) === undefined ? undefined : findThread(this.#db, session);
    if (thread === undefined) throw new Error(`there is no session ${session}`);
    return new JournalReader(this.#db, this.#shelf, session, thread);
  }

  kept(before?: number): KeptFigure {
    return keptFigure(this.#db, before);
  }

  async prune(before: number): Promise<KeptFigure> {
    const dropped = await dropKept(this.#db, before);
    if (dropped.versions > 0) this.#db.shrink();
    return dropped;
  }

  shrink(): boolean {
    return this.#db.shrink();
  }

  async fork(spec: ForkSpec): Promise<void> {
    try {
      copyPacked(this.#db, spec);
      await this.#db.write("full", () => copySession(this.#db, spec, this.#clock()));
    } catch (error) {
      dropPacked(this.#db, spec.id);
      throw error;
    }
    // Its tool messages are older than the calls that say their words.
    this.#shelf.forgetLists();
  }

  damage(): string | undefined {
    return databaseDamage(this.#db);
  }

  verify(session: string): Verified {
    return verifySession(this.#db, this.readJournal(session));
  }

  close(): void {
    this.#leases.releaseAll();
    this.#db.close();
  }
}
