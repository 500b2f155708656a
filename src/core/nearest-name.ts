/** Edits of code points (insert, delete, replace) that turn `one` into `other`; `limit + 1` where it is sure that there are more. */
export function editDistance(one: string, other: string, limit: number): number {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The known name that was most likely meant by `asked`: the same but for case and punctuation, one that holds the other
 * whole, or at most a third of its letters away. Undefined where no name is that near.
 */
export function nearestName(asked: string, known: readonly string[]): string | undefined {
  const wanted = bare(asked.slice(0, 100));
  if (wanted === "") return undefined;
  const limit = Math.floor(wanted.length / 3);
  let best: { name: string; far: number } | undefined;
  for (const name of known) {
    const other = bare(name);
    const holds = wanted.length > 2 && other.length > 2 && (other.includes(wanted) || wanted.includes(other));
    const far = Math.min(editDistance(wanted, other, limit), holds ? limit : limit + 1);
    if (far <= limit && (best === undefined || far < best.far)) best = { name, far };
  }
  return best?.name;
}
