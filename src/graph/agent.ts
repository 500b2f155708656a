import { randomUUID } from "node:crypto";
import type { Model, ToolChoice } from "../model/port.ts";
import { offersFor } from "../policy/grants.ts";
import type { GrantBook, Mode, Policy } from "../policy/types.ts";
import type { Journal, SessionRow, Store } from "../store/types.ts";
import type { JsonObject, Sha } from "../tools/contract/json.ts";
import type { SeenFiles, Tool } from "../tools/contract/tool.ts";
import { createToolRegistry } from "../tools/registry.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { type Live, openLive } from "./live.ts";
import { createRenderer } from "./render.ts";
import type { Runtime } from "./runtime.ts";
import type { Session } from "./session.ts";
import { SessionDriver } from "./session-driver.ts";
import { newSessionId } from "./session-id.ts";

/** All that an agent is put together from; each part comes in by hand. */
export interface AgentParts {
  openStore(): Promise<Store>;
  tools(at: { workspace: string }): Tool[];
  openModel(spec: string): Promise<Model>;
  /** Rules and grants in force for this session, now. */
  loadPolicy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  grants: GrantBook;
  /** Where the grants are kept, as the dialog names it. */
  grantFile: string;
  systemPrompt(at: { workspace: string; tools: readonly Tool[] }): Promise<string>;
  clock(): number;
  /** Steps a turn may take. */
  maxSteps: number;
  toolChoice?: ToolChoice;
  config?: JsonObject;
}

export interface StartOptions {
  /** Absolute, symlinks resolved. */
  workspace: string;
  model: string;
  mode: Mode;
  /** Names the new session; a free one is made otherwise. */
  id?: string;
}

export interface ResumeOptions {
  mode: Mode;
  model?: string;
  takeOver?: boolean;
}

export interface Agent {
  /** A new session; nothing is stored before its first message. */
  start(options: StartOptions): Session;
  /** An old one, whose lease is taken. Emits `session_restored`; `proceed` goes on. */
  resume(row: SessionRow, options: ResumeOptions): Promise<ResumedSession>;
}

export interface ResumedSession extends Session {
  /** Goes on with what waited, was cut off or queued. @returns false when there was nothing. */
  proceed(): Promise<boolean>;
}

export function createAgent(parts: AgentParts): Agent {
  return {
    start(options) {
      const id = options.id ?? newSessionId();
      const stream = createEventStream(id, parts.clock);
      const { workspace, model, mode } = options;
      stream.emit({ type: "session_started", model, workspace, mode });
      const create = async (store: Store) => store.sessions.create({ id, workspace, model, title: "" });
      return drive(parts, { id, workspace, model, mode, stream, before: create });
    },
    async resume(row, options) {
      const stream = createEventStream(row.id, parts.clock);
      const model = options.model ?? row.model;
      const session = drive(parts, {
        id: row.id,
        workspace: row.workspace,
        model,
        mode: options.mode,
        stream,
        takeOver: options.takeOver ?? false,
        before: async () => undefined,
      });
      await session.restore();
      return session;
    },
  };
}

interface Opening {
  id: string;
  workspace: string;
  model: string;
  mode: Mode;
  stream: EventStream;
  takeOver?: boolean;
  before(store: Store): Promise<void>;
}

function drive(parts: AgentParts, opening: Opening): SessionDriver {
  const tools = parts.tools({ workspace: opening.workspace });
  return new SessionDriver({
    id: opening.id,
    workspace: opening.workspace,
    mode: opening.mode,
    maxSteps: parts.maxSteps,
    stream: opening.stream,
    openModel: parts.openModel,
    open: () => open(parts, opening, tools),
    dispose: async () => {
      for (const tool of tools) await tool.dispose?.();
    },
  });
}

async function open(parts: AgentParts, opening: Opening, tools: Tool[]): Promise<Live> {
  const [store, model] = await Promise.all([parts.openStore(), parts.openModel(opening.model)]);
  await opening.before(store);
  const lease = await store.acquire(opening.id, { takeOver: opening.takeOver ?? false });
  const journal = store.journal(lease);
  return openLive(runtimeOf(parts, opening, tools, journal, model), lease, store);
}

function runtimeOf(parts: AgentParts, opening: Opening, tools: Tool[], journal: Journal, model: Model): Runtime {
  const { id, workspace } = opening;
  let prompt: Promise<string> | undefined;
  return {
    sessionId: id,
    workspace,
    journal,
    model,
    mode: opening.mode,
    registry: createToolRegistry(tools),
    renderer: createRenderer((callId) => journal.call(callId)),
    seen: seenFiles(journal),
    services: {},
    config: parts.config ?? {},
    toolChoice: parts.toolChoice ?? "auto",
    signal: new AbortController().signal,
    ending: null,
    budget: { taken: 0, max: parts.maxSteps },
    changes: new Map(),
    clock: parts.clock,
    emit: opening.stream.emit,
    // One prompt a process: a history whose first lines change costs the provider's cache.
    systemPrompt: () => {
      prompt ??= parts.systemPrompt({ workspace, tools });
      return prompt;
    },
    policy: (mode) => parts.loadPolicy({ session: id, workspace, mode }),
    offers: (facts, policy) => offersFor(facts, policy, { session: id, workspace, grantFile: parts.grantFile }),
    addGrant: (grant) => parts.grants.add(grant),
    newGrantId: () => randomUUID().slice(0, 8),
  };
}

/** What this session last saw of each file, from the results of its settled calls. */
function seenFiles(journal: Journal): SeenFiles {
  const seen = new Map<string, Sha>();
  for (const call of journal.allCalls()) {
    const metadata = call.status === "success" ? call.result.metadata : undefined;
    const path = metadata?.["path"];
    const sha = metadata?.["sha"];
    if (typeof path === "string" && typeof sha === "string") seen.set(path, sha);
  }
  return {
    last: (real) => seen.get(real),
    note: (real, sha) => {
      seen.set(real, sha);
    },
  };
}
