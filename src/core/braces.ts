/** A pattern read once: texts and braces by turns, in the order they stand. */
type Part = string | Part[][];

/**
 * All texts that the braces of a pattern stand for: `*.{ts,tsx}` -> `*.ts`, `*.tsx`. Braces may be nested, and `\{` is none. The time
 * it takes goes with the length of the pattern and of what it stands for.
 * @param limit braces multiply, and a short pattern can stand for millions.
 */
export function expandBraces(pattern: string, limit: number): string[] | "unbalanced" | "too many" {
  const parts = readParts(pattern);
  if (parts === undefined) return "unbalanced";
  return waysOf(parts) > limit ? "too many" : textsOf(parts);
}

/** Undefined where a brace has no partner. */
function readParts(pattern: string): Part[] | undefined {
  const top: Part[] = [];
  /** The braces that are open, innermost last, each with its alternatives so far. */
  const open: Part[][][] = [];
  let current = top;
  for (const [piece] of pattern.matchAll(/\\.|[{},]|[^\\{},]+|\\$/gsu)) {
    const inner = open.at(-1);
    if (piece === "{") {
      const alternatives: Part[][] = [[]];
      current.push(alternatives);
      open.push(alternatives);
    } else if (piece === "," && inner !== undefined) inner.push([]);
    else if (piece === "}") {
      if (open.pop() === undefined) return undefined;
    } else current.push(piece);
    current = open.at(-1)?.at(-1) ?? top;
  }
  return open.length === 0 ? top : undefined;
}

const waysOf = (parts: readonly Part[]): number =>
  parts.reduce<number>(
    (ways, part) => ways * (typeof part === "string" ? 1 : part.reduce((sum, one) => sum + waysOf(one), 0)),
    1,
  );

const textsOf = (parts: readonly Part[]): string[] =>
  parts.reduce<string[]>(
    (texts, part) => {
      const ends = typeof part === "string" ? [part] : part.flatMap(textsOf);
      return texts.flatMap((text) => ends.map((end) => text + end));
    },
    [""],
  );
