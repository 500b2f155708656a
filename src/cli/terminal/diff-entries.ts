import type { Hunk, HunkLine } from "../../core/tool.ts";
import { type Change, endText, headOf, hunkHead, type NamedDiff, notesOf } from "../../files/diff/diff-text.ts";
import { transcript as words } from "../../words/en/transcript.ts";
import { titleAgain } from "../../words/said-again.ts";

/** One line of a change as it is laid out. Not sanitised. */
export interface DiffEntry {
  /** `text`: a line of a change that is known as text only. */
  kind: "added" | "removed" | "context" | "hunk" | "file" | "note" | "text";
  text: string;
  /** Line numbers in the old and the new file. */
  old?: number;
  new?: number;
  /** Of a hunk's head: the line that begins what it stands in. */
  section?: string;
  /** The hunk that it is a line of, or a note on a line of. */
  hunk?: HunkEntries;
}

/** The lines of a hunk, for whoever looks at one side of it as a whole. */
export interface HunkEntries {
  /** Of the file. */
  name: string;
  /** The file is there before and after. */
  bothSides: boolean;
  lines: DiffEntry[];
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
  for (const text of notesOf(diff)) entries.push({ kind: "note", text: noteAgain(text) });
  let before: Hunk | undefined;
  for (const hunk of diff.hunks) {
    const skipped = before === undefined ? 0 : hunk.oldStart - before.oldStart - before.oldLines;
    if (skipped > 0) entries.push({ kind: "note", text: words().unchanged({ lines: skipped }) });
    const head: DiffEntry = { kind: "hunk", text: hunkHead(hunk) };
    if (typeof hunk.section === "string") head.section = hunk.section;
    entries.push(head);
    addLines(entries, hunk, { name: diff.name, bothSides: diff.kind === "modify", lines: [] });
    before = hunk;
  }
}

function addLines(entries: DiffEntry[], { oldStart, newStart, lines }: Hunk, hunk: HunkEntries): void {
  const place = { old: oldStart, new: newStart };
  for (const { kind, text, end } of lines) {
    const entry = { ...numbered[kind](place), text, hunk };
    hunk.lines.push(entry);
    entries.push(entry);
    if (end !== undefined) entries.push({ kind: "note", text: noteAgain(endText(end)), hunk });
  }
}

const noteAgain = (text: string): string => titleAgain("a change", text);

/** The line at a place, which moves past it. */
const numbered: Record<
  HunkLine["kind"],
  (place: { old: number; new: number }) => Pick<DiffEntry, "kind" | "old" | "new">
> = {
  "-": (place) => ({ kind: "removed", old: place.old++ }),
  "+": (place) => ({ kind: "added", new: place.new++ }),
  " ": (place) => ({ kind: "context", old: place.old++, new: place.new++ }),
};
