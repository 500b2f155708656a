import type { AgentEvent } from "../../graph/events.ts";
import { run as words } from "../../words/en/run.ts";

type Told = Extract<AgentEvent, { type: "compaction_started" | "compaction_done" }>;

const counted = (tokens: number): string => tokens.toLocaleString("en-US");

/** What a person is told of a summary that takes the place of a talk; not safe to draw. */
export function compactionWords(event: Told): string {
  if (event.type === "compaction_started") return words().sumsUp({ tokens: counted(event.contextUsed) });
  if (!event.ok) return words().notSummedUp({ why: String(event.error) });
  return words().summedUp({ after: counted(event.after), before: counted(event.before) });
}
