import type { Hunk, HunkLine } from "../../core/tool.ts";
import { type Change, endText, headOf, hunkHead, type NamedDiff, notesOf } from "../../files/diff-text.ts";

/** One line of a change as it is laid out. Not sanitised. */
export interface DiffEntry {
  /** `text`: a line of a change that is known as text only. */
  kind: "added" | "removed" | "context" | "hunk" | "file" | "note" | "text";
  text: string;
  /** Line numbers in the old and the new file. */
  old?: number;
  new?: number;
}

/** @param names whether the lines that name each file are among them. */
export function entriesOf(changes: readonly Change[], names: boolean): DiffEntry[] {
  const entries: DiffEntry[] = [];
  for (const change of changes) {
    if (typeof change === "string") entries.push(...textEntries(change));
    else addFile(entries, change, names);
  }
  return entries;
}

function textEntries(text: string): DiffEntry[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => ({ kind: "text", text: line }));
}

function addFile(entries: DiffEntry[], diff: NamedDiff, names: boolean): void {
  if (names) for (const text of headOf(diff)) entries.push({ kind: "file", text });
  for (const text of notesOf(diff)) entries.push({ kind: "note", text });
  let before: Hunk | undefined;
  for (const hunk of diff.hunks) {
    const skipped = before === undefined ? 0 : hunk.oldStart - before.oldStart - before.oldLines;
    const lines = skipped === 1 ? "line" : "lines";
    if (skipped > 0) entries.push({ kind: "note", text: `⋯ ${skipped} unchanged ${lines} ⋯` });
    entries.push({ kind: "hunk", text: hunkHead(hunk) });
    addLines(entries, hunk);
    before = hunk;
  }
}

function addLines(entries: DiffEntry[], { oldStart, newStart, lines }: Hunk): void {
  const place = { old: oldStart, new: newStart };
  for (const { kind, text, end } of lines) {
    entries.push({ ...numbered[kind](place), text });
    if (end !== undefined) entries.push({ kind: "note", text: endText(end) });
  }
}

/** The line at a place, which moves past it. */
const numbered: Record<
  HunkLine["kind"],
  (place: { old: number; new: number }) => Pick<DiffEntry, "kind" | "old" | "new">
> = {
  "-": (place) => ({ kind: "removed", old: place.old++ }),
  "+": (place) => ({ kind: "added", new: place.new++ }),
  " ": (place) => ({ kind: "context", old: place.old++, new: place.new++ }),
};
