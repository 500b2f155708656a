import { endFailure } from "../end-failure.ts";
import type { Runtime } from "../runtime.ts";
import type { AgentStateUpdate, AgentStateValue } from "../state.ts";
import { writeTurnEnd } from "../turn-end.ts";

/**
 * Writes down how the turn ended, and says why it failed, for a graph behind which nobody stands who would. A node of its own, so that what its journal
 * says never comes before the checkpoint that holds the turn's last words: both go to disk together.
 */
export async function endTurn(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const reason = await writeTurnEnd(runtime.journal, state);
  const failure = endFailure(runtime, state, reason);
  if (failure !== undefined) runtime.emit({ type: "error", ...failure });
  return {};
}
