import { countText } from "../../core/count-text.ts";
import { shownName, shownPath } from "../../core/shown-path.ts";
import type { ToolResult } from "../../core/tool.ts";
import { keyHeadBytes } from "../../files/bytes/file-head.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import { type FileHits, type HitLine, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { createBreath } from "./let-others-work.ts";
import { readHits } from "./read-hits.ts";
import { comparePaths, counted } from "./search-path.ts";

/** Characters of output, whatever the number of lines. */
const maxOutput = 60_000;

type Found = Extract<SearchOutcome, { ok: true }>;

const weight = (file: FileHits): number => (file.isBinary ? 1 : file.matches);

/** `path:line:text` by path and line (context as `path-line-text`), with a count of what was left out. */
export async function report(found: Found, request: SearchRequest): Promise<ToolResult> {
  const files = await standing(found.files, request);
  const total = files.reduce((sum, file) => sum + weight(file), 0);
  const { lines, matches, changed } = await print(files, request);
  const where = shownPath(request.workspace, request.top);
  if (matches === 0)
    lines.push(
      `No match for ${shownName(request.pattern.slice(0, 200))} in ${where} (ignored files are not searched).`,
    );
  const notices = [cutNotice(matches, total - changed.matches, found.more), ...gaps(found, changed.files)];
  const hidden = request.hidden.notice(request.workspace);
  if (hidden !== undefined) notices.push(hidden);
  const count = found.more ? `more than ${countText(maxCounted)}` : countText(total);
  return {
    output: [...lines, ...notices.filter((text) => text !== "")].join("\n"),
    title: `${count} ${total === 1 ? "match" : "matches"}`,
    metadata: {
      matches: found.more ? maxCounted : total,
      more: found.more,
      shown: matches,
      path: where,
    },
  };
}

/** Files with matches by path: those that may be read, and are still where they were found. */
async function standing(found: readonly FileHits[], { mayRead, signal }: SearchRequest): Promise<FileHits[]> {
  const files: FileHits[] = [];
  const breath = createBreath(signal);
  for (const file of found) {
    if (breath.isDue()) await breath.take();
    if (file.matches === 0 || !mayRead(file.path)) continue;
    // A key of another name is known by its head, and none of its lines are shown.
    if (readThere(file.path, (there) => mayRead(file.path, there.read(0, keyHeadBytes))) === true) files.push(file);
  }
  return files.sort((a, b) => comparePaths(a.path, b.path));
}

interface Output {
  lines: string[];
  matches: number;
  size: number;
  /** The counts of files and matches that were changed since the search: nothing of them is shown. */
  changed: { files: number; matches: number };
}

async function print(files: readonly FileHits[], request: SearchRequest): Promise<Output> {
  const output: Output = { lines: [], matches: 0, size: 0, changed: { files: 0, matches: 0 } };
  const breath = createBreath(request.signal);
  for (const file of files) {
    if (breath.isDue()) await breath.take();
    if (output.matches === request.limit) break;
    const groups = printed(file, request, request.limit - output.matches);
    if (groups === undefined) {
      output.changed.files += 1;
      output.changed.matches += weight(file);
    } else if (!groups.every((group) => add(group, output, request))) break;
  }
  return output;
}

/** @returns false where there is no room for it. */
function add(group: readonly Printed[], output: Output, { limit, context }: SearchRequest): boolean {
  const length = group.reduce((sum, { text }) => sum + text.length + 1, 0);
  if (output.matches === limit || (output.size + length > maxOutput && output.matches > 0)) return false;
  if (context > 0 && output.lines.length > 0 && group[0]?.isFar !== false) output.lines.push("--");
  for (const { text } of group) output.lines.push(text);
  output.matches += 1;
  output.size += length;
  return true;
}

interface Printed {
  text: string;
  /** Does not follow the line printed before it. */
  isFar: boolean;
}

/** The first `most` matches of a file, each with its context; undefined where the file was changed. */
function printed(file: FileHits, request: SearchRequest, most: number): Printed[][] | undefined {
  const name = shownPath(request.workspace, file.path);
  if (file.isBinary) return [[{ text: `${name}: binary file matches, content not shown`, isFar: true }]];
  const groups = groupsOf(file).slice(0, most);
  const wanted = groups.flat();
  const texts = readHits(file.path, wanted, request.masking);
  if (texts === undefined) return undefined;
  const rest = texts.values();
  return groups.map((group) => group.map((line) => lineOf(name, line, rest.next().value ?? "")));
}

interface GroupedLine extends HitLine {
  isFar: boolean;
}

/** One group for each match, with the context lines around it; a line between two matches goes with the first. */
function groupsOf(file: FileHits): GroupedLine[][] {
  const groups: GroupedLine[][] = [];
  let before: GroupedLine[] = [];
  let previous = -1;
  for (const hit of file.lines) {
    const line = { ...hit, isFar: hit.line !== previous + 1 };
    const open = groups.at(-1);
    if (hit.isMatch) {
      groups.push([...before, line]);
      before = [];
    } else if (open !== undefined && before.length === 0 && !line.isFar) open.push(line);
    else before.push(line);
    previous = hit.line;
  }
  return groups;
}

function lineOf(name: string, { line, isMatch, isFar }: GroupedLine, text: string): Printed {
  const mark = isMatch ? ":" : "-";
  return { text: `${name}${mark}${line}${mark}${text}`, isFar };
}

function cutNotice(shown: number, total: number, more: boolean): string {
  if (!more && shown >= total) return "";
  const of = more ? `more than ${countText(maxCounted)}` : countText(total);
  const left = more ? "" : `; ${countText(total - shown)} left out`;
  return `(first ${countText(shown)} of ${of} matching lines, by path and line${left}: narrow the pattern, path or include)`;
}

function gaps({ unreadable, closed }: Found, changed: number): string[] {
  const told: string[] = [];
  if (unreadable > 0)
    told.push(
      `(${unreadable === 1 ? "1 file or folder" : `${countText(unreadable)} files or folders`} could not be read)`,
    );
  if (changed > 0) told.push(`(${counted(changed, "file")} changed while the search ran: search again)`);
  if (closed > 0)
    told.push(
      closed === 1
        ? "(1 file was not searched: reading it is not allowed unasked)"
        : `(${countText(closed)} files were not searched: reading them is not allowed unasked)`,
    );
  return told;
}
