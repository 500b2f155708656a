import type { Again } from "./again.ts";
import type { TitleAgain } from "./found-again.ts";
import { otherWords } from "./room.ts";

// Keeps words 5.
/** Says the English of the contract with models and programs again for the person: in the language of the process, if it has that. */
export function saidAgain(text: string): string {
  const found = otherWords()?.["foundAgain"] as Again | undefined;
  return found?.(text) ?? text;
}

/**
 * Says again the line in which a call of one of the agent's own tools speaks of itself: its title, or its plan's summary. By that tool's
 * sentences alone: what others say, and a command that is run, may read the same and is never changed.
 */
export function titleAgain(tool: string, text: string): string {
  const found = otherWords()?.["titleFoundAgain"] as TitleAgain | undefined;
  return found?.(tool, text) ?? text;
}

/**
 * Says again the words that the record gives the person where they take back changes by a command. What they wrote themselves is never said
 * again.
 */
export function commandAgain(text: string): string {
  const told = text.startsWith("(undo) ") ? titleAgain("a command", text) : text;
  if (told === text) return text;
  // Each call stands there with what it did, which a tool of files says so.
  return told
    .split("; ")
    .map((part) =>
      part.replace(/(?<=\bc\d+: ).*$/su, (did) => fileTools.reduce((said, tool) => titleAgain(tool, said), did)),
    )
    .join("; ");
}

const fileTools = ["edit_file", "write_file", "undo_changes"];

/** Returns the purpose of one of the agent's own tools, as a person reads it in a list; the model reads `text`. */
export function purposeAgain(tool: string, text: string): string {
  const uses = otherWords()?.["toolUses"] as Readonly<Record<string, string>> | undefined;
  return uses?.[tool] ?? text;
}

/**
 * Says again the text that a call shows below its title: the words of a program stay as they are, but for the tool's own lines above and below
 * them.
 */
export function displayAgain(tool: string, text: string): string {
  const lines = text.split("\n");
  const own = (line: string, at: number): boolean => at === 0 || line.startsWith("(");
  return lines.map((line, at) => (own(line, at) ? titleAgain(`${tool} shows`, line) : line)).join("\n");
}
