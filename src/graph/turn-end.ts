import { faultPoint } from "../core/fault-point.ts";
import { endFailure } from "./end-failure.ts";
import type { TurnReason } from "./events.ts";
import { limitMet } from "./limit-met.ts";
import type { Runtime } from "./runtime.ts";
import { type AgentStateValue, type Ending, isAskedOn } from "./state.ts";

const failures: ReadonlySet<Ending> = new Set(["cut", "empty_reply", "unread_call", "no_call", "no_output"]);
/** The model may do better when it is asked again. */
const passing: ReadonlySet<Ending> = new Set(["cut", "empty_reply", "unread_call"]);

/** How a turn ended whose graph went through to LangGraph's end. */
export function reasonOf(state: Pick<AgentStateValue, "ending" | "messages" | "turn" | "step">): TurnReason {
  const { ending } = state;
  if (ending === "stuck") return "stuck";
  if (ending !== null && failures.has(ending)) return "failed";
  if (ending === "max_cost" || ending === "max_steps") return ending;
  if (ending === "cancelled" || ending === "superseded") return "cancelled";
  const isUnfinished = state.messages.at(-1)?.getType() === "tool" || isAskedOn(state);
  return ending === null && isUnfinished ? "max_steps" : "done";
}

/**
 * The end of a turn whose graph went through: writes down how it ended, and tells why where it failed. One that ran out of steps or money, or
 * whose replies were cut off, empty or not to be read, can be continued.
 * @returns how
 */
export async function endTurn(runtime: Runtime, values: AgentStateValue): Promise<TurnReason> {
  const { journal, emit } = runtime;
  const reason = reasonOf(values);
  const { ending } = values;
  const goesOn = reason === "max_steps" || reason === "max_cost" || (ending !== null && passing.has(ending));
  faultPoint("before turn end written");
  const noted = limitMet(runtime, values, reason) === "own" ? (`own_${reason}` as const) : reason;
  await journal.setTurn(values.turn, goesOn ? "running" : "done", noted);
  await journal.setState("idle");
  faultPoint("after turn end written");
  const failure = endFailure(runtime, values, reason);
  if (failure !== undefined) emit({ type: "error", ...failure });
  return reason;
}
