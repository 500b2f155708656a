import { randomUUID } from "node:crypto";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { undoToolName } from "../core/call.ts";
import { type Answered, addLostGrants, answerCall } from "../graph/calls/answers.ts";
import { askAgain, askPerson, settleOpen } from "../graph/calls/asking.ts";
import type { Change } from "../graph/calls/present.ts";
import { recoverCall } from "../graph/calls/recover.ts";
import { type AgentGraph, buildGraph, superstepsPerStep } from "../graph/create-graph.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { RecoveryChoice } from "../graph/events.ts";
import type { Runtime } from "../graph/runtime.ts";
import { type AgentStateValue, stepIdOf } from "../graph/state.ts";
import { textOf } from "../graph/talk/message-text.ts";
import { contextUsed } from "../graph/talk/message-usage.ts";
import { commandMessage } from "../graph/talk/person-call.ts";
import { type History, historyOf } from "../records/history.ts";
import type { UndoTarget } from "../records/undo.ts";
import { type Chosen, chooseUndo } from "../records/undo.ts";
import type { Lease, Store, TurnRow } from "../store/types.ts";

/** Where the graph of a session stands, as far as its driver must know. */
export interface Standing {
  /** The nodes that would run next; empty at the end of a turn. */
  next: readonly string[];
  /** It waits in `human_approval` or `recovery`. */
  waits: boolean;
  values: AgentStateValue;
}

/** A session that this process holds: its lease, its runtime and its graph. */
export interface Live {
  readonly runtime: Runtime;
  readonly lease: Lease;
  standing(): Standing;
  /** A message of the person, for the graph's state. */
  messageOf(text: string): BaseMessage;
  /** The calls that are to be taken back, and the person's command for it. */
  undo(target: UndoTarget): (Extract<Chosen, { ok: true }> & { message: BaseMessage }) | Extract<Chosen, { ok: false }>;
  /** What was said and done so far, or about the last `most` messages and calls of it. */
  transcript(most?: number): History;
  /** The words of the last message, where the assistant said it. */
  lastWords(): string;
  /** Tokens that the conversation took at the model's last reply, where its server told them. */
  contextUsed(): number | undefined;
  answer(callId: string, decision: CallDecision, published: string | undefined): Promise<Answered>;
  recover(callId: string, choice: RecoveryChoice): Promise<AnswerOutcome>;
  /** Publishes what waits for the person. */
  askPerson(changes: ReadonlyMap<string, Change>): Promise<void>;
  /** The same after a pause of any length: plans are made anew where the files have changed since. */
  askAgain(): Promise<void>;
  /** Settles what this turn left open, because a new message came. */
  leaveTurn(turn: number): Promise<void>;
  /** Starts a turn with its human message, or goes on where the graph stands. Resolves when it ended or waits. */
  run(how: "turn" | "resume" | "again", turn?: TurnRow): Promise<Standing>;
}

export async function openLive(runtime: Runtime, lease: Lease, store: Store): Promise<Live> {
  const graph = buildGraph(runtime, store.saver);
  const config = { configurable: { thread_id: runtime.sessionId } };
  await addLostGrants(runtime);
  let standing = await read(graph, config);

  type Input = Parameters<AgentGraph["invoke"]>[0];
  const inputOf = (how: "turn" | "resume" | "again", turn?: TurnRow): Input => {
    if (how === "resume") return standing.waits ? (new Command({ resume: { answered: true } }) as Input) : null;
    if (how === "again" || turn === undefined) return { ending: null, repetition: null };
    // A prompt that was acknowledged and left before the graph had it is part of the conversation all the same.
    const unheard = runtime.journal
      .turns()
      .filter(
        (one) =>
          one.turn === turn.turn || (one.turn > standing.values.turn && one.turn < turn.turn && one.state !== "queued"),
      );
    const messages = unheard.map((one) => runtime.journal.turnMessage(one.turn));
    return { messages, turn: turn.turn, step: 1, ending: null, repetition: null };
  };

  const run: Live["run"] = async (how, turn) => {
    const recursionLimit = (runtime.budget.max + 2) * superstepsPerStep;
    // Nodes say what happens by events: nobody asks LangGraph for the whole state after each of them.
    const options = { ...config, durability: "sync", recursionLimit, streamMode: "custom" } as const;
    try {
      for await (const _ of await graph.stream(inputOf(how, turn), options));
    } catch (error) {
      standing = await read(graph, config).catch(() => standing);
      throw error;
    }
    standing = await read(graph, config);
    return standing;
  };
  const stepId = () => stepIdOf(standing.values);

  return {
    runtime,
    lease,
    standing: () => standing,
    run,
    messageOf: (text) => new HumanMessage({ id: newMessageId(), content: text }),
    undo: (target) => {
      const chosen = chooseUndo(runtime.journal, target);
      if (!chosen.ok) return chosen;
      const call = { name: undoToolName, arguments: { calls: chosen.calls } };
      return { ...chosen, message: commandMessage(newMessageId(), chosen.text, call) };
    },
    transcript: (most) => historyOf(runtime.journal, most),
    contextUsed: () => contextUsed(standing.values.messages),
    lastWords: () => {
      const said = standing.values.messages.at(-1);
      return said?.getType() === "ai" ? textOf(said) : "";
    },
    answer: (callId, decision, published) => answerCall(runtime, stepId(), callId, decision, published),
    recover: (callId, choice) => recoverCall(runtime, callId, choice),
    askPerson: (changes) => askPerson(runtime, changes),
    askAgain: () => askAgain(runtime, stepId()),
    leaveTurn: async (turn) => {
      if (standing.values.turn !== turn || standing.next.length === 0) return;
      if (!(await settleOpen(runtime, stepId()))) return;
      runtime.ending = "superseded";
      try {
        await run("resume");
      } finally {
        runtime.ending = null;
      }
    },
  };
}

const newMessageId = () => `u${randomUUID().slice(0, 8)}`;

async function read(graph: AgentGraph, config: { configurable: { thread_id: string } }): Promise<Standing> {
  const snapshot = await graph.getState(config);
  const values = snapshot.values as Partial<AgentStateValue>;
  return {
    // A task that wrote its result before the process died is no longer in `next`, yet its superstep is not done.
    next: snapshot.tasks.map((task) => task.name),
    waits: snapshot.tasks.some((task) => task.interrupts.length > 0 && snapshot.next.includes(task.name)),
    values: {
      messages: [],
      pendingToolCalls: [],
      completedToolCalls: [],
      turn: 0,
      step: 1,
      ending: null,
      repetition: null,
      ...values,
    },
  };
}
