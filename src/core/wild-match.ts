/**
 * Matching with stars that stand for any run of items. It never goes back beyond the last star, so that it takes at most pattern x
 * items steps: the one way in which patterns of a model or a repository are matched in this process.
 */
export function wildMatch<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  isStar: (part: P) => boolean,
  fits: (part: P, item: I) => boolean,
): boolean {
  let at = 0;
  let lastStar = -1;
  let resume = 0;
  let next = 0;
  while (next < items.length) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      lastStar = at;
      at += 1;
      resume = next;
    } else if (part !== undefined && fits(part, items[next] as I)) {
      at += 1;
      next += 1;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      resume += 1;
      next = resume;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}
