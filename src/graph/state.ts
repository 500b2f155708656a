import { randomUUID } from "node:crypto";
import { type BaseMessage, type BaseMessageLike, coerceMessageLikeToMessage } from "@langchain/core/messages";
import { Annotation } from "@langchain/langgraph";
import type { ToolCallInfo } from "../core/call.ts";
import type { StepId } from "../core/step-id.ts";
import type { Change } from "./events.ts";
import { stepOf } from "./talk/reply-id.ts";

/** The reason why the graph goes to its end instead of to the model. */
export type Ending =
  | "cancelled"
  | "ends_turn"
  | "stuck"
  | "superseded"
  | "cut"
  /** Twice in a row the model said nothing and called nothing. */
  | "empty_reply"
  /** More often than it was told of, the model's call could not be read. */
  | "unread_call"
  | "max_cost"
  /** With what its calls drove it took as many steps as it may. */
  | "max_steps"
  /** A tool was to be called, and the model said twice that it calls none. */
  | "no_call"
  /** The turn was to end with JSON by a schema, and never did. */
  | "no_output";

const last = <T>(initial: () => T) => Annotation<T>({ reducer: (_, next) => next, default: initial });

/** Names a message of the person. */
export const newMessageId = (): string => `u${randomUUID().slice(0, 8)}`;

/** @throws TypeError for a removal: what was said stays. */
function accepted(given: BaseMessageLike): BaseMessage {
  const message = coerceMessageLikeToMessage(given);
  if (message.getType() === "remove") throw new TypeError("messages are append-only: none of them can be removed");
  message.id ??= newMessageId();
  // What LangChain writes of a message is what stands there.
  message.lc_kwargs["id"] = message.id;
  return message;
}

/** Adds what is new, known by its id. */
function append(before: BaseMessage[], more: BaseMessageLike | BaseMessageLike[]): BaseMessage[] {
  const list = isList(more) ? more : [more];
  if (list.length === 0) return before;
  // A few are added, many times over: no set of all that was said is made for them.
  return [...before, ...list.map(accepted).filter(({ id }) => !before.some((one) => one.id === id))];
}

/** A pair of strings is one message: role and words. */
const isList = (given: BaseMessageLike | BaseMessageLike[]): given is BaseMessageLike[] =>
  Array.isArray(given) && !(given.length === 2 && given.every((part) => typeof part === "string"));

/** A session that a call drives, which waits for the person. */
export interface WaitingChild {
  session: string;
  asks: "approval" | "recovery";
}

/**
 * The state that LangGraph checkpoints. `messages` are append-only; what the model reads of a call is rendered from the journal, not from its
 * tool message. `pendingToolCalls` and `completedToolCalls` are the calls of the step under way, `changes` those of them whose published plan
 * was replaced, by callId, `waitingChildren` what those of them wait for that are `executing`, by callId.
 */
export const AgentState = Annotation.Root({
  messages: Annotation<BaseMessage[], BaseMessageLike | BaseMessageLike[]>({ reducer: append, default: () => [] }),
  pendingToolCalls: last<ToolCallInfo[]>(() => []),
  completedToolCalls: last<ToolCallInfo[]>(() => []),
  changes: last<Record<string, Change>>(() => ({})),
  waitingChildren: last<Record<string, WaitingChild[]>>(() => ({})),
  /** From 1; the turn of the person's message that is being worked on. */
  turn: last(() => 0),
  /** From 1 in the turn. */
  step: last(() => 1),
  ending: last<Ending | null>(() => null),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentStateUpdate = typeof AgentState.Update;

/** Tells whether the model is to say more after its last words, by itself: it stands at the step behind theirs. */
export function isAskedOn({ messages, turn, step }: Pick<AgentStateValue, "messages" | "turn" | "step">): boolean {
  const last = messages.at(-1);
  const said = last?.getType() === "ai" ? stepOf(last) : undefined;
  return said !== undefined && said.turn === turn && said.step < step;
}

/** The step under way. */
export const stepIdOf = ({ turn, step }: StepId): StepId => ({ turn, step });
