import { basename } from "node:path";
import { isSecretFile } from "../../core/secret-files.ts";
import { shownName, shownPath } from "../../core/shown-path.ts";
import type { ToolResult } from "../../core/tool.ts";
import { type FileHits, type HitLine, maxCounted, type SearchOutcome, type SearchRequest } from "./grep-search.ts";
import { comparePaths, counted, shownCount } from "./search-path.ts";

/** Characters of output, whatever the number of lines. */
const maxOutput = 60_000;

type Found = Extract<SearchOutcome, { ok: true }>;

/** Files whose content is not printed count as one match each. */
const isClosed = (file: FileHits, { mayShow }: SearchRequest): boolean =>
  file.isBinary || isSecretFile(basename(file.path)) || mayShow?.(file.path) === false;
const weight = (file: FileHits, request: SearchRequest): number => (isClosed(file, request) ? 1 : file.matches);

/** `path:line:text` by path and line (context as `path-line-text`), with a count of what was left out. */
export function report(found: Found, request: SearchRequest): ToolResult {
  const files = found.files.filter((file) => file.matches > 0).sort((a, b) => comparePaths(a.path, b.path));
  const total = files.reduce((sum, file) => sum + weight(file, request), 0);
  const { lines, matches } = print(files, request);
  const where = shownPath(request.workspace, request.top);
  if (matches === 0)
    lines.push(
      `No match for ${shownName(request.pattern.slice(0, 200))} in ${where} (ignored files are not searched).`,
    );
  const notices = [cutNotice(matches, total, found.more), ...gaps(found)];
  const count = found.more ? `more than ${shownCount(maxCounted)}` : shownCount(total);
  return {
    output: [...lines, ...notices.filter((text) => text !== "")].join("\n"),
    title: `${count} ${total === 1 ? "match" : "matches"}`,
    metadata: {
      matches: found.more ? maxCounted : total,
      more: found.more,
      shown: matches,
      engine: found.engine,
      path: where,
    },
  };
}

function print(files: readonly FileHits[], request: SearchRequest): { lines: string[]; matches: number } {
  const lines: string[] = [];
  let matches = 0;
  let size = 0;
  for (const file of files) {
    const name = shownPath(request.workspace, file.path);
    const groups = isClosed(file, request)
      ? [[closedLine(file, name)]]
      : groupsOf(file).map((group) => group.map(lineOf(name)));
    for (const group of groups) {
      const length = group.reduce((sum, { text }) => sum + text.length + 1, 0);
      if (matches === request.limit || (size + length > maxOutput && matches > 0)) return { lines, matches };
      if (request.context > 0 && lines.length > 0 && group[0]?.isFar !== false) lines.push("--");
      lines.push(...group.map(({ text }) => text));
      matches += 1;
      size += length;
    }
  }
  return { lines, matches };
}

interface Printed {
  text: string;
  /** Does not follow the line printed before it. */
  isFar: boolean;
}

function closedLine(file: FileHits, name: string): Printed {
  return { text: `${name}: ${file.isBinary ? "binary file " : ""}matches, content not shown`, isFar: true };
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

const lineOf =
  (name: string) =>
  ({ line, text, isMatch, isFar }: GroupedLine): Printed => {
    const mark = isMatch ? ":" : "-";
    return { text: `${name}${mark}${line}${mark}${text}`, isFar };
  };

function cutNotice(shown: number, total: number, more: boolean): string {
  if (!more && shown >= total) return "";
  const of = more ? `more than ${shownCount(maxCounted)}` : shownCount(total);
  const left = more ? "" : `; ${shownCount(total - shown)} left out`;
  return `(first ${shownCount(shown)} of ${of} matching lines, by path and line${left}: narrow the pattern, path or include)`;
}

function gaps({ unreadable, tooLarge }: Found): string[] {
  const told: string[] = [];
  if (unreadable > 0)
    told.push(
      `(${unreadable === 1 ? "1 file or folder" : `${shownCount(unreadable)} files or folders`} could not be read)`,
    );
  if (tooLarge > 0) told.push(`(${counted(tooLarge, "file")} too large to be searched without ripgrep: left out)`);
  return told;
}
