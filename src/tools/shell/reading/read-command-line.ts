import type { PlannedCommand } from "../../../core/command.ts";
import type { CommandPlace } from "./command-place.ts";
import type { Operand } from "./program-hash.ts";
import { findRefusal } from "./refusal.ts";

/** The facts of one line that policy judges, and that the plan of the call holds. */
export interface LineFacts {
  /** Every simple command anywhere in the line, as `Plan.commands` takes them. A refused line has one, with `refused`. */
  commands: PlannedCommand[];
  /** True if each of them is understood. */
  understood: boolean;
  /** As `Plan.operands` takes them. */
  operands: Operand[];
  /** The parts of it that an approval cannot hold fast, in words for the person. */
  warnings: string[];
}

/**
 * Reads a command line as bash does: one parse of the very text that bash will get. Looks at the file system for where paths lead;
 * changes nothing and runs nothing. The grammar is loaded with the first line.
 */
export async function readCommandLine(command: string, place: CommandPlace): Promise<LineFacts> {
  const refusal = findRefusal(command);
  if (refusal !== undefined) return refused(command, refusal);
  const grammar = await import("./walk.ts");
  const read = grammar.walkLine(command, place);
  if (typeof read === "string") return refused(command, read);
  const { commands, warnings } = read;
  const understood = commands.every((command) => command.understood);
  return { commands, understood, operands: operandsOf(commands), warnings };
}

/** Scripts, and programs inside the boundary, by what is in them; other programs by where they lie (see program-hash.ts). */
function operandsOf(commands: readonly PlannedCommand[]): LineFacts["operands"] {
  const scripts = commands.flatMap(({ scripts = [] }) =>
    scripts.map(({ path, sha }) => [path, { path, sha }] as const),
  );
  const programs = commands.flatMap(({ program }) =>
    program === undefined ? [] : [[program, { path: program }] as const],
  );
  return [...new Map<string, Operand>([...programs, ...scripts]).values()];
}

const refused = (text: string, why: string): LineFacts => ({
  commands: [
    { text, argv: [], assignments: [], redirects: [], paths: [], isPathsKnown: false, understood: false, refused: why },
  ],
  understood: false,
  operands: [],
  warnings: [],
});
