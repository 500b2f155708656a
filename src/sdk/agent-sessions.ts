import { loadPart } from "../core/agent-packages.ts";
import type { CallRef } from "../core/call-ref.ts";
import type { OutsideAnswer, OutsideDecision, OutsideStop } from "../records/ask-driver.ts";
import type { CallLife } from "../records/call-life.ts";
import type { ExportedSession } from "../records/export-script.ts";
import type { Forked } from "../records/fork.ts";
import type { History } from "../records/history.ts";
import type { FileDiffText } from "../records/session-diff.ts";
import type { SessionInfo } from "../records/session-info.ts";
import type { StoreCheck } from "../records/verify.ts";
import type { Store } from "../store/types.ts";
import type { Whose } from "./stored-sessions.ts";

/**
 * The stored sessions of an agent's workspace, as `agent sessions` has them. An id may be given by its beginning, as far as that names
 * one. All but `remove` can be done while a process drives the session, this one or another.
 * @throws UnknownSession where no session is named so, or several are; StoreFailure, MissingPackage.
 */
export interface AgentSessions {
  /** Those that a person began, newest first. */
  list(): Promise<SessionInfo[]>;
  get(id: string): Promise<SessionInfo>;
  /** Returns the messages and calls so far. @param most at most so many of the last messages and calls; where a step has more, all of that one */
  history(id: string, options?: { most?: number }): Promise<History>;
  /** Returns the changes of it and its children, a diff a file; those taken back do not show. */
  diff(id: string): Promise<FileDiffText[]>;
  /** Each call with its moves and the answers to it, in the order in which they were proposed; those of children, with their `session`, behind the one that drives them. */
  calls(id: string): Promise<CallLife[]>;
  /**
   * A new session, with all up to and including the step of the call `at`, or the last step that is settled; `resume` goes on with it. Files
   * are as they are.
   * @throws Error where the session has no such call, or no settled step
   */
  fork(id: string, options?: { at?: string }): Promise<Forked>;
  /** The session as a script. Other secrets than those of the agent's `env` are not looked for: read it before you give it away. */
  export(id: string): Promise<ExportedSession>;
  /** Looks for damage in the whole file and in the records of this session, or of all of the workspace. */
  verify(id?: string): Promise<StoreCheck>;
  /** @returns the title as it is kept: one line of at most 80 characters. @throws TypeError where nothing is left of it */
  rename(id: string, title: string): Promise<string>;
  /**
   * Answers a call that waits, of a session that another process drives, or of one that nobody drives: then the answer counts when it is
   * resumed, if the question is the same. `Session.answer` is for the process that drives it. Resolves once it is known what became of it.
   * @param call its `callId`, or its address where it is a child's
   * @param options `waitMs`: how long the driver is waited for, in milliseconds. Default 15,000.
   */
  answer(
    id: string,
    call: string | CallRef,
    decision: OutsideDecision,
    options?: { waitMs?: number },
  ): Promise<OutsideAnswer>;
  /** Has the process that drives the session stop what runs in it, as Esc does. Resolves once that has ended, or it is known why not. */
  stop(id: string, options?: { waitMs?: number }): Promise<OutsideStop>;
  /**
   * Removes all that is stored of it.
   * @param options `force`: also where it waits for the person, or was cut off
   * @returns whether nothing of it is left in the file; parts may be where another process uses the store
   * @throws SessionInUse, SessionBusy where a process drives it; TypeError for a session that a call drives. It stays then.
   */
  remove(id: string, options?: { force?: boolean }): Promise<boolean>;
}

/** They are read by the same code as the commands' are, which is loaded with the first of these. */
export function agentSessions(of: Whose & { open(): Promise<Store> }): AgentSessions {
  const stored = async () => {
    const store = await of.open();
    const { StoredSessions } = await loadPart(() => import("./stored-sessions.ts"));
    return new StoredSessions(store, of);
  };
  return {
    list: async () => (await stored()).list(),
    get: async (id) => (await stored()).get(id),
    history: async (id, { most } = {}) => (await stored()).history(id, most),
    diff: async (id) => (await stored()).diff(id),
    calls: async (id) => (await stored()).calls(id),
    fork: async (id, { at } = {}) => (await stored()).fork(id, at),
    export: async (id) => (await stored()).export(id),
    verify: async (id) => (await stored()).verify(id),
    answer: async (id, call, decision, { waitMs } = {}) => (await stored()).answer(id, call, decision, waitMs),
    stop: async (id, { waitMs } = {}) => (await stored()).stop(id, waitMs),
    rename: async (id, title) => (await stored()).rename(id, title),
    remove: async (id, { force = false } = {}) => (await stored()).remove(id, force),
  };
}
