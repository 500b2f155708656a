import { structuredPatch } from "diff";
import type { DiffNote, Hunk, HunkLine, TextDiff } from "../../core/tool.ts";
import { lineEnding } from "../bytes/text-form.ts";

/**
 * Beyond this many changed lines the search for a small diff is given up: it would block for seconds. A count and not
 * a time, for the same texts must give the same diff on any machine.
 */
const maxEditLength = 1_500;
const bom = "\uFEFF";

/** A whole content: text with its byte order mark and line endings, null where there is no file, a size where it is no text. */
export type Content = string | null | { bytes: number };

/**
 * Returns the changes between two contents, as lines, whole. Where the search for a small diff is given up, or one side has no
 * text, all old lines stand before all new ones. Changes that no line shows (byte order mark, line endings) are notes.
 * @param name of the file: in what its hunks stand is found by it.
 */
export function diffOf(before: Content, after: Content, name = ""): TextDiff {
  const [old, fresh] = [textOf(before), textOf(after)];
  const notes = [...invisibleChanges(old, fresh), ...binaryNote(before, after)];
  const { hunks, rewritten } = hunksOf(plain(old), plain(fresh), name);
  if (rewritten) notes.push({ kind: "rewritten" });
  const changed = hunks.flatMap(({ lines }) => lines);
  return {
    added: changed.filter(({ kind }) => kind === "+").length,
    removed: changed.filter(({ kind }) => kind === "-").length,
    hunks,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

const textOf = (content: Content): string => (typeof content === "string" ? content : "");

function binaryNote(before: Content, after: Content): DiffNote[] {
  const [old, fresh] = [before, after].map((side) => (typeof side === "object" ? side?.bytes : undefined));
  if (old === undefined && fresh === undefined) return [];
  const note: DiffNote = { kind: "binary" };
  if (old !== undefined) note.before = old;
  if (fresh !== undefined) note.after = fresh;
  return [note];
}

function invisibleChanges(before: string, after: string): DiffNote[] {
  const notes: DiffNote[] = [];
  if (before === after) return notes;
  if (before !== "" && after !== "" && before.startsWith(bom) !== after.startsWith(bom))
    notes.push({ kind: "bom", now: after.startsWith(bom) });
  const from = lineEnding(before);
  const to = lineEnding(after);
  if (from !== to && from !== "none" && to !== "none") notes.push({ kind: "eol", from, to });
  return notes;
}

/** Lines that end in a bare CR are lines too. */
function plain(text: string): string {
  const body = text.startsWith(bom) ? text.slice(1) : text;
  return lineEnding(body) === "cr" ? body.replaceAll("\r", "\n") : body;
}

function hunksOf(old: string, fresh: string, name: string): { hunks: Hunk[]; rewritten: boolean } {
  if (old === fresh) return { hunks: [], rewritten: false };
  const mixed = { "-": lineEnding(old) === "mixed", "+": lineEnding(fresh) === "mixed" };
  if (old === "" || fresh === "") return { hunks: [allLines(old, fresh, mixed)], rewritten: false };
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, { context: 3, maxEditLength });
  if (patch === undefined) return { hunks: [allLines(old, fresh, mixed)], rewritten: true };
  const sectionOf = sectionsOf(old, name);
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }): Hunk => {
    const found = patchLines(lines);
    const section = sectionOf(oldStart - 1, leading(found));
    const at = { oldStart, oldLines, newStart, newLines, ...(section === undefined ? {} : { section }) };
    return { ...at, lines: withEndings(found, mixed) };
  });
  return { hunks, rewritten: false };
}

function patchLines(lines: readonly string[]): PatchLine[] {
  const found: PatchLine[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    // "\ No newline at end of file"; a line of content has its sign before the backslash.
    if (!line.startsWith("\\")) found.push({ kind: signOf(line), text: line.slice(1), ended: true });
    else if (last !== undefined) last.ended = false;
  }
  return found;
}

/** The lines up to the first that changes and, if there is one, is not blank: what encloses the change is indented less than all of them. */
function leading(lines: readonly PatchLine[]): string[] {
  const shown = lines.findIndex(({ kind, text }) => kind !== " " && text.trim() !== "");
  const first = shown < 0 ? lines.findIndex(({ kind }) => kind !== " ") : shown;
  return lines.slice(0, first + 1).map(({ text }) => text);
}

const signOf = (line: string): HunkLine["kind"] => (line.startsWith("-") ? "-" : line.startsWith("+") ? "+" : " ");

function allLines(old: string, fresh: string, mixed: Record<"-" | "+", boolean>): Hunk {
  const removed = linesOf(old, "-");
  const added = linesOf(fresh, "+");
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: withEndings([...removed, ...added], mixed),
  };
}

function linesOf(text: string, kind: "-" | "+"): PatchLine[] {
  const lines = text.split("\n").map((line): PatchLine => ({ kind, text: line, ended: true }));
  const last = lines.at(-1);
  if (last?.text === "") lines.pop();
  else if (last !== undefined) last.ended = false;
  return lines;
}

/** A line as it was compared: a CR before its line ending still stands in the text. */
interface PatchLine {
  kind: HunkLine["kind"];
  text: string;
  /** false: the text ends with it, without a line ending. */
  ended: boolean;
}

/**
 * Lines as a person reads them, with the CR of CR LF taken off the text. How a changed line ends is said where it has no
 * line ending, where it differs from its counterpart in nothing else, and, for CR LF, where its text has both endings.
 */
function withEndings(lines: readonly PatchLine[], mixed: Record<"-" | "+", boolean>): HunkLine[] {
  const counterparts = pairs(lines);
  return lines.map((line) => {
    const text = bare(line);
    const end = endOf(line, counterparts.get(line), mixed);
    return end === undefined ? { kind: line.kind, text } : { kind: line.kind, text, end };
  });
}

function endOf(line: PatchLine, other: PatchLine | undefined, mixed: Record<"-" | "+", boolean>): HunkLine["end"] {
  if (!line.ended) return "none";
  if (line.kind === " ") return undefined;
  const own = line.text.endsWith("\r") ? "crlf" : "lf";
  const onlyEnding = other !== undefined && bare(line) === bare(other) && line.text !== other.text;
  return onlyEnding || (own === "crlf" && mixed[line.kind]) ? own : undefined;
}

/** Without a line ending behind it a CR is content. */
const bare = ({ text, ended }: PatchLine): string => (ended && text.endsWith("\r") ? text.slice(0, -1) : text);

/** In each block of changes the k-th removed line with the k-th added one, both ways. */
function pairs(lines: readonly PatchLine[]): Map<PatchLine, PatchLine> {
  const found = new Map<PatchLine, PatchLine>();
  let removed: PatchLine[] = [];
  let added = 0;
  for (const line of lines) {
    if (line.kind !== "+") {
      if (added > 0 || line.kind === " ") removed = [];
      added = 0;
      if (line.kind === "-") removed.push(line);
      continue;
    }
    const partner = removed[added];
    added += 1;
    if (partner === undefined) continue;
    found.set(partner, line).set(line, partner);
  }
  return found;
}

/** Lines that are looked at above a change: finding its section must not cost more than the change itself. */
const mostLines = 3_000;
const longestLine = 200;
const longestSection = 120;

const headings = /\.(?:md|mdx|markdown|txt)$/i;
const tables = /\.(?:toml|ini|cfg|conf|service|editorconfig)$|(?:^|\/)\.(?:gitconfig|npmrc)$/i;

const modifiers =
  "(?:(?:export|default|declare|async|public|private|protected|internal|static|final|abstract|sealed|override|virtual|inline|extern|const|unsafe|open|data|pub(?:\\([\\w: ]+\\))?)\\s+)*";
const named =
  "(?:function\\b\\*?|class|interface|struct|enum|trait|impl|def|fn|fun|func|module|namespace|type|object|protocol|extension|record|message|describe|test|it)\\b";
/** `export async function send(`, `class A`, `def f(self):`, `func (s *S) f() {` */
const declaration = new RegExp(`^\\s*${modifiers}${named}`);
/** `const send = async (…`, `let x = function` */
const assigned =
  /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=]*)?\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/;
/** A method or a function of C: a name, its parameters and the brace that opens it, on one line. */
const method = /^\s*(?:[\w$<>[\],:*&~?.]+\s+)*[*&]?[#~\w$:]+\s*(?:<[^>]*>)?\([^;]*\)\s*(?:[\w\s:<>[\]|&,.?*-]*)\{\s*$/;
const control = /^\s*(?:\}\s*)?(?:if|else|for|foreach|while|switch|catch|try|do|return|with|match|when|using|lock)\b/;

/** The section of a hunk that begins at this line (index) of the old text. `lines`: its own, up to the first that changes. */
type FindSection = (from: number, lines: readonly string[]) => string | undefined;

/**
 * Finds the line that begins the function, class or chapter in which a change stands: by the indentation of what encloses it, and in a
 * text with chapters the nearest heading. Where nothing encloses it there is none. Cut to 120 characters.
 * @param name of the file.
 */
function sectionsOf(text: string, name: string): FindSection {
  const all = text.split("\n");
  const isChapter = headings.test(name) ? isHeading : tables.test(name) ? isTable : undefined;
  const shown = (at: number): string => (all[at] ?? "").trim().slice(0, longestSection);
  if (isChapter !== undefined) {
    const known = chapters(all, isChapter);
    return (from) => {
      const at = known[Math.min(from, all.length) - 1] ?? -1;
      return at < 0 ? undefined : shown(at);
    };
  }
  const indents = all.map(indentOf);
  return (from, lines) => {
    let inner = Math.min(...lines.map(indentOf));
    const start = Math.min(from, all.length) - 1;
    for (let at = start; at >= Math.max(0, start - mostLines) && inner > 0; at -= 1) {
      const indent = indents[at] ?? 0;
      if (indent >= inner) continue;
      const line = all[at] ?? "";
      if (line.length <= longestLine && begins(line)) return shown(at);
      // The end of a head of several lines: its beginning is indented as much.
      inner = /^\s*[)\]{]/.test(line) ? indent + 1 : indent;
    }
    return undefined;
  };
}

/** For each line the nearest chapter at or above it, -1 for none. */
function chapters(lines: readonly string[], isChapter: (line: string) => boolean): number[] {
  let last = -1;
  return lines.map((line, at) => {
    if (line.length <= longestLine && isChapter(line)) last = at;
    return last;
  });
}

const isHeading = (line: string): boolean => /^#{1,6}\s+\S/.test(line);
const isTable = (line: string): boolean => /^\s*\[.+\]\s*$/.test(line);

const begins = (line: string): boolean =>
  declaration.test(line) || assigned.test(line) || (/\{\s*$/.test(line) && method.test(line) && !control.test(line));

/** Tabs count as four blanks. What says nothing of the depth (blank lines, comments, directives) is as deep as can be. */
function indentOf(line: string): number {
  let [at, indent] = [0, 0];
  for (; line[at] === " " || line[at] === "\t"; at += 1) indent += line[at] === "\t" ? 4 : 1;
  const silent = at === line.length || line[at] === "\r" || line[at] === "#" || line.startsWith("//", at);
  return silent ? Number.POSITIVE_INFINITY : indent;
}
