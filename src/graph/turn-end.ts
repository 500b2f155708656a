import type { Journal } from "../store/types.ts";
import type { TurnReason } from "./events.ts";
import type { AgentStateValue } from "./state.ts";

/** How a turn ended whose graph went through to LangGraph's end. */
export function reasonOf({ ending, messages }: Pick<AgentStateValue, "ending" | "messages">): TurnReason {
  if (ending === "stuck") return "stuck";
  if (ending === "cancelled" || ending === "superseded") return "cancelled";
  const isUnfinished = messages.at(-1)?.getType() === "tool";
  return ending === null && isUnfinished ? "max_steps" : "done";
}

/** Writes down that a turn ended. One that only ran out of steps can be continued. */
export async function writeTurnEnd(journal: Journal, turn: number, reason: TurnReason): Promise<void> {
  await journal.setTurn(turn, reason === "max_steps" ? "running" : "done", reason);
  await journal.setState("idle");
}
