import { relative } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { DiffNote, FilePlan, Hunk, HunkLine, LineEnding, Plan, TextDiff } from "../../core/tool.ts";

/** UTF-8 bytes of changed text that `plan.diff` shows at most; a call that changes more is partial. */
export const mostShown = 1_000_000;

/** The change of one file under the name a person knows it by. */
export interface NamedDiff extends TextDiff {
  name: string;
  kind: FilePlan["kind"];
}

/** A change to be shown. Text is what another tool made or an older store kept: it is shown as it stands, nobody reads it. */
export type Change = NamedDiff | string;

/** Text has no counts: nobody reads it. */
export const isStructured = (change: Change): change is NamedDiff => typeof change !== "string";

/** Changed lines that are left out of a text, and their UTF-8 bytes with one for the end of each. */
export interface Rest {
  added: number;
  removed: number;
  bytes: number;
}

type Changed = Pick<FilePlan, "real" | "kind" | "before" | "after"> & TextDiff;

/** The files that really change, named as seen from the plan's folder; control characters in names are escaped. */
export const namedDiffs = (files: readonly Changed[], cwd: string): NamedDiff[] =>
  files
    .filter(({ before, after }) => before !== after)
    .map(({ real, kind, added, removed, hunks, notes }) => ({
      name: printable(relative(cwd, real)),
      kind,
      added,
      removed,
      hunks,
      ...(notes === undefined ? {} : { notes }),
    }));

const printable = (name: string): string => (/[\x00-\x1f"\\\x7f]/.test(name) ? JSON.stringify(name) : name);

// Keeps files 2.
/** Returns the changes of a plan, for a screen: its hunks, or the text it carries where it has none. */
export function changesOf({ files = [], cwd, diff = "" }: Pick<Plan, "files" | "cwd" | "diff">): Change[] {
  const named = namedDiffs(files, cwd);
  const structured = named.some(({ hunks, notes }) => hunks.length > 0 || notes !== undefined);
  if (structured || diff === diffText(named)) return named;
  return diff === "" ? [] : [diff];
}

/** The file with its counts alone, as plain JSON, for what is noted beside a plan that has the lines. */
export const withoutLines = ({ hunks: _hunks, notes: _notes, ...file }: FilePlan) => ({ ...file, hunks: [] });

/** Lines added and removed in all. */
export const totalOf = (diffs: readonly Pick<TextDiff, "added" | "removed">[]): { added: number; removed: number } => ({
  added: diffs.reduce((sum, { added }) => sum + added, 0),
  removed: diffs.reduce((sum, { removed }) => sum + removed, 0),
});

/** `plan.diff`: what a plan's hunks say, as text. */
export const planDiff = (files: readonly FilePlan[], cwd: string): string =>
  diffText(namedDiffs(files, cwd), mostShown);

/**
 * A unified diff. What it does not show of a file stands, counted, in a last line of that file; notes and these lines begin
 * with a backslash.
 * @param most UTF-8 bytes of changed text.
 */
export function diffText(changes: readonly Change[], most = Number.POSITIVE_INFINITY): string {
  const takes = upTo(most);
  return changes.map((change) => (typeof change === "string" ? change : fileText(change, takes))).join("");
}

/** Sums up the changed lines of these files that `plan.diff` does not show. */
export function restOf(files: readonly FilePlan[]): Rest {
  const takes = upTo(mostShown);
  const rest: Rest = { added: 0, removed: 0, bytes: 0 };
  for (const { rest: own } of files.filter(({ before, after }) => before !== after).map((file) => cut(file, takes))) {
    rest.added += own.added;
    rest.removed += own.removed;
    rest.bytes += own.bytes;
  }
  return rest;
}

/** Tells whether one more line is taken into the beginning of a change. */
type Takes = (line: HunkLine) => boolean;

/** Once a line did not fit, no further one does. */
function upTo(most: number): Takes {
  let left = most;
  return (line) => {
    if (line.kind !== " ") left -= bytesOf(line);
    if (left < 0) left = Number.NEGATIVE_INFINITY;
    return left >= 0;
  };
}

const bytesOf = ({ text }: HunkLine): number => Buffer.byteLength(text) + 1;

/** The beginning of a change, as far as `takes` goes. */
export function cut(diff: TextDiff, takes: Takes): { hunks: Hunk[]; rest: Rest } {
  const hunks: Hunk[] = [];
  const rest: Rest = { added: 0, removed: 0, bytes: 0 };
  for (const hunk of diff.hunks) {
    const end = hunk.lines.findIndex((line) => !takes(line));
    if (end !== 0) hunks.push(end < 0 ? hunk : { ...hunk, lines: hunk.lines.slice(0, end) });
    if (end >= 0) leaveOut(rest, hunk.lines.slice(end));
  }
  return { hunks, rest };
}

function leaveOut(rest: Rest, lines: readonly HunkLine[]): void {
  for (const line of lines) {
    if (line.kind === " ") continue;
    rest[line.kind === "+" ? "added" : "removed"] += 1;
    rest.bytes += bytesOf(line);
  }
}

function fileText(diff: NamedDiff, takes: Takes): string {
  const { hunks, rest } = cut(diff, takes);
  const lines = [...headOf(diff), ...notesOf(diff)];
  for (const hunk of hunks) {
    lines.push(hunkHead(hunk));
    for (const line of hunk.lines) {
      lines.push(line.kind + line.text);
      if (line.end !== undefined) lines.push(endText(line.end));
    }
  }
  if (rest.bytes > 0) lines.push(`\\ not shown: -${rest.removed} +${rest.added} lines, ${rest.bytes} bytes`);
  return `${lines.join("\n")}\n`;
}

/** The two lines that name the file, as git writes them. */
export const headOf = ({ kind, name }: Pick<NamedDiff, "kind" | "name">): [string, string] => [
  `--- ${kind === "new" ? "/dev/null" : `a/${name}`}`,
  `+++ ${kind === "delete" ? "/dev/null" : `b/${name}`}`,
];

export const hunkHead = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;

export const endText = (end: NonNullable<HunkLine["end"]>): string =>
  end === "none" ? "\\ No newline at end of file" : `\\ ends with ${end.toUpperCase()}`;

/** The notes of a change in words, each a line. */
export const notesOf = (diff: TextDiff): string[] => (diff.notes ?? []).map((note) => `\\ ${noteText(note, diff)}`);

const endings = { lf: "LF", crlf: "CRLF", cr: "CR", mixed: "mixed", none: "none" } as const satisfies Record<
  LineEnding,
  string
>;

function noteText(note: DiffNote, { added, removed }: TextDiff): string {
  switch (note.kind) {
    case "bom":
      return `byte order mark ${note.now ? "added" : "removed"}`;
    case "eol":
      return `line endings: ${endings[note.from]} -> ${endings[note.to]}`;
    case "rewritten":
      return `file rewritten: -${removed} +${added} lines`;
    case "binary":
      if (note.after === undefined) return `not shown: the old content is not text, ${note.before} bytes`;
      if (note.before === undefined) return `not shown: the new content is not text, ${note.after} bytes`;
      return `not shown: not text, ${note.before} -> ${note.after} bytes`;
  }
}

/** The changes that a result's `metadata.changes` keeps: enough for a card. The whole change is in the call's plan. */
export interface RecordedDiff {
  changes: Change[];
  /** Changed lines that it does not carry. */
  left: number;
}

const keptLines = 40;
const keptCharacters = 8_000;

/**
 * Of changes that were carried out, for a result's metadata: `diff`, their text for other programs, and `changes`, the beginning of
 * them for a card.
 */
export function recordedDiff(diffs: readonly NamedDiff[]): { diff: string; changes: Json } {
  const takes = beginning();
  let left = 0;
  const changes = diffs.map((diff): NamedDiff => {
    const { hunks, rest } = cut(diff, takes);
    left += rest.added + rest.removed;
    return { ...diff, hunks };
  });
  return { diff: diffText(diffs, mostShown), changes: { changes, left } satisfies RecordedDiff as unknown as Json };
}

function beginning(): (line: HunkLine) => boolean {
  let [lines, characters] = [0, 0];
  return ({ text }) => {
    lines += 1;
    characters += text.length;
    return lines <= keptLines && characters <= keptCharacters;
  };
}

/** Reads the record that `recordedDiff` made, or the text of another tool or an older store; undefined for anything else and for no change. */
export function readRecordedDiff(metadata: JsonObject): RecordedDiff | undefined {
  const value = metadata["changes"] ?? metadata["diff"];
  if (typeof value === "string") return value === "" ? undefined : { changes: [value], left: 0 };
  if (!isJsonObject(value)) return undefined;
  const { changes, left } = value;
  if (!Array.isArray(changes) || changes.length === 0 || !changes.every(isNamedDiff)) return undefined;
  return { changes: changes as unknown as NamedDiff[], left: typeof left === "number" ? left : 0 };
}

function isNamedDiff(value: Json): boolean {
  if (!isJsonObject(value) || typeof value["name"] !== "string" || typeof value["kind"] !== "string") return false;
  const { added, removed, hunks, notes } = value;
  if (typeof added !== "number" || typeof removed !== "number" || !Array.isArray(hunks)) return false;
  return hunks.every(isHunk) && (notes === undefined || (Array.isArray(notes) && notes.every(isJsonObject)));
}

function isHunk(value: Json): boolean {
  if (!isJsonObject(value) || !Array.isArray(value["lines"])) return false;
  const numbers = ["oldStart", "oldLines", "newStart", "newLines"].map((key) => value[key]);
  return numbers.every((one) => typeof one === "number") && value["lines"].every(isLine);
}

const isLine = (line: Json): boolean =>
  isJsonObject(line) && [" ", "-", "+"].includes(String(line["kind"])) && typeof line["text"] === "string";
