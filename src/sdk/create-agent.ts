import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { loadPart } from "../core/agent-packages.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { ToolStats } from "../core/tool-stats.ts";
import { makeDefaultPrompt } from "../graph/talk/prompt/make-prompt.ts";
import { sessionNamed } from "../records/find-session.ts";
import { type TopOptions, topTools } from "../records/statistics.ts";
import type { AgentParts } from "../session/agent-parts.ts";
import { openAgent, type ResumedSession } from "../session/open-agent.ts";
import type { Session } from "../session/session.ts";
import type { Store } from "../store/types.ts";
import type { HeldTools, ToolSource } from "../tools/registry.ts";
import { type AgentOptions, checkLimits, type ResumeOptions, type SessionOptions } from "./agent-options.ts";
import { type AgentSessions, agentSessions } from "./agent-sessions.ts";
import { checkedPolicy } from "./checked-policy.ts";
import { sessionModels } from "./session-model.ts";
import { openSessionTools } from "./session-tools.ts";
import { readSettings } from "./tool-settings.ts";

export interface Agent {
  /** A new session; it is stored, and its model and tools are opened, with its first message. */
  start(options?: SessionOptions): Session;
  /** The stored sessions of this workspace: what `agent sessions` shows and does. */
  readonly sessions: AgentSessions;
  /**
   * Returns the ends of each tool's calls in all sessions of the store, also of one in memory; in this order and of no more than `limit` tools, where
   * it is said. @throws StoreFailure, MissingPackage
   */
  stats(options?: TopOptions): Promise<ToolStats[]>;
  /**
   * An older session of this workspace, by its id or the beginning of one, with the agent's model or that of the options. Its first event is
   * `session_restored`; `proceed()` goes on with what waited or was cut off.
   * @throws UnknownSession where there is none in the store, or it belongs to another workspace; SessionBusy where a process drives it
   * and `takeOver` is not said; StoreFailure.
   */
  resume(id: string, options?: ResumeOptions): Promise<ResumedSession>;
  /** Closes all sessions, so that their tools are disposed, and then the store. @throws the first error of these. */
  close(): Promise<void>;
}

// Keeps sdk 1.
/**
 * An agent in a workspace, for programs. It reads no configuration, policy or memories of the user. Its work is done by
 * `@langchain/*`, optional peers of this package, which are loaded with the first message.
 * @throws TypeError where `workspace` is not the absolute path of a folder, `outputSchema` no schema that can be checked by, or a limit not above 0. The sessions' methods throw ModelFailure, StoreFailure,
 * SessionBusy, and MissingPackage where a peer is not installed.
 */
export function createAgent<Sources extends readonly ToolSource[] | []>(
  options: Omit<AgentOptions, "tools"> & HeldTools<Sources>,
): Agent {
  const workspace = realWorkspace(options.workspace);
  checkLimits(options);
  const open = new Set<Session>();
  const store = lazyStore(options.store ?? "memory");
  const settled = { ...options, workspace };
  const isKept = (options.store ?? "memory") !== "memory";
  const shared = sharedParts({ ...settled, isKept }, store.open, (session) => open.delete(session));
  let closing: Promise<void> | undefined;

  const checkOpen = (): void => {
    if (closing !== undefined) throw new Error("the agent is closed");
  };
  const stored = async (): Promise<Store> => {
    checkOpen();
    return store.open();
  };
  /** The agent for one session, as its options have it. */
  const drivenWith = ({ model, mode = options.mode, uid = options.uid, services }: SessionOptions) => {
    checkOpen();
    const models = sessionModels(settled, [...(model === undefined ? [] : [model]), options.model]);
    const found = { ...options.services, ...services };
    const driven = openAgent({
      ...shared,
      openModel: models.open,
      openTools: async (at) => ({ ...(await shared.openTools(at)), services: found }),
      uid,
    });
    return { driven, mode, model: models.spec };
  };
  const keep = <S extends Session>(session: S): S => {
    open.add(session);
    return session;
  };
  return {
    sessions: agentSessions({ workspace, env: options.env ?? process.env, open: stored }),
    stats: async (asked) => topTools(await stored(), { limit: Number.POSITIVE_INFINITY, ...asked }),
    start(own = {}) {
      const { driven, mode = "ask", model } = drivenWith(own);
      return keep(driven.start({ workspace, mode, model }));
    },
    async resume(id, { takeOver = false, ...own } = {}) {
      const { driven, ...named } = drivenWith(own);
      const row = sessionNamed(await store.open(), id, workspace);
      return keep(await driven.resume(row, { ...named, takeOver }));
    },
    close() {
      closing ??= closeAll(open, store);
      return closing;
    },
  };
}

export function realWorkspace(workspace: string): string {
  if (!isAbsolute(workspace)) throw new TypeError(`workspace must be absolute: ${workspace}`);
  try {
    return realpathSync(workspace);
  } catch (cause) {
    throw new TypeError(`workspace cannot be opened: ${workspace}`, { cause });
  }
}

interface LazyStore {
  open(): Promise<Store>;
  close(): Promise<void>;
}

/** Opened at the first need; a failure is not kept, so that the next need may try again. */
export function lazyStore(asked: string): LazyStore {
  const file = asked === "memory" ? ":memory:" : resolve(asked);
  let opening: Promise<Store> | undefined;
  const open = async (): Promise<Store> => {
    const { openStore } = await loadPart(() => import("../store/open-store.ts"));
    return openStore({ file });
  };
  return {
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/** Makes the parts that all sessions of an agent are put together from. */
export function sharedParts(
  options: AgentOptions & { isKept: boolean },
  store: () => Promise<Store>,
  closed: (session: Session) => void,
): Omit<AgentParts, "openModel" | "uid"> {
  const { policy } = options;
  const secrets = secretsOf(options);
  // The store's own file, where it lies in the workspace.
  const sealed = async (): Promise<string[]> => {
    const { file } = await store();
    return file === ":memory:" ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-made`];
  };
  return {
    openStore: store,
    openTools: openSessionTools(options, readSettings(options)),
    loadPolicy: async (at) =>
      policy === undefined
        ? { rules: [], grants: [], mode: at.mode, sealed: { roots: await sealed() } }
        : checkedPolicy(await policy(at)),
    systemPrompt: async () =>
      options.systemPrompt?.() ?? makeDefaultPrompt(options.workspace, Date.now, await secrets?.()),
    ...(secrets && { secrets }),
    ...(options.systemPrompt === undefined ? { folderIgnore: async () => [] } : {}),
    clock: Date.now,
    maxSteps: options.maxSteps ?? 50,
    ...limitsOf(options),
    sessionClosed: closed,
  };
}

/** Made with the first session; where there are none nothing is loaded for them. */
function secretsOf({ secrets }: AgentOptions): (() => Promise<KnownSecrets>) | undefined {
  if (secrets === undefined || Object.keys(secrets).length === 0) return undefined;
  let made: Promise<KnownSecrets> | undefined;
  return () => {
    made ??= import("../core/secrets/given-secrets.ts").then(({ secretsGiven }) => secretsGiven(secrets, Date.now));
    return made;
  };
}

/** Picks the options that a session takes as they are. */
const limitsOf = ({ toolChoice, endTools, outputSchema, maxObserve, compact, page, ...most }: AgentOptions) => ({
  ...(page === undefined ? {} : { page }),
  ...(toolChoice === undefined ? {} : { toolChoice }),
  ...(endTools === undefined ? {} : { endTools }),
  ...(outputSchema === undefined ? {} : { outputSchema }),
  ...(maxObserve === undefined ? {} : { maxObserve: async () => maxObserve }),
  ...(compact === undefined ? {} : { compact }),
  toolTimeoutMs: most.toolTimeoutMs,
  maxCost: most.maxCost,
});

async function closeAll(sessions: ReadonlySet<Session>, store: LazyStore): Promise<void> {
  const ended = await Promise.allSettled([...sessions].map((session) => session.close()));
  await store.close();
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
