import type { JsonObject } from "../core/json.ts";
import type { SeenFiles, ToolContext } from "../core/tool.ts";
import type { Model, ToolChoice } from "../model/port.ts";
import type { CallFacts, Grant, GrantOffer, Mode, Policy } from "../policy/types.ts";
import type { Journal } from "../store/types.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { PreparedCall } from "./calls/prepare.ts";
import type { Change } from "./calls/present.ts";
import type { AgentEventBody } from "./events.ts";
import type { StepBudget } from "./routes.ts";
import type { Ending } from "./state.ts";
import type { Renderer } from "./talk/render.ts";

/** All that the nodes of one session work with; made once when the session is opened, handed to each node by hand. */
export interface Runtime {
  readonly sessionId: string;
  /** Absolute, symlinks resolved. */
  readonly workspace: string;
  readonly journal: Journal;
  readonly registry: ToolRegistry;
  readonly renderer: Renderer;
  readonly seen: SeenFiles;
  readonly services: Record<string, unknown>;
  readonly config: JsonObject;
  readonly toolChoice: ToolChoice;
  /** A fresh one for each run of the graph. */
  signal: AbortSignal;
  /** The process is about to leave: what runs is ended, the turn is not; it goes on when the session is resumed. */
  leaving: boolean;
  /** Steps a run may take. */
  readonly maxSteps: number;
  /** Set from outside while the turn is to end at its next observation. */
  ending: Ending | null;
  budget: StepBudget;
  model: Model;
  mode: Mode;
  /** Calls whose published digest was replaced while the graph ran; taken when the person is asked. */
  readonly changes: Map<string, Change>;
  /** Calls of the step under way as they were last prepared in this process, by callId. */
  readonly prepared: Map<string, PreparedCall>;
  clock(): number;
  emit(body: AgentEventBody): void;
  reportDefect(error: unknown): void;
  systemPrompt(): Promise<string>;
  /** Rules and grants in force now, with the mode given. */
  policy(mode: Mode): Promise<Policy>;
  offers(facts: CallFacts, policy: Policy): GrantOffer[];
  addGrant(grant: Grant): Promise<void>;
}

/** The context that one call's methods get. */
export function toolContext(runtime: Runtime, call: { callId: string; stepId: string }): ToolContext {
  return {
    workspace: runtime.workspace,
    cwd: runtime.workspace,
    sessionId: runtime.sessionId,
    callId: call.callId,
    stepId: call.stepId,
    signal: runtime.signal,
    config: runtime.config,
    services: runtime.services,
    seen: runtime.seen,
    extra: {},
    noteChild: (child) => runtime.journal.noteChild(call.callId, child),
    progress: (progress) => runtime.emit({ type: "tool_progress", callId: call.callId, phase: "running", ...progress }),
  };
}
