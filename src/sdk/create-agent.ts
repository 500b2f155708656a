import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { loadPart } from "../core/agent-packages.ts";
import type { JsonObject } from "../core/json.ts";
import { schemaProblem } from "../core/json-schema/keywords.ts";
import { makeDefaultPrompt } from "../graph/talk/prompt/make-prompt.ts";
import type { ModelEntry } from "../model/model-entries.ts";
import { inFormat, type OpenModelOptions, openModel } from "../model/open-model.ts";
import { type Model, ModelFailure, type ToolChoice, type ToolFormat } from "../model/port.ts";
import type { ServerSettings } from "../model/servers.ts";
import type { Mode, Policy } from "../policy/types.ts";
import { type DrivenAgent, openAgent, type ResumedSession } from "../session/open-agent.ts";
import type { Session } from "../session/session.ts";
import type { Store } from "../store/types.ts";
import type { ToolRegistry, ToolSource } from "../tools/registry.ts";
import { openSessionTools } from "./session-tools.ts";

export interface AgentOptions {
  /** Absolute path of the folder it works in. */
  workspace: string;
  /** `SERVER:NAME`, `demo` or `script:FILE`, or a model of your own; such a one serves all sessions. */
  model: string | Model;
  /**
   * In the place of the default tools. Of a class or a factory each call has an instance of its own, which is disposed with it, beside
   * the one that each session describes it by; a tool object and what is in a registry is shared, and is disposed when the last of
   * the sessions that use it is closed. What is put into a registry while a session runs is offered with the next request.
   */
  tools?: readonly ToolSource[] | ToolRegistry;
  /** `"memory"` (the default: all is gone with `close`), or the path of a file, which is made where it is not there. */
  store?: string;
  /** Default `ask`. */
  mode?: Mode;
  /** Rules in force now; none by default, so that the risk table decides. No file is read for it. */
  policy?(at: { session: string; workspace: string; mode: Mode }): Policy | Promise<Policy>;
  /** By default made of what lies in the workspace: its instructions and its git branch. */
  systemPrompt?(): Promise<string>;
  /** What tools find in their context. */
  services?: Readonly<Record<string, unknown>>;
  config?: JsonObject;
  /** Who the person is to tools (`uid` in their context); it is in no record. */
  uid?: string;
  /** Steps from one message to the end of its turn, at the most. Default 50. */
  maxSteps?: number;
  /** `required`: until the turn's first call; `none`: a call that the model makes all the same is not run. Default `auto`. */
  toolChoice?: ToolChoice;
  /** Tools by which the model ends a turn are offered in every turn; with `required` or `outputSchema` they always are. */
  endTools?: boolean;
  /**
   * JSON Schema (draft 7 or 2020-12) of what each message is to be answered with: `turn_ended.output`. It is stored with the turn; after
   * three tries that do not fit the turn has failed.
   */
  outputSchema?: JsonObject;
  /** Milliseconds for a call whose tool says no `timeoutMs`. Default ten minutes. */
  toolTimeoutMs?: number;
  /** How the model calls tools. Default: what `models` says, else the protocol's own way. */
  toolFormat?: ToolFormat;
  /** What a turn may cost each time it is run, in the currency of the model's price, which has to be known. */
  maxCost?: number;
  /** What is known of models, by spec, in which a `*` stands for any text. */
  models?: Readonly<Record<string, ModelEntry>>;
  /** Servers by name, beside those that are known, and what is to be other of these: `{ NAME: { baseUrl, apiKeyEnv } }`. */
  servers?: Readonly<Record<string, ServerSettings>>;
  /** Characters that the model gets of one call at the most; `false`: what the tool says, else all. Default 30,000. */
  maxObserve?: number | false;
  /** `false`: nothing of a talk is left out or summed up to make room in the model's window. Default true. */
  compact?: boolean;
  /** Where a model's key, endpoint and proxies are read from; nothing else is. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface Agent {
  /** A new session; it is stored, and its model and tools are opened, with its first message. */
  start(): Session;
  /**
   * An older session of this workspace, by its whole id, with the agent's model. Its first event is `session_restored`; `proceed()`
   * goes on with what waited or was cut off.
   * @throws Error where there is none in the store, or it belongs to another workspace; SessionBusy, StoreFailure.
   */
  resume(id: string): Promise<ResumedSession>;
  /** Closes all sessions, so that their tools are disposed, and then the store. @throws the first error of these. */
  close(): Promise<void>;
}

/**
 * An agent in a workspace, for programs. It reads no configuration, policy or memories of the user. Its work is done by
 * `@langchain/*`, optional peers of this package, which are loaded with the first message.
 * @throws TypeError where `workspace` is not the absolute path of a folder, `outputSchema` no schema that can be checked by, or a limit not above 0. The sessions' methods throw ModelFailure, StoreFailure,
 * SessionBusy, and MissingPackage where a peer is not installed.
 */
export function createAgent(options: AgentOptions): Agent {
  const workspace = realWorkspace(options.workspace);
  checkLimits(options);
  const spec = typeof options.model === "string" ? options.model : options.model.spec;
  const mode = options.mode ?? "ask";
  const sessions = new Set<Session>();
  const store = lazyStore(options.store ?? "memory");
  const driven = drive({ ...options, workspace }, store.open, (session) => sessions.delete(session));
  let closing: Promise<void> | undefined;

  const keep = <S extends Session>(session: S): S => {
    sessions.add(session);
    return session;
  };
  const checkOpen = (): void => {
    if (closing !== undefined) throw new Error("the agent is closed");
  };
  return {
    start() {
      checkOpen();
      return keep(driven.start({ workspace, model: spec, mode }));
    },
    async resume(id) {
      checkOpen();
      const opened = await store.open();
      const row = opened.sessions.get(id);
      if (row === undefined) throw new Error(`there is no session ${id} in ${opened.file}`);
      if (row.workspace !== workspace)
        throw new Error(`session ${id} belongs to the workspace ${row.workspace}, not to ${workspace}`);
      return keep(await driven.resume(row, { mode, model: spec }));
    },
    close() {
      closing ??= closeAll(sessions, store);
      return closing;
    },
  };
}

function checkLimits({ outputSchema, maxObserve = false, ...numbers }: AgentOptions): void {
  const wrong = outputSchema === undefined ? undefined : schemaProblem(outputSchema);
  if (wrong !== undefined) throw new TypeError(`outputSchema: ${wrong}`);
  if (maxObserve !== false && !(Number.isSafeInteger(maxObserve) && maxObserve >= 1))
    throw new TypeError(
      `maxObserve must be a whole number of characters from 1 on, or false for all, not ${maxObserve}`,
    );
  for (const name of ["toolTimeoutMs", "maxCost"] as const)
    if (!((numbers[name] ?? 1) > 0)) throw new TypeError(`${name} must be above 0, not ${numbers[name]}`);
}

function realWorkspace(workspace: string): string {
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
function lazyStore(asked: string): LazyStore {
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

function drive(options: AgentOptions, store: () => Promise<Store>, closed: (session: Session) => void): DrivenAgent {
  const { env = process.env } = options;
  const { policy, config } = options;
  // The store's own file, where it lies in the workspace.
  const sealed = async (): Promise<string[]> => {
    const { file } = await store();
    return file === ":memory:" ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-made`];
  };
  return openAgent({
    openStore: store,
    openTools: openSessionTools(options),
    openModel: async (spec) => priced(await modelOf(options, spec, env), options.maxCost),
    loadPolicy: async (at) =>
      policy?.(at) ?? { rules: [], grants: [], mode: at.mode, sealed: { roots: await sealed() } },
    systemPrompt: () => options.systemPrompt?.() ?? makeDefaultPrompt(options.workspace, Date.now),
    clock: Date.now,
    maxSteps: options.maxSteps ?? 50,
    ...limitsOf(options),
    ...(config === undefined ? {} : { config }),
    uid: options.uid,
    sessionClosed: closed,
  });
}

/** What of the options a session takes as it is. */
const limitsOf = ({ toolChoice, endTools, outputSchema, maxObserve, compact, ...most }: AgentOptions) => ({
  ...(toolChoice === undefined ? {} : { toolChoice }),
  ...(endTools === undefined ? {} : { endTools }),
  ...(outputSchema === undefined ? {} : { outputSchema }),
  ...(maxObserve === undefined ? {} : { maxObserve: async () => maxObserve }),
  ...(compact === undefined ? {} : { compact }),
  toolTimeoutMs: most.toolTimeoutMs,
  maxCost: most.maxCost,
});

async function modelOf(options: AgentOptions, spec: string, env: OpenModelOptions["env"]): Promise<Model> {
  const { model, workspace: cwd, toolFormat, models, servers } = options;
  if (typeof model !== "string" && spec === model.spec) return inFormat(model, toolFormat);
  return openModel(spec, {
    ...{ env, cwd },
    ...(toolFormat === undefined ? {} : { toolFormat }),
    ...(models === undefined ? {} : { models }),
    ...(servers === undefined ? {} : { servers }),
  });
}

/** A limit that cannot be kept would be none. @throws ModelFailure */
function priced(model: Model, maxCost: number | undefined): Model {
  if (maxCost === undefined || model.scripted === true || model.price !== undefined) return model;
  throw new ModelFailure("refused", `maxCost needs the price of ${model.spec}`, {
    hint: `Say it for a million tokens: models: {"${model.spec}": {price: {input: N, output: N}}}`,
  });
}

async function closeAll(sessions: ReadonlySet<Session>, store: LazyStore): Promise<void> {
  const ended = await Promise.allSettled([...sessions].map((session) => session.close()));
  await store.close();
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
