import { interrupt } from "@langchain/langgraph";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { split } from "./split.ts";

/**
 * A bare wait for the person. LangGraph runs a node again from its first line when it is resumed, and `interrupt` throws:
 * so nothing stands before it and nothing catches it. The answers are journal rows by then.
 */
export function awaitApproval(runtime: Runtime, state: AgentStateValue): AgentStateUpdate {
  interrupt({ kind: "approval", step: stepIdOf(state) });
  return split(runtime.journal.callsOf(stepIdOf(state)));
}
