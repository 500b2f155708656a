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

/**
 * Counts the words that bash makes of braces: `{a,b}{1..5}` -> 10, however many they are. Infinity where a brace has no partner.
 */
export function countBraces(text: string): number {
  const parts = readParts(text);
  return parts === undefined ? Number.POSITIVE_INFINITY : wordsOf(parts);
}

const wordsOf = (parts: readonly Part[]): number =>
  parts.reduce<number>((words, part) => (typeof part === "string" ? words : words * wordsIn(part)), 1);

const wordsIn = (alternatives: Part[][]): number =>
  sequenceIn(alternatives) ?? alternatives.reduce((sum, one) => sum + wordsOf(one), 0);

/** The length of `{1..9}`, of `{1..9..2}`, of `{a..e}`. */
function sequenceIn(alternatives: Part[][]): number | undefined {
  const [text, ...more] = alternatives.flat();
  if (typeof text !== "string" || more.length > 0 || alternatives.length > 1) return undefined;
  const [, from, to, step = "1"] = /^(-?\d+|\w)\.\.(-?\d+|\w)(?:\.\.(-?\d+))?$/u.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [one, other] = [from, to].map((end) => (/\d/u.test(end) ? Number(end) : end.charCodeAt(0))) as [number, number];
  return Math.floor(Math.abs(one - other) / Math.max(1, Math.abs(Number(step)))) + 1;
}
