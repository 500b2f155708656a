import { diffWordsWithSpace } from "diff";
import type { DiffEntry } from "./diff-entries.ts";
import { placing } from "./diff-pairs.ts";

export interface Part {
  text: string;
  changed: boolean;
}

const LONGEST_LINE = 500;
/** Characters compared in one diff. A person reads no more closely, and comparing must not hold up the keys. */
const BUDGET = 40_000;
/** Two lines less alike than this are two lines, not one changed line. */
const ALIKE = 0.4;
/** Lines that differ in more places are two lines. No clock decides: the same change is drawn alike on any machine. */
const LIMITS = { maxEditLength: 100 };

/**
 * For each line that was changed into another, its parts with those marked that differ. Long lines, and those past the first
 * 40,000 characters, are left alone.
 */
export function changedWords(entries: DiffEntry[]): Map<DiffEntry, Part[]> {
  const words = new Map<DiffEntry, Part[]>();
  let left = BUDGET;
  for (const [removed, added] of changedPairs(entries)) {
    left -= removed.text.length + added.text.length;
    if (left < 0) break;
    const parts = compare(removed.text, added.text);
    if (parts === undefined) continue;
    words.set(removed, parts.old);
    words.set(added, parts.new);
  }
  return words;
}

/** In each block of changes the removed lines with the added ones in their place. */
function changedPairs(entries: readonly DiffEntry[]): [DiffEntry, DiffEntry][] {
  const inPlace = placing(({ text }: DiffEntry) => text);
  const found: [DiffEntry, DiffEntry][] = [];
  let removed: DiffEntry[] = [];
  let added: DiffEntry[] = [];
  const close = (): void => {
    for (const [old, fresh] of inPlace(removed, added))
      if (old !== undefined && fresh !== undefined) found.push([old, fresh]);
    removed = [];
    added = [];
  };
  for (const entry of entries) {
    if (entry.kind === "removed") {
      if (added.length > 0) close();
      removed.push(entry);
    } else if (entry.kind === "added") added.push(entry);
    else if (entry.kind !== "note") close();
  }
  close();
  return found;
}

function compare(old: string, now: string): { old: Part[]; new: Part[] } | undefined {
  if (old.length > LONGEST_LINE || now.length > LONGEST_LINE) return undefined;
  const changes = diffWordsWithSpace(old, now, LIMITS);
  if (changes === undefined || changes.some((change) => /\p{Surrogate}/u.test(change.value))) return undefined;
  const same = changes.filter((change) => !change.added && !change.removed);
  const kept = same.reduce((sum, change) => sum + change.value.trim().length, 0);
  const total = old.trim().length + now.trim().length;
  if (total > 0 && (2 * kept) / total < ALIKE) return undefined;
  return {
    old: changes.filter((change) => !change.added).map(({ value, removed }) => ({ text: value, changed: removed })),
    new: changes.filter((change) => !change.removed).map(({ value, added }) => ({ text: value, changed: added })),
  };
}
