import { structuredPatch } from "diff";
import { noFinalNewline, readableHunk } from "./diff-lines.ts";

/**
 * Beyond this many changed lines the search for a small diff is given up: it would block for seconds. A count and not
 * a time, for the same texts must give the same diff on any machine.
 */
const maxEditLength = 1_500;
const mostLines = 4_000;
const mostCharacters = 400_000;
const bom = "\uFEFF";

/**
 * A unified diff for a person, empty where nothing changes. Changes that a screen does not show (byte order mark, line
 * endings, missing final newline) stand in lines that begin with a backslash. Where the texts have too little in common
 * it begins with `\ file rewritten: -N +M lines`; what is not shown of a very long diff is counted in its last line.
 * @param was, is whole texts, with their byte order marks and line endings; null where there is no file.
 */
export function unifiedDiff(was: string | null, is: string | null, path: string): string {
  if (was === is) return "";
  const [before, after] = [was ?? "", is ?? ""];
  const quoted = path.startsWith('"'); // by who knows it to be told to a person
  const name = !quoted && /[\x00-\x1f"\\\x7f]/.test(path) ? JSON.stringify(path) : path;
  const head = [...headOf(was !== null, is !== null, name), ...invisibleChanges(before, after)];
  const [old, fresh] = [plain(before), plain(after)];
  if (old === fresh) return `${head.join("\n")}\n`;
  if (old === "" || fresh === "") return `${[...head, ...bounded(wholeFile(old, fresh))].join("\n")}\n`;
  const patch = structuredPatch(name, name, old, fresh, undefined, undefined, { context: 3, maxEditLength });
  const body = patch === undefined ? rewritten(old, fresh) : patch.hunks.flatMap(hunkLines);
  return `${[...head, ...bounded(body)].join("\n")}\n`;
}

/** The two lines that name the file, as git writes them. */
export const headOf = (was: boolean, is: boolean, name: string): [string, string] => [
  `--- ${was ? `a/${name}` : "/dev/null"}`,
  `+++ ${is ? `b/${name}` : "/dev/null"}`,
];

/** Lines added and removed, those that the diff counts without showing included. */
export function countChanges(diff: string): { added: number; removed: number } {
  const count = { added: 0, removed: 0 };
  let inHunk = false;
  for (const line of diff.split("\n")) {
    if (line.startsWith("@@ ")) inHunk = true;
    else if (line.startsWith("\\ ")) addCounted(line, count);
    else if (inHunk && line.startsWith("+")) count.added += 1;
    else if (inHunk && line.startsWith("-")) count.removed += 1;
  }
  return count;
}

const counted = /^\\ not shown: -(\d+) \+(\d+) lines/;

function addCounted(line: string, count: { added: number; removed: number }): void {
  const match = counted.exec(line);
  if (match === null) return;
  count.removed += Number(match[1]);
  count.added += Number(match[2]);
}

function invisibleChanges(before: string, after: string): string[] {
  const notes: string[] = [];
  if (before !== "" && after !== "" && before.startsWith(bom) !== after.startsWith(bom)) {
    notes.push(`\\ byte order mark ${after.startsWith(bom) ? "added" : "removed"}`);
  }
  const [old, fresh] = [endings(before), endings(after)];
  if (old !== fresh && old !== "none" && fresh !== "none") notes.push(`\\ line endings: ${old} -> ${fresh}`);
  return notes;
}

/** CR alone counts as a line ending only in a file that has no other. */
function endings(text: string): string {
  const all = text.match(/\r?\n/g);
  if (all === null) return text.includes("\r") ? "CR" : "none";
  const crlf = all.filter((ending) => ending === "\r\n").length;
  return crlf === 0 ? "LF" : crlf === all.length ? "CRLF" : "mixed";
}

function plain(text: string): string {
  const body = text.startsWith(bom) ? text.slice(1) : text;
  return endings(body) === "CR" ? body.replaceAll("\r", "\n") : body;
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

const hunkLines = (hunk: Hunk): string[] => [
  `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
  ...readableHunk(hunk.lines),
];

/** A text that appears or goes as a whole. */
function wholeFile(before: string, after: string): string[] {
  const [text, sign] = before === "" ? [after, "+"] : [before, "-"];
  const lines = linesOf(text);
  const range = sign === "+" ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const rest = Math.max(0, lines.length - mostLines);
  return [
    `@@ ${range} @@`,
    ...readableHunk(lines.slice(0, mostLines).map((line) => sign + line)),
    ...(sign === "+" ? notShown(0, rest) : notShown(rest, 0)),
    ...(text.endsWith("\n") ? [] : [noFinalNewline]),
  ];
}

function rewritten(before: string, after: string): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shown = Math.floor(mostLines / 20);
  const side = (lines: string[], sign: string): string[] => lines.slice(0, shown).map((line) => sign + line);
  const rest = (lines: string[]): number => Math.max(0, lines.length - shown);
  return [
    `\\ file rewritten: -${old.length} +${fresh.length} lines`,
    ...finalNewline(before.endsWith("\n"), after.endsWith("\n")),
    `@@ -1,${old.length} +1,${fresh.length} @@`,
    ...readableHunk([...side(old, "-"), ...side(fresh, "+")]),
    ...notShown(rest(old), rest(fresh)),
  ];
}

const finalNewline = (had: boolean, has: boolean): string[] =>
  had === has ? [] : [`\\ final newline ${has ? "added" : "removed"}`];

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function bounded(lines: string[]): string[] {
  let characters = 0;
  const end = lines.findIndex((line, index) => {
    characters += line.length + 1;
    return index >= mostLines || characters > mostCharacters;
  });
  if (end === -1) return lines;
  const rest = countChanges(`@@ \n${lines.slice(end).join("\n")}`);
  return [...lines.slice(0, end), ...notShown(rest.removed, rest.added)];
}

const notShown = (removed: number, added: number): string[] =>
  removed + added === 0 ? [] : [`\\ not shown: -${removed} +${added} lines`];
