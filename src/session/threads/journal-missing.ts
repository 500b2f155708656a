import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, type CheckpointTuple, MemorySaver } from "@langchain/langgraph-checkpoint";
import type { ToolCallInfo } from "../../core/call.ts";
import { parseStep } from "../../core/step-id.ts";
import type { AgentStateValue } from "../../graph/state.ts";
import type { JournalReading, Store } from "../../store/types.ts";
import { threadRefusals } from "../../words/contract/threads.ts";

/** Any of LangGraph's. */
export type Checkpointer = BaseCheckpointSaver;

/**
 * The journal does not have what a thread's checkpoint tells of, or would not have it in the next process: what was approved there, and
 * what was done, is then known to nobody. Thrown before anything is written or resumed.
 */
export class JournalMissing extends Error {
  override readonly name = "JournalMissing";
}

export const inMemory = ({ file }: Pick<Store, "file">): boolean => file === ":memory:";

/**
 * Tells whether the contents of a checkpointer outlive its process: those of each but LangGraph's own MemorySaver do. One that is made from it
 * may write its contents to a file, as LangGraph's server does.
 */
export const isDurable = (checkpointer: BaseCheckpointSaver): boolean =>
  Object.getPrototypeOf(checkpointer) !== MemorySaver.prototype;

export const noDurableJournal = (): JournalMissing => new JournalMissing(threadRefusals.noDurableJournal);

const notThere = (thread: string, what: string, { file }: Pick<Store, "file">): JournalMissing =>
  new JournalMissing(threadRefusals.notInJournal({ thread, what, file }));

type Told = Partial<Pick<AgentStateValue, "turn" | "messages" | "pendingToolCalls" | "completedToolCalls">>;

// Keeps session 7.
/** @throws JournalMissing where the checkpoint knows of a turn, a reply or a call that the journal does not have. */
export function checkJournal(store: Store, thread: string, saved: CheckpointTuple): void {
  const journal = store.sessions.get(thread) === undefined ? undefined : store.readJournal(thread);
  const told = toldIn(saved);
  const lack = journal === undefined ? firstOf(told) : lackOf(journal, told);
  if (lack !== undefined) throw notThere(thread, lack, store);
}

/** The same of a node's own state. @throws JournalMissing */
export function checkCalls(store: Store, journal: JournalReading, calls: readonly ToolCallInfo[]): void {
  const unknown = calls.find((call) => !isKnown(journal, call));
  if (unknown !== undefined) throw notThere(journal.session, `call ${unknown.callId}`, store);
}

/** Lists the values of the checkpoint, and those that nodes wrote after it whose superstep was not seen to end. */
function toldIn({ checkpoint, pendingWrites = [] }: CheckpointTuple): Told[] {
  const written = pendingWrites.map(([, channel, value]): Told => ({ [channel]: value }));
  return [checkpoint.channel_values as Told, ...written];
}

const firstOf = (told: readonly Told[]): string | undefined =>
  told.map(({ turn = 0 }) => turn).some((turn) => turn > 0) || told.some((one) => callsIn(one).length > 0)
    ? `turn ${Math.max(1, ...told.map(({ turn = 0 }) => turn))}`
    : undefined;

function lackOf(journal: JournalReading, told: readonly Told[]): string | undefined {
  const turn = Math.max(0, ...told.map((one) => one.turn ?? 0));
  const messages = told.flatMap((one) => listOf(one.messages));
  if (turn > 0 && !hasTurn(journal, turn, messages)) return `turn ${turn}`;
  const reply = messages.findLast(isReply)?.id;
  if (reply !== undefined && journal.findReply(parseStep(reply.slice(1))) === undefined) return `the reply ${reply}`;
  const unknown = told.flatMap(callsIn).find((call) => !isKnown(journal, call));
  return unknown === undefined ? undefined : `call ${unknown.callId}`;
}

const hasTurn = (journal: JournalReading, turn: number, messages: readonly BaseMessage[]): boolean => {
  const row = journal.turns().find((one) => one.turn === turn);
  return row !== undefined && messages.some(({ id }) => id === row.messageId);
};

/** A message of the model that this agent stored. */
const isReply = (message: BaseMessage): boolean => message.getType() === "ai" && /^m\d+\.\d+$/.test(message.id ?? "");

/** A write of what a program has brought may be any form of a message. */
const listOf = (messages: unknown): BaseMessage[] => [messages].flat().filter(isBaseMessage);

const callsIn = ({ pendingToolCalls = [], completedToolCalls = [] }: Told): ToolCallInfo[] => [
  ...pendingToolCalls,
  ...completedToolCalls,
];

/** A call of another journal may have the same id. */
function isKnown(journal: JournalReading, { callId, toolName, times }: ToolCallInfo): boolean {
  const known = journal.call(callId);
  return known?.toolName === toolName && known.times.proposed === times.proposed;
}
