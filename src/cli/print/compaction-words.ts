import { countText } from "../../core/count-text.ts";
import type { AgentEvent } from "../../graph/events.ts";
import { run as words } from "../../words/en/run.ts";

type Told = Extract<AgentEvent, { type: "compaction_started" | "compaction_done" }>;

/** Puts an event of a summary, which takes the place of a talk, in words for a person; not safe to draw. */
export function compactionWords(event: Told): string {
  if (event.type === "compaction_started") return words().sumsUp({ tokens: countText(event.contextUsed) });
  if (!event.ok) return words().notSummedUp({ why: String(event.error) });
  return words().summedUp({ after: countText(event.after), before: countText(event.before) });
}
