import type { BaseMessage } from "@langchain/core/messages";
import { Annotation } from "@langchain/langgraph";
import type { ToolCallInfo } from "../core/call.ts";

/** Why the graph goes to its end instead of to the model. */
export type Ending = "cancelled" | "ends_turn" | "stuck" | "superseded";

/** Equal failing steps in a row: `signature` names the calls and their arguments. */
export interface Repetition {
  signature: string;
  count: number;
}

const last = <T>(initial: () => T) => Annotation<T>({ reducer: (_, next) => next, default: initial });

/**
 * What LangGraph checkpoints. `messages` are append-only and their tool messages carry no text: what the model reads is
 * rendered from the journal. `pendingToolCalls` and `completedToolCalls` are the calls of the step under way.
 */
export const AgentState = Annotation.Root({
  messages: Annotation<BaseMessage[], BaseMessage[]>({
    reducer: (left, right) => (right.length === 0 ? left : [...left, ...right]),
    default: () => [],
  }),
  pendingToolCalls: last<ToolCallInfo[]>(() => []),
  completedToolCalls: last<ToolCallInfo[]>(() => []),
  /** From 1; the turn of the person's message that is being worked on. */
  turn: last(() => 0),
  /** From 1 in the turn. */
  step: last(() => 1),
  ending: last<Ending | null>(() => null),
  repetition: last<Repetition | null>(() => null),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentStateUpdate = typeof AgentState.Update;

/** Names a step in the journal. */
export const stepIdOf = (state: Pick<AgentStateValue, "turn" | "step">): string => `${state.turn}.${state.step}`;
