import type { Journal } from "../store/types.ts";
import type { TurnReason } from "./events.ts";
import type { AgentStateValue } from "./state.ts";
import { cutOf } from "./talk/cut-reply.ts";

/** How a turn ended whose graph went through to LangGraph's end. */
export function reasonOf({ ending, messages }: Pick<AgentStateValue, "ending" | "messages">): TurnReason {
  if (ending === "stuck") return "stuck";
  if (ending === "cut") return "failed";
  if (ending === "max_cost") return "max_cost";
  if (ending === "cancelled" || ending === "superseded") return "cancelled";
  const last = messages.at(-1);
  const isUnfinished = last?.getType() === "tool" || cutOf(last) !== undefined;
  return ending === null && isUnfinished ? "max_steps" : "done";
}

const goesOn: ReadonlySet<TurnReason> = new Set(["max_steps", "max_cost", "failed"]);

/** Writes down that a turn ended. One that ran out of steps or money, or whose replies were cut off, can be continued. */
export async function writeTurnEnd(journal: Journal, turn: number, reason: TurnReason): Promise<void> {
  await journal.setTurn(turn, goesOn.has(reason) ? "running" : "done", reason);
  await journal.setState("idle");
}
