import type { JsonObject } from "../core/json.ts";
import type { Tool } from "../core/tool.ts";
import type { Model, ToolChoice } from "../model/port.ts";
import type { GrantBook, Mode, Policy } from "../policy/types.ts";
import { newSessionId } from "../store/session-id.ts";
import type { SessionRow, Store } from "../store/types.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import type { Session } from "./session.ts";
import { SessionDriver } from "./session-driver.ts";

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
  /** Steps a run may take, where it differs by workspace as a function of it. */
  maxSteps: number | ((workspace: string) => Promise<number>);
  /** Characters of an observation that the model gets, by workspace; without it, or where it gives none, all of them. */
  maxObserve?(workspace: string): Promise<number | undefined>;
  toolChoice?: ToolChoice;
  config?: JsonObject;
  /** Keeps what is known of a defect that ended a run, for whoever mends it. */
  reportDefect?(error: unknown): void;
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
  /** `session_restored` tells about so many of the last messages and calls, and how many are before them; all by default. */
  mostEntries?: number;
}

export interface Agent {
  /** A new session; nothing is stored before its first message. */
  start(options: StartOptions): Session;
  /**
   * An old one, whose lease is taken. Emits `session_restored`; `proceed` goes on. A model that cannot be opened, for want of a key,
   * fails the turn that asks it: what waits is decided, undone and recovered without.
   */
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
      const create = async (store: Store) => {
        if (store.sessions.get(id) === undefined) await store.sessions.create({ id, workspace, model, title: "" });
      };
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
        lateModel: true,
        before: async () => undefined,
      });
      await session.restore(options.mostEntries);
      return session;
    },
  };
}

/** What a session is opened with. */
export interface Opening {
  id: string;
  workspace: string;
  model: string;
  mode: Mode;
  stream: EventStream;
  takeOver?: boolean;
  /** A model that cannot be opened is no reason not to open the session. */
  lateModel?: boolean;
  before(store: Store): Promise<void>;
}

function drive(parts: AgentParts, opening: Opening): SessionDriver {
  const tools = parts.tools({ workspace: opening.workspace });
  return new SessionDriver({
    id: opening.id,
    workspace: opening.workspace,
    mode: opening.mode,
    stream: opening.stream,
    openModel: parts.openModel,
    chooseModel: (spec) => {
      opening.model = spec;
    },
    open: async () => (await import("./open-session.ts")).openSessionLive(parts, opening, tools),
    dispose: async () => {
      for (const tool of tools) await tool.dispose?.();
    },
  });
}
