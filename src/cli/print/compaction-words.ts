import type { AgentEvent } from "../../graph/events.ts";

type Told = Extract<AgentEvent, { type: "compaction_started" | "compaction_done" }>;

const tokens = (count: number): string => `${count.toLocaleString("en-US")} tokens`;

/** What a person is told of a summary that takes the place of a talk; not safe to draw. */
export function compactionWords(event: Told): string {
  if (event.type === "compaction_started")
    return `the model sums up the talk so far, which takes about ${tokens(event.contextUsed)}`;
  if (!event.ok) return `the talk was not summed up: ${event.error}`;
  return `the talk is summed up: about ${tokens(event.after)}, ${tokens(event.before)} before; all of it is kept, and /undo compact shows it to the model again`;
}
