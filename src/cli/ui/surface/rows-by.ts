import type { Key } from "../../terminal/key.ts";

/** The letter that a key is; undefined for any other, and with Ctrl or Alt. */
export const letterOf = (key: Key): string | undefined =>
  key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;

/** Rows that a key goes down; undefined where it does not move. */
export function rowsBy(key: Key, page: number): number | undefined {
  const letter = letterOf(key);
  if (key.name === "up" || letter === "k") return -1;
  if (key.name === "down" || letter === "j") return 1;
  if (key.name === "pageup" || letter === "b") return -page;
  if (key.name === "pagedown" || letter === " ") return page;
  if (key.name === "home" || letter === "g") return Number.NEGATIVE_INFINITY;
  if (key.name === "end" || letter === "G") return Number.POSITIVE_INFINITY;
  return undefined;
}
