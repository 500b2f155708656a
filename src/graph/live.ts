import { Command } from "@langchain/langgraph";
import type { Lease, Store, TurnRow } from "../store/types.ts";
import { type AgentGraph, buildGraph, superstepsPerStep } from "./build-graph.ts";
import type { Runtime } from "./runtime.ts";
import type { AgentStateValue } from "./state.ts";

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
  /** Starts a turn with its human message, or goes on where the graph stands. Resolves when it ended or waits. */
  run(how: "turn" | "resume" | "again", turn?: TurnRow): Promise<Standing>;
}

export async function openLive(runtime: Runtime, lease: Lease, store: Store): Promise<Live> {
  const graph = buildGraph(runtime, store.saver);
  const config = { configurable: { thread_id: runtime.sessionId } };
  let standing = await read(graph, config);

  type Input = Parameters<AgentGraph["invoke"]>[0];
  const inputOf = (how: "turn" | "resume" | "again", turn?: TurnRow): Input => {
    if (how === "resume") return standing.waits ? new Command({ resume: { answered: true } }) as Input : null;
    if (how === "again" || turn === undefined) return { ending: null, repetition: null };
    const message = runtime.journal.turnMessage(turn.turn);
    return { messages: [message], turn: turn.turn, step: 1, ending: null, repetition: null };
  };

  return {
    runtime,
    lease,
    standing: () => standing,
    async run(how, turn) {
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
