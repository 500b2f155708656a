import { interrupt } from "@langchain/langgraph";
import type { Runtime } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { split } from "./split.ts";

/** A bare wait, as in `awaitApproval`: the person says what becomes of calls whose end was not seen. */
export function awaitRecovery(runtime: Runtime, state: AgentStateValue): AgentStateUpdate {
  interrupt({ kind: "recovery", step: stepIdOf(state) });
  return split(runtime.journal.callsOf(stepIdOf(state)));
}
