import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { CompiledStateGraph, getConfig, isCommand } from "@langchain/langgraph";
import type { AgentGraph } from "../../graph/compile-graph.ts";

type Configurable = Readonly<Record<string, unknown>>;

/** A run that is about to begin. */
export interface RunStart {
  configurable: Configurable;
  /** The one that this run is kept by. */
  checkpointer: BaseCheckpointSaver | undefined;
}

/** Called before LangGraph reads or writes anything of a run. @returns what is to be called at its end @throws to refuse the run */
export type BeginRun = (start: RunStart) => Promise<() => void>;

type Stream = AgentGraph["_streamIterator"];

// As LangGraph's `withConfig` makes one graph of another.
const Compiled = CompiledStateGraph as unknown as new (fields: object) => AgentGraph;

/** The graph of threads that LangGraph drives alone. Each way to run it, and each copy that LangGraph makes of it, begins with `beginRun`. */
export class ThreadGraph extends Compiled {
  readonly beginRun: BeginRun;

  constructor(fields: Record<string, unknown> & { beginRun: BeginRun }) {
    super(fields);
    this.beginRun = fields.beginRun;
  }

  override async *_streamIterator(...[input, options]: Parameters<Stream>): ReturnType<Stream> {
    checkInput(input);
    const configurable = { ...getConfig()?.configurable, ...this.config?.configurable, ...options?.configurable };
    const end = await this.beginRun({ configurable, checkpointer: checkpointerOf(this.checkpointer, configurable) });
    try {
      yield* super._streamIterator(input, options);
    } finally {
      end();
    }
  }
}

/** As LangGraph chooses it: a graph that is a node of another one is kept by that one's. */
function checkpointerOf(own: AgentGraph["checkpointer"], configurable: Configurable): BaseCheckpointSaver | undefined {
  if (own === false) return undefined;
  const lent = configurable["__pregel_checkpointer"] as BaseCheckpointSaver | undefined;
  return lent ?? (own === true ? undefined : own);
}

/** Checks that the input of a run has words and answers alone: the progress of a session is told by its own work. @throws TypeError */
function checkInput(input: unknown): void {
  const given: unknown = isCommand(input) ? input.update : input;
  if (typeof given !== "object" || given === null) return;
  const keys = Array.isArray(given) ? given.map((pair: unknown) => String([pair].flat()[0])) : Object.keys(given);
  const other = keys.filter((key) => key !== "messages");
  if (other.length === 0) return;
  throw new TypeError(`a run of the agent takes { messages }, and not ${other.join(", ")}: nothing was written`);
}
