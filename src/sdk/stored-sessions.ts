import type { CallRef } from "../core/call-ref.ts";
import {
  answerElsewhere,
  type OutsideAnswer,
  type OutsideDecision,
  type OutsideStop,
  stopElsewhere,
} from "../records/ask-driver.ts";
import { type CallLife, callLivesInTree } from "../records/call-life.ts";
import { type ExportedSession, exportOf } from "../records/export-script.ts";
import { sessionNamed, UnknownSession } from "../records/find-session.ts";
import { type Forked, forkSession } from "../records/fork.ts";
import { type History, historyOf } from "../records/history.ts";
import { checkIdle, removeSessions } from "../records/remove.ts";
import { diffTextOf, type FileDiffText, sessionDiff } from "../records/session-diff.ts";
import { rootSessions, type SessionInfo, sessionInfo } from "../records/session-info.ts";
import { treeOf, treeUnder } from "../records/session-tree.ts";
import { renameSession } from "../records/title.ts";
import { type StoreCheck, verifyStore } from "../records/verify.ts";
import type { JournalReading, SessionRow, Store } from "../store/types.ts";

/** Whose sessions they are. */
export interface Whose {
  readonly workspace: string;
  /** Whose secrets an export leaves out. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The sessions that `AgentSessions` tells of, over an open store; those of other workspaces are not there. */
export class StoredSessions {
  readonly #store: Store;
  readonly #of: Whose;

  constructor(store: Store, of: Whose) {
    this.#store = store;
    this.#of = of;
  }

  list(): SessionInfo[] {
    const spent = this.#store.spent();
    return rootSessions(this.#store, this.#of.workspace).map((row) => sessionInfo(this.#store, row, spent));
  }

  get(id: string): SessionInfo {
    return sessionInfo(this.#store, this.#named(id), this.#store.spent());
  }

  history(id: string, most?: number): History {
    return historyOf(this.#journal(id), most);
  }

  diff(id: string): FileDiffText[] {
    return sessionDiff({ store: this.#store, journal: this.#journal(id) }, this.#of.workspace).map(diffTextOf);
  }

  calls(id: string): CallLife[] {
    return callLivesInTree(this.#store, this.#named(id).id);
  }

  async fork(id: string, at: string | undefined): Promise<Forked> {
    const row = this.#named(id);
    const forked = await forkSession(this.#store, row, at);
    if (forked !== undefined) return forked;
    const nothing = at === undefined ? "no settled step: there is nothing to fork" : `no call ${JSON.stringify(at)}`;
    throw new Error(`session ${row.id} has ${nothing}`);
  }

  export(id: string): ExportedSession {
    return exportOf(this.#store, this.#named(id).id, this.#of.env);
  }

  verify(id: string | undefined): StoreCheck {
    const all = () => this.#store.sessions.list({ workspace: this.#of.workspace });
    const tree = () => treeUnder(this.#store, this.#named(id ?? "").id).map((one) => ({ id: one }));
    return verifyStore(this.#store, id === undefined ? all() : tree());
  }

  /** @throws UnknownSession, also where the call is of a session that calls of this one do not drive */
  async answer(id: string, call: string | CallRef, decision: OutsideDecision, waitMs?: number): Promise<OutsideAnswer> {
    const row = this.#named(id);
    const ref = typeof call === "string" ? { session: row.id, call } : call;
    if (!treeOf(this.#store, row).includes(ref.session))
      throw new UnknownSession(`session ${ref.session} is none that session ${row.id} drives`);
    return answerElsewhere(this.#store, ref, decision, waitMs);
  }

  stop(id: string, waitMs?: number): Promise<OutsideStop> {
    const [root = id] = treeOf(this.#store, this.#named(id));
    return stopElsewhere(this.#store, root, waitMs);
  }

  async rename(id: string, title: string): Promise<string> {
    const kept = await renameSession(this.#store, this.#named(id).id, title.replace(/\s+/g, " "));
    if (kept === undefined) throw new TypeError("the title is empty");
    return kept;
  }

  async remove(id: string, force: boolean): Promise<boolean> {
    const row = this.#named(id);
    if (row.parent !== undefined)
      throw new TypeError(`session ${row.id} is driven by a call of ${row.parent}: remove that one`);
    if (!force) checkIdle([row]);
    return removeSessions(this.#store, [row]);
  }

  #named(id: string): SessionRow {
    return sessionNamed(this.#store, id, this.#of.workspace);
  }

  #journal(id: string): JournalReading {
    return this.#store.readJournal(this.#named(id).id);
  }
}
