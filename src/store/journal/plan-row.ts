import type { FilePlan, Hunk, HunkLine, Plan } from "../../core/tool.ts";
import { planDiff, withoutLines } from "../../files/diff/diff-text.ts";
import { fromText, toText } from "../plain-codec.ts";

/**
 * A plan in its column. Of a change the lines are kept once, in the hunks, as `["+text", …]`: `diff: true` says that the text
 * is the one `planDiff` makes of them. A diff of another kind (a tool's own) is kept as it is. Stores of before hunks
 * have files without them and the diff as text: these stay so, with no hunks and no counts.
 */
type StoredPlan = Omit<Plan, "diff" | "files"> & { diff?: string | true; files?: StoredFile[] };
type StoredFile = Omit<FilePlan, "added" | "removed" | "hunks"> & {
  added?: number;
  removed?: number;
  hunks?: StoredHunk[];
};
type StoredHunk = [
  at: [oldStart: number, oldLines: number, newStart: number, newLines: number],
  lines: StoredLine[],
  section?: string,
];
type StoredLine = string | [line: string, end: NonNullable<HunkLine["end"]>];

/** @throws StoreFailure unserialisable. */
export function planToText({ diff, files, ...rest }: Plan): string {
  const stored: StoredPlan = rest;
  if (files !== undefined) stored.files = files.map((file) => ({ ...file, hunks: file.hunks.map(packHunk) }));
  const derived = files !== undefined && diff === planDiff(files, rest.cwd);
  if (diff !== undefined) stored.diff = derived ? true : diff;
  return toText(stored);
}

/** What `planToText` was given. @throws StoreFailure corrupt. */
export function planFromText(text: string): Plan {
  const { diff, files: stored, ...rest } = fromText(text) as StoredPlan;
  const files = stored?.map(unpackFile);
  return {
    ...rest,
    ...(files === undefined ? {} : { files }),
    ...(diff === undefined ? {} : { diff: diff === true ? planDiff(files ?? [], rest.cwd) : diff }),
  };
}

/** Files that were changed as planned: their plan has the lines. */
export const doneToText = (done: readonly FilePlan[]): string => toText(done.map(withoutLines));

/** What `doneToText` was given, without lines. @throws StoreFailure corrupt. */
export const doneFromText = (text: string): FilePlan[] => (fromText(text) as StoredFile[]).map(unpackFile);

const unpackFile = ({ added = 0, removed = 0, hunks = [], ...file }: StoredFile): FilePlan => ({
  ...file,
  added,
  removed,
  hunks: hunks.map(unpackHunk),
});

function packHunk({ oldStart, oldLines, newStart, newLines, lines, section }: Hunk): StoredHunk {
  const at: StoredHunk[0] = [oldStart, oldLines, newStart, newLines];
  const packed = lines.map(({ kind, text, end }): StoredLine => (end === undefined ? kind + text : [kind + text, end]));
  return section === undefined ? [at, packed] : [at, packed, section];
}

const unpackHunk = ([[oldStart, oldLines, newStart, newLines], lines, section]: StoredHunk): Hunk => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
  ...(section === undefined ? {} : { section }),
  lines: lines.map((line) => (typeof line === "string" ? unpackLine(line) : { ...unpackLine(line[0]), end: line[1] })),
});

const unpackLine = (line: string): HunkLine => ({ kind: line.charAt(0) as HunkLine["kind"], text: line.slice(1) });
