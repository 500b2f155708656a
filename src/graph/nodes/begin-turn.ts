import type { BaseMessage } from "@langchain/core/messages";
import { settleOpen } from "../calls/asking.ts";
import type { Runtime } from "../runtime.ts";
import { type AgentStateValue, stepIdOf } from "../state.ts";
import { textOf, titleOf } from "../talk/message-text.ts";

type Begun = Partial<Pick<AgentStateValue, "turn" | "step" | "ending">>;

/**
 * The turn that the person's last message begins. One that the session has acknowledged is in the journal; one that came
 * with the graph's input alone is written there first. @returns nothing where the turn is under way already.
 */
export async function beginTurn(runtime: Runtime, state: AgentStateValue): Promise<Begun> {
  const message = state.messages.at(-1);
  if (message?.getType() !== "human") return {};
  const known = runtime.journal.turns().findLast((turn) => turn.messageId === message.id);
  const turn = known?.turn ?? (await addTurn(runtime, state, message));
  return turn === state.turn ? {} : { turn, step: 1, ending: null };
}

/** What an older turn left open is settled, as when a session gets a new message instead of an answer. */
async function addTurn(runtime: Runtime, state: AgentStateValue, message: BaseMessage): Promise<number> {
  const { journal } = runtime;
  const older = journal.turns().filter((turn) => turn.state === "running");
  const text = textOf(message);
  const { turn } = await journal.addTurn({ text, message, queued: false, title: titleOf(text) });
  await journal.setState("running");
  if (state.turn > 0) await settleOpen(runtime, stepIdOf(state));
  for (const left of older) await journal.setTurn(left.turn, "done", left.reason ?? "superseded");
  return turn;
}
