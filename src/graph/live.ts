import { randomUUID } from "node:crypto";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { Lease, Store, TurnRow } from "../store/types.ts";
import { type Answered, addLostGrants, answerCall } from "./answers.ts";
import { askAgain, askPerson, settleOpen } from "./asking.ts";
import { type AgentGraph, buildGraph, superstepsPerStep } from "./build-graph.ts";
import type { RecoveryChoice, TranscriptEntry } from "./events.ts";
import { recoverCall } from "./recover.ts";
import type { Runtime } from "./runtime.ts";
import type { AnswerOutcome, CallDecision } from "./session.ts";
import { type AgentStateValue, stepIdOf } from "./state.ts";
import { textOf, transcriptOf } from "./transcript.ts";
import type { Change } from "./waiting.ts";

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
  /** What was said and done so far. */
  transcript(): TranscriptEntry[];
  /** The words of the last message, where the assistant said it. */
  lastWords(): string;
  answer(callId: string, decision: CallDecision, published: string | undefined): Promise<Answered>;
  recover(callId: string, choice: RecoveryChoice): Promise<AnswerOutcome>;
  /** Publishes what waits for the person. */
  askPerson(changes: ReadonlyMap<string, Change>): Promise<void>;
  /** The same after a pause of any length: plans are made anew where the files have changed since. */
  askAgain(): Promise<void>;
  /** Settles what an older turn left open, because a new message came. */
  leaveTurn(): Promise<void>;
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
    const message = runtime.journal.turnMessage(turn.turn);
    return { messages: [message], turn: turn.turn, step: 1, ending: null, repetition: null };
  };

  const run: Live["run"] = async (how, turn) => {
    const recursionLimit = (runtime.budget.max + 2) * superstepsPerStep;
    try {
      const values = await graph.invoke(inputOf(how, turn), { ...config, durability: "sync", recursionLimit });
      const waits = "__interrupt__" in values;
      standing = { next: waits ? ["waiting"] : [], waits, values };
    } catch (error) {
      standing = await read(graph, config).catch(() => standing);
      throw error;
    }
    return standing;
  };
  const stepId = () => stepIdOf(standing.values);

  return {
    runtime,
    lease,
    standing: () => standing,
    run,
    messageOf: (text) => new HumanMessage({ id: `u${randomUUID().slice(0, 8)}`, content: text }),
    transcript: () => transcriptOf(standing.values.messages, runtime.journal),
    lastWords: () => {
      const said = standing.values.messages.at(-1);
      return said?.getType() === "ai" ? textOf(said) : "";
    },
    answer: (callId, decision, published) => answerCall(runtime, stepId(), callId, decision, published),
    recover: (callId, choice) => recoverCall(runtime, callId, choice),
    askPerson: (changes) => askPerson(runtime, stepId(), changes),
    askAgain: () => askAgain(runtime, stepId()),
    leaveTurn: async () => {
      if (standing.next.length === 0 || !(await settleOpen(runtime, stepId()))) return;
      runtime.ending = "superseded";
      try {
        await run("resume");
      } finally {
        runtime.ending = null;
      }
    },
  };
}

async function read(graph: AgentGraph, config: { configurable: { thread_id: string } }): Promise<Standing> {
  const snapshot = await graph.getState(config);
  const values = snapshot.values as Partial<AgentStateValue>;
  return {
    next: snapshot.next,
    waits: snapshot.tasks.some((task) => task.interrupts.length > 0),
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
