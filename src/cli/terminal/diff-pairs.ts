/** Comparisons of lines in one block, and in all blocks of a change. Beyond them the k-th new line is in the place of the k-th old. */
const mostInBlock = 900;
const mostInAll = 20_000;
const longestCompared = 500;
/** Less alike than this, a line is not the other one changed. */
const leastAlike = 0.4;

/** An old line with what stands in its place. */
export type Placed<T> = [T | undefined, T | undefined];

/**
 * For the blocks of one change, in their order: the old and the new lines of a block, each with what stands in its place: those that
 * are most alike, and what is left between them one after the other.
 */
export function placing<T>(textOf: (line: T) => string): (old: readonly T[], fresh: readonly T[]) => Placed<T>[] {
  let left = mostInAll;
  return (old, fresh) => {
    const comparisons = old.length * fresh.length;
    if (old.length === fresh.length || comparisons > Math.min(mostInBlock, left)) return zipped(old, fresh);
    left -= comparisons;
    return inPlace(old, fresh, textOf);
  };
}

function inPlace<T>(old: readonly T[], fresh: readonly T[], textOf: (line: T) => string): Placed<T>[] {
  const found: Placed<T>[] = [];
  let [left, right] = [0, 0];
  for (const [one, other] of mostAlike(old.map(textOf), fresh.map(textOf))) {
    found.push(...zipped(old.slice(left, one), fresh.slice(right, other)), [old[one], fresh[other]]);
    [left, right] = [one + 1, other + 1];
  }
  return [...found, ...zipped(old.slice(left), fresh.slice(right))];
}

export const zipped = <T>(one: readonly T[], other: readonly T[]): Placed<T>[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]]);

/** The pairs, ascending on both sides, whose likeness is the highest in all. */
function mostAlike(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const words = [old.map(wordsOf), fresh.map(wordsOf)] as const;
  const alike = words[0].map((one) => words[1].map((other) => likeness(one, other)));
  const best = old.map(() => [0, ...fresh.map(() => 0)]);
  best.push([0, ...fresh.map(() => 0)]);
  const at = (row: number, column: number): number => best[row]?.[column] ?? 0;
  const score = (row: number, column: number): number => {
    const found = alike[row]?.[column] ?? 0;
    return found < leastAlike ? Number.NEGATIVE_INFINITY : found + at(row + 1, column + 1);
  };
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = fresh.length - 1; column >= 0; column -= 1)
      (best[row] as number[])[column] = Math.max(at(row + 1, column), at(row, column + 1), score(row, column));
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    if (score(row, column) === at(row, column)) pairs.push([row++, column++]);
    else if (at(row + 1, column) === at(row, column)) row += 1;
    else column += 1;
  }
  return pairs;
}

type Words = ReadonlyMap<string, number>;

function wordsOf(text: string): Words {
  const words = new Map<string, number>();
  for (const word of text.slice(0, longestCompared).match(/\w+|[^\w\s]/g) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** From 0 to 1: the letters of the words that both have, of all. */
function likeness(one: Words, other: Words): number {
  let [shared, all] = [0, 0];
  for (const [word, count] of one) {
    shared += 2 * word.length * Math.min(count, other.get(word) ?? 0);
    all += word.length * count;
  }
  for (const [word, count] of other) all += word.length * count;
  return all === 0 ? 0 : shared / all;
}
