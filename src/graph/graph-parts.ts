import type { JsonObject } from "../core/json.ts";
import type { Tool } from "../core/tool.ts";
import type { Model, ToolChoice } from "../model/port.ts";
import type { Mode, Policy } from "../policy/types.ts";
import type { Store } from "../store/types.ts";
import type { AgentEventBody } from "./events.ts";
import type { Run, SessionRuntime } from "./runtime.ts";
import type { Prompt } from "./talk/prompt/make-prompt.ts";

/** What a graph is made of that LangGraph alone drives; a thread is a session. */
export interface GraphParts {
  /** Absolute, symlinks resolved. */
  workspace: string;
  model: Model | (() => Promise<Model>);
  /** The default tools where it is left out. */
  tools?: readonly Tool[];
  /** Rules in force now; by default none, so that the risk table decides. */
  policy?(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  /** Default `ask`. */
  mode?: Mode;
  /** Its text, or what `gatherPrompt` makes; what is told of it becomes a notice. */
  systemPrompt?(): Promise<string | Prompt>;
  /**
   * Holds the journal of each thread, whose lease is taken at its first step and kept until the store is closed. Without it
   * the journal is in memory.
   */
  store?: Store;
  /** Steps from one message of the person to the end of its turn, at the most. Default 50. */
  maxSteps?: number;
  /** Characters of an observation that the model gets, false for all; 30,000 by default, and no tool's own limit is above it. */
  maxObserve?: number | false;
  /** Whether a talk that is too long for the model's window is cut by itself. Default true. */
  compact?: boolean;
  toolChoice?: ToolChoice;
  /** The model is offered tools by which it ends a turn; with `toolChoice: "required"` it always is. */
  endTools?: boolean;
  /** Milliseconds that a call may take whose tool says no time of its own. Default ten minutes. */
  toolTimeoutMs?: number;
  config?: JsonObject;
  services?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  clock?(): number;
  /** Gets what happens, as a session's stream tells it, but for questions: those are the interrupt's value. Must not throw. */
  emit?(thread: string, body: AgentEventBody): void;
  reportDefect?(error: unknown): void;
}

/** The session of a run and, where its driver says it, how it is to run. */
export interface Thread {
  session: SessionRuntime;
  run: Run;
}
