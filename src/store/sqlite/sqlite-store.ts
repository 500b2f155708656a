import { faultPoint } from "../../core/fault-point.ts";
import type { PackedBytes } from "../commit.ts";
import type { RowSource } from "../engine.ts";
import { Draft } from "../journal/draft.ts";
import { SessionJournal } from "../journal/journal.ts";
import { JournalReader } from "../journal/journal-reader.ts";
import { packAll } from "../journal/packed-bytes.ts";
import { SessionRows } from "../journal/session-rows.ts";
import { draftTurn } from "../journal/turns.ts";
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
} from "../types.ts";
import { applyCommit } from "./apply-commit.ts";
import { callFigures } from "./call-figures.ts";
import { MessageShelf } from "./checkpoints/message-shelf.ts";
import { StoreSaver } from "./checkpoints/saver.ts";
import type { Database } from "./database.ts";
import { SqliteEngine } from "./engine.ts";
import { dropKept, keptFigure } from "./kept-bytes.ts";
import { copyPacked, copySession, dropPacked } from "./sessions/fork.ts";
import type { HeldLease, Leases } from "./sessions/leases.ts";
import { RequestTable } from "./sessions/requests.ts";
import { findThread, SessionTable } from "./sessions/sessions.ts";
import { spentBySession } from "./spent.ts";
import { databaseDamage, verifySession } from "./verify.ts";

/** The things that the first transaction of a session makes durable. */
const begun = ["session made", "lease taken", "user text saved"] as const;

/** A store of sessions in one file of SQLite, or in memory. */
export class SqliteStore implements Store {
  readonly file: string;
  readonly sessions: SessionTable;
  readonly saver: StoreSaver;
  readonly requests: RequestTable;
  readonly #db: Database;
  readonly #shelf: MessageShelf;
  readonly #leases: Leases;
  readonly #clock: () => number;
  readonly #engine: SqliteEngine;
  /** The rows of each session that is driven here: one lease has one mirror. */
  readonly #mirrors = new WeakMap<Lease, SessionRows>();

  constructor(db: Database, leases: Leases, clock: () => number, keepAll: boolean) {
    this.file = db.file;
    this.#db = db;
    this.#clock = clock;
    this.#shelf = new MessageShelf(db);
    this.#leases = leases;
    this.#engine = new SqliteEngine(db, leases);
    this.sessions = new SessionTable(db, this.#leases, this.#shelf, clock);
    this.saver = new StoreSaver(db, this.#shelf, this.#leases, keepAll);
    this.requests = new RequestTable(db, this.#leases, clock);
  }

  // Keeps store 6.
  async begin(session: NewSession, first: NewTurn): Promise<{ lease: HeldLease; turn: TurnRow }> {
    for (const what of begun) faultPoint(`before ${what}`);
    const packed = await packAll(first.keep);
    const made = await this.#db.write(
      "full",
      () => {
        const driven = this.sessions.insert({ ...session, title: first.title ?? "" });
        const fence = this.#leases.takeNew(session.id, driven);
        return { driven, fence, ...this.#firstTurn(session.id, driven.thread, first, packed) };
      },
      ({ settle }) => settle(),
    );
    for (const what of begun) faultPoint(`after ${what}`);
    return { lease: this.#leases.keep(session.id, made.driven, made.fence), turn: made.turn };
  }

  async beginChild(child: ChildRow & Pick<NewSession, "workspace" | "model">, first: NewTurn): Promise<void> {
    faultPoint("before child begun");
    const packed = await packAll(first.keep);
    await this.#db.write(
      "full",
      () => {
        const { thread, root } = this.sessions.insertChild({ ...child, title: first.title ?? "" });
        this.#leases.checkRoot(child.parent, root);
        return this.#firstTurn(child.id, thread, first, packed);
      },
      ({ settle }) => settle(),
    );
    faultPoint("after child begun");
  }

  acquire(session: string, options: { takeOver?: boolean } = {}): Promise<HeldLease> {
    return this.#leases.acquire(session, options.takeOver ?? false);
  }

  journal(lease: Lease): Journal {
    const { session, thread } = this.#leases.own(lease);
    const stored = this.#engine.source(thread, session);
    const rows =
      this.#mirrors.get(lease) ??
      new SessionRows(
        stored,
        whileOurs(stored, () => this.#engine.isOurs(lease)),
      );
    this.#mirrors.set(lease, rows);
    return new SessionJournal({
      ...{ session, thread, rows, messages: this.#shelf },
      ...{ engine: this.#engine, lease, clock: this.#clock },
    });
  }

  spent(since = 0): Map<string, Spent> {
    return spentBySession(this.#db, since);
  }

  callFigures(filter: CallFilter = {}): CallFigures[] {
    return callFigures(this.#db, filter, (root) => this.#leases.isDriven(root));
  }

  readJournal(session: string): JournalReading {
    const thread = this.sessions.has(session) ? findThread(this.#db, session) : undefined;
    if (thread === undefined) throw new Error(`there is no session ${session}`);
    const stored = this.#engine.source(thread, session);
    const rows = new SessionRows(stored, whileUnchanged(stored));
    return new JournalReader({ session, thread, rows, messages: this.#shelf });
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

  /** Inside `write` only. @returns the turn, and what is to be done once it is committed */
  #firstTurn(
    session: string,
    thread: number,
    first: NewTurn,
    packed: readonly PackedBytes[],
  ): { turn: TurnRow; settle: () => void } {
    const rows = new SessionRows(this.#engine.source(thread, session), () => true);
    const draft = new Draft({ session, thread, rows, messages: this.#shelf, clock: this.#clock });
    draft.keep(packed);
    const turn = draftTurn(draft, first);
    const keys = applyCommit(this.#db, thread, draft.commit);
    return { turn, settle: () => draft.settle(keys) };
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

/**
 * Makes the test whether mirrored rows are still good: under a lease nobody else changes them, so they are looked at again where anything was
 * committed since.
 */
function whileOurs(stored: RowSource, isOurs: () => boolean): () => boolean {
  let seen = Number.NaN;
  return () => {
    const now = stored.version();
    if (now === seen) return true;
    if (!isOurs()) return false;
    seen = now;
    return true;
  };
}

/** Without a lease anybody may write. */
function whileUnchanged(stored: RowSource): () => boolean {
  let seen = Number.NaN;
  return () => {
    const [before, now] = [seen, stored.version()];
    seen = now;
    return before === now;
  };
}
