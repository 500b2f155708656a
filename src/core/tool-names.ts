/**
 * Tells whether a tool is one of these: by names in which `*` stands for any text, less those with `!` before them; where all have it, of all others.
 */
export function isNamed(patterns: readonly string[], name: string): boolean {
  const out = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const among = patterns.filter((pattern) => !pattern.startsWith("!"));
  const fits = (pattern: string): boolean => partsFit(pattern.split("*"), name);
  return (among.length === 0 || among.some(fits)) && !out.some(fits);
}

/** Names of these patterns that can be none but one tool's. */
export const plainNames = (patterns: readonly string[]): string[] =>
  patterns.filter((pattern) => !/^!|\*/u.test(pattern));

/** Returns the form that a pattern of names must have, where this one has not; undefined where it may be one. */
export const wrongPattern = (pattern: string): string | undefined =>
  /^!?[\w*-]{1,64}$/u.test(pattern)
    ? undefined
    : "a name of a tool, in which * stands for any text; ! before it leaves it out";

function partsFit([first = "", ...rest]: readonly string[], name: string): boolean {
  if (rest.length === 0) return name === first;
  const last = rest.at(-1) ?? "";
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest.slice(0, -1)) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}
