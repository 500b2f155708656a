import type { Runtime } from "../runtime.ts";
import type { AgentStateUpdate, AgentStateValue } from "../state.ts";
import { writeTurnEnd } from "../turn-end.ts";

/**
 * Writes down how the turn ended, for a graph behind which nobody stands who would. A node of its own, so that what its journal
 * says never comes before the checkpoint that holds the turn's last words: both go to disk together.
 */
export async function endTurn({ journal }: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  await writeTurnEnd(journal, state);
  return {};
}
