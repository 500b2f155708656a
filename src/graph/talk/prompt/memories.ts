import { isToldIn, memoryHeading } from "../../../tools/memory/memory-line.ts";
import { memoriesOf } from "../../../tools/memory/memory-section.ts";

/** What of a memory file the person wrote: all but the agent's lines, for whatever workspace those are. Pure. */
export function ownWords(text: string): string {
  const entries = memoriesOf(text);
  const saved = entries.filter(({ memory }) => memory.by === "agent");
  let own = text;
  for (const { start, end } of saved.toReversed()) own = own.slice(0, start) + own.slice(end);
  if (saved.length === 0 || saved.length < entries.length) return own;
  // A heading that only the agent's lines stood under says nothing any more.
  return own.replace(new RegExp(`^${memoryHeading}[ \\t\\r]*$`, "m"), "");
}

/** What the agent noted in a memory file and is told in this workspace, a line each. Pure. */
export const notesOf = (text: string, workspace: string): string =>
  memoriesOf(text)
    .filter(({ memory }) => memory.by === "agent" && isToldIn(memory, workspace))
    .map(({ memory }) => memory.fact)
    .join("\n");
