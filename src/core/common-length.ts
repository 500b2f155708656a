/** Counts the first items that two lists share, by identity. */
export function commonLength(one: readonly unknown[], other: readonly unknown[]): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) if (one[at] !== other[at]) return at;
  return shorter;
}
