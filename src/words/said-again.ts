import { type Limit, limitText } from "../core/limit-text.ts";
import type { Again } from "./again.ts";
import type { TitleAgain } from "./found-again.ts";
import { otherWords } from "./room.ts";

// Keeps words 5.
/** Says the English of the contract with models and programs again for the person: in the language of the process, if it has that. */
export function saidAgain(text: string): string {
  const found = otherWords()?.["foundAgain"] as Again | undefined;
  return found?.(text) ?? text;
}

/** Says again each of several lines that stand below one another, as what is wrong with the shape of a file. */
export const linesAgain = (text: string): string => text.split("\n").map(saidAgain).join("\n");

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
  // Each call stands there with what it did, as its tool says it.
  return told
    .split("; ")
    .map((part) =>
      part.replace(/(?<=\bc\d+: ).*$/su, (did) => {
        for (const tool of undoable) {
          const said = titleAgain(tool, did);
          if (said !== did) return said;
        }
        return did;
      }),
    )
    .join("; ");
}

/** The tools whose calls can be taken back; those of servers have one name here. */
const undoable = ["edit_file", "write_file", "undo_changes", "create_artifact", "shell", "mcp__", "a command"];

/** A limit as a person reads it in a list; `figure`: what is the most. */
export interface SaidLimit {
  figure: string;
  what: string;
  why: string;
}

/** Says a limit in the language of the process, by its name. */
export function limitAgain(name: string, limit: Limit): SaidLimit {
  const { limitWords, limitUnits } = (otherWords() ?? {}) as {
    limitWords?: Readonly<Record<string, readonly [what: string, why: string]>>;
    limitUnits?: Readonly<Partial<Record<Limit["unit"], string>>>;
  };
  const [what, why] = limitWords?.[name] ?? [limit.what, limit.why];
  const [unit, isMillion] = [limitUnits?.[limit.unit], limit.unit === "pixels" && limitUnits !== undefined];
  if (isMillion) return { figure: `${limit.most / 10_000} 万像素`, what, why };
  return { figure: unit === undefined ? limitText(limit) : `${limit.most} ${unit}`, what, why };
}

/** Returns the purpose of one of the agent's own tools, as a person reads it in a list; the model reads `text`. */
export function purposeAgain(tool: string, text: string): string {
  const uses = otherWords()?.["toolUses"] as Readonly<Record<string, string>> | undefined;
  return uses?.[tool] ?? text;
}

/**
 * Says again why a call failed. Below what a server said stand the agent's own words in brackets, for parts of its answer that it cannot give and
 * for what it let a page not reach.
 */
export function failureAgain(tool: string, text: string): string {
  const told = saidAgain(text);
  if (!tool.startsWith("mcp__") || told === text) return told;
  const own = (line: string): string => (line.startsWith("(") ? titleAgain("a server's answer", line) : line);
  return told.split("\n").map(own).join("\n");
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
