import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { compileGraph, superstepsPerStep } from "../../graph/compile-graph.ts";
import { type BeginRun, ThreadGraph } from "./thread-graph.ts";
import { type ThreadParts, Threads } from "./threads.ts";

/**
 * Makes graphs over the same sessions: one for each that wants to set its own checkpointer.
 * @param mostSteps of a turn, in any workspace
 */
export function threadGraphs(
  parts: ThreadParts,
  mostSteps: number,
): (checkpointer?: BaseCheckpointSaver) => ThreadGraph {
  const threads = new Threads(parts);
  const recursionLimit = (mostSteps + 2) * superstepsPerStep;
  const compiled = compileGraph((config, state) => threads.of(config, state));
  return (checkpointer) => {
    const beginRun: BeginRun = (start) => threads.begin(start);
    const made = new ThreadGraph({ ...compiled, config: { ...compiled.config, recursionLimit }, beginRun });
    if (checkpointer !== undefined) made.checkpointer = checkpointer;
    return made;
  };
}
