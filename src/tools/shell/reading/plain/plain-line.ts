import type { ParsedScript } from "unbash";
import type { PlannedCommand } from "../../../../core/command.ts";
import { shellDoubts } from "../../../../words/contract/shell-doubts.ts";
import { NotPlain } from "./cursor.ts";
import { isUneven, plainReading } from "./grammar.ts";
import { treeReading } from "./tree-reading.ts";

// Keeps tools 15.
/**
 * Tells why it is not sure that bash reads a text as the grammar does, in words; undefined where it is: a second reader, that knows little and that
 * exactly, finds the same words, operators and substitutions at the same places.
 */
export function findUnplain(script: ParsedScript, source: string): string | undefined {
  try {
    return plainReading(source) === treeReading(script) ? undefined : shellDoubts.odd_parts;
  } catch (error) {
    if (error instanceof NotPlain) return shellDoubts.read_otherwise({ part: error.message });
    throw error;
  }
}

/**
 * Tells whether bash before 4 (macOS has 3.2) may read a text otherwise than later ones that is plain to them: it looks for the end of `$(…)` by
 * quotes and parentheses alone, those of a here-document in it among them.
 */
export function isUnsureInOlder(source: string): boolean {
  try {
    return source.includes("<<") && isUneven(source);
  } catch (error) {
    if (error instanceof NotPlain) return false;
    throw error;
  }
}

/** Makes all commands of a line not understood if it is not sure how bash reads it, where nothing else of it asks. */
export const withDoubt = (commands: readonly PlannedCommand[], why: string | undefined): PlannedCommand[] =>
  commands.map((one) =>
    why === undefined || commands.some(({ understood }) => !understood) ? one : { ...one, understood: false, why },
  );
