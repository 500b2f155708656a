import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { advance, type CallOf, isFinal, type ToolCallInfo } from "../core/call.ts";
import type { Sha } from "../core/json.ts";
import { hooksGoOn } from "../graph/calls/hooks-asked.ts";
import { callOff } from "../graph/calls/transitions.ts";
import { AgentState } from "../graph/state.ts";
import { endedUntold, followUpOf } from "../graph/talk/follow-up.ts";
import { personCallOf } from "../graph/talk/person-call.ts";
import { imagesIn } from "../graph/talk/show-images.ts";
import { newSessionId } from "../store/sessions/session-id.ts";
import type { ForkSpec, JournalReading, SessionRow, SteerRow, Store } from "../store/types.ts";
import { type RecordedStep, type RecordedTurn, recordedTurns } from "./recorded-turns.ts";

/** The reason of a turn that a fork cut in the middle: like one that ran out of steps, it can be continued. */
export const forkedReason = "forked";

export interface Forked {
  id: string;
  turns: number;
  steps: number;
  calls: number;
  /** The last call that came along, if any did. */
  at?: string;
  /** The turn had not ended there: the model has the next word. */
  goesOn: boolean;
}

/** The place where a session is cut: these turns come along, the last of them perhaps in part. */
interface ForkPoint {
  turns: RecordedTurn[];
  /** The state of the last of them in the new session. */
  lastTurn: ForkSpec["lastTurn"];
  /** The step that would come next in it. */
  nextStep: number;
}

// Keeps records 1.
/**
 * A new session in the same workspace and with the same model, whose conversation is that of `row` up to and including the
 * step of the call `at`, or the last step that is settled. Both go on independently. What waits there is not carried
 * over: it counts as not run. Needs no lease: the origin may be driven meanwhile.
 * @returns undefined where the session has no such call, or no settled step.
 */
export async function forkSession(store: Store, row: SessionRow, at?: string): Promise<Forked | undefined> {
  const point = forkPoint(store.readJournal(row.id), at);
  return point && forkAt(store, row, point, freeId(store));
}

/**
 * The same up to the message that begins a turn, which is left out. With an `id` that was chosen before, it can be begun again after a
 * death and is done once.
 * @returns undefined where there is nothing before that message.
 */
export async function forkBefore(
  store: Store,
  row: SessionRow,
  turn: number,
  id = freeId(store),
): Promise<Forked | undefined> {
  const turns = recordedTurns(store.readJournal(row.id)).filter((one) => one.turn.turn < turn);
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  // What an earlier attempt laid down before it died.
  await store.saver.deleteThread(id);
  const lastTurn = { turn: last.turn.turn, state: "done", reason: last.turn.reason ?? "done" } as const;
  return forkAt(store, row, { turns, lastTurn, nextStep: last.steps.length + 1 }, id);
}

async function forkAt(store: Store, row: SessionRow, point: ForkPoint, id: string): Promise<Forked> {
  const steps = point.turns.flatMap((turn) => turn.steps);
  const calls = steps.flatMap((step) => step.calls);
  const last = calls.at(-1)?.callId;
  await layMessages(store.saver, id, point);
  const spec: ForkSpec = {
    from: row.id,
    id,
    steps: steps.map((step) => step.id),
    steers: steersOf(point).map(({ messageId }) => messageId),
    images: imagesOf(point),
    lastTurn: point.lastTurn,
    at: last ?? null,
    settle: settledByFork,
  };
  try {
    await store.fork(spec);
  } catch (error) {
    // Until then the messages belong to no session; a death here leaves them, and nobody sees them.
    await store.saver.deleteThread(id).catch(() => undefined);
    throw error;
  }
  return {
    id,
    turns: point.turns.length,
    steps: steps.length,
    calls: calls.length,
    ...(last === undefined ? {} : { at: last }),
    goesOn: point.lastTurn.state === "running",
  };
}

function freeId(store: Store): string {
  for (;;) {
    const id = newSessionId();
    if (store.sessions.get(id) === undefined) return id;
  }
}

function forkPoint(journal: JournalReading, at: string | undefined): ForkPoint | undefined {
  const turns = recordedTurns(journal);
  const wanted = ({ calls }: RecordedStep): boolean =>
    at === undefined ? calls.every(isFinal) : calls.some((call) => call.callId === at);
  const index = turns.findLastIndex((turn) => turn.steps.some(wanted));
  const found = turns[index];
  const cut = found?.steps.findLastIndex(wanted) ?? -1;
  const step = found?.steps[cut];
  if (found === undefined || step === undefined) return undefined;
  const steps = found.steps.slice(0, cut + 1);
  const whole = steps.length === found.steps.length;
  const shortened = { ...found, steps, unanswered: whole ? found.unanswered : [] };
  const nextStep = step.calls.length > 0 || goesOnAfter(journal, step) ? step.number + 1 : step.number;
  return { turns: [...turns.slice(0, index), shortened], lastTurn: lastTurnOf(journal, found, step, whole), nextStep };
}

/** Lists the steering messages of turns, as far as they come along. */
const steersOf = ({ turns }: ForkPoint): SteerRow[] =>
  turns.flatMap(({ steps, unanswered }) => [...steps.flatMap(({ steers }) => steers), ...unanswered]);

const imagesOf = (point: ForkPoint): Sha[] =>
  [...point.turns.map(({ message }) => message), ...steersOf(point).map(({ message }) => message)]
    .flatMap(imagesIn)
    .flatMap(({ sha }) => (sha === undefined ? [] : [sha]));

/** These were not the turn's last words, and the model was told so; of an empty reply it is told also where the turn has failed by it. */
function goesOnAfter(journal: JournalReading, { message, id }: RecordedStep): boolean {
  const asked = followUpOf(message);
  if (hooksGoOn(journal, id)) return true;
  return asked !== undefined && (asked.last !== true || endedUntold(asked));
}

/** A turn that was cut in the middle can be continued, like one that ran out of steps. @param whole nothing of it was left out */
function lastTurnOf(
  journal: JournalReading,
  { turn, message }: RecordedTurn,
  step: RecordedStep,
  whole: boolean,
): ForkSpec["lastTurn"] {
  if (whole && turn.state === "done") return { turn: turn.turn, state: "done", reason: turn.reason ?? "done" };
  const isCommand = personCallOf(message) !== undefined;
  if ((step.calls.length === 0 && !goesOnAfter(journal, step)) || isCommand)
    return { turn: turn.turn, state: "done", reason: "done" };
  return { turn: turn.turn, state: "running", reason: forkedReason };
}

/** The graph's state at that point, as the first checkpoint of the new thread. */
async function layMessages(checkpointer: BaseCheckpointSaver, thread: string, point: ForkPoint): Promise<void> {
  // The session's own graph finds a run that is over, with the state that is written here.
  const still = new StateGraph(AgentState)
    .addNode("still", () => ({}))
    .addEdge(START, "still")
    .addEdge("still", END)
    .compile({ checkpointer });
  const messages = point.turns.flatMap(messagesOf);
  const values = { messages, turn: point.lastTurn.turn, step: point.nextStep, ending: null };
  await still.updateState({ configurable: { thread_id: thread } }, values, "still");
}

function messagesOf({ message, steps, unanswered }: RecordedTurn): BaseMessage[] {
  const told = (steers: readonly SteerRow[]) => steers.map((steer) => steer.message);
  const taken = steps.flatMap((step) => [...told(step.steers), step.message, ...step.calls.map(unsaid)]);
  return [message, ...taken, ...told(unanswered)];
}

/** The words come from the new session's own journal, once it is there. */
const unsaid = ({ callId, toolName }: ToolCallInfo): ToolMessage =>
  new ToolMessage({ id: `o-${callId}`, tool_call_id: callId, name: toolName, content: "" });

/** Pure. What never ran counts as not run; what was started and not seen to end stays unknown, and its words say so. */
export function settledByFork(call: ToolCallInfo, at: number): ToolCallInfo[] {
  switch (call.status) {
    case "pending":
    case "awaiting_approval": {
      const times = { decided: at, settled: at };
      const by = { actor: "person", rule: "fork" } as const;
      return [advance(call as CallOf<"pending">, { status: "cancelled", by, ended: { why: "forked" }, times })];
    }
    case "executing": {
      const unseen = advance(call, { status: "interrupted", ended: { why: "unseen" } });
      return [unseen, callOff(unseen, "forked", at).after];
    }
    case "interrupted":
      return [callOff(call, "forked", at).after];
    case "success":
    case "error":
    case "cancelled":
      return [];
  }
}
