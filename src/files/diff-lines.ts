/** A line of a hunk may have this many characters before its middle is left out. */
const longestLine = 2_000;
const shownOfLongLine = 600;

/**
 * Lines of one hunk as a person reads them. Line endings other than \n are taken off the text; where a removed and an
 * added line differ in nothing else, each says which it has. Very long lines keep what changed and say what is left out.
 */
export function readableHunk(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = changeBlock(lines, at);
    if (block.removed.length + block.added.length === 0) {
      shown.push(shorten(withoutReturn(lines[at] ?? "")));
      at += 1;
      continue;
    }
    shown.push(...readableBlock(block));
    at += block.length;
  }
  return shown;
}

interface Block {
  removed: string[];
  added: string[];
  /** Lines of the hunk that it spans, the notes about a missing final newline included. */
  length: number;
  unended: { removed: boolean; added: boolean };
}

export const noFinalNewline = "\\ No newline at end of file";

function changeBlock(lines: readonly string[], start: number): Block {
  const block: Block = { removed: [], added: [], length: 0, unended: { removed: false, added: false } };
  for (const line of lines.slice(start)) {
    if (!takeLine(block, line)) break;
    block.length += 1;
  }
  return block;
}

/** @returns false where the line does not belong to the block any more. */
function takeLine(block: Block, line: string): boolean {
  if (line.startsWith("-") && block.added.length === 0) block.removed.push(line.slice(1));
  else if (line.startsWith("+")) block.added.push(line.slice(1));
  else if (line === noFinalNewline && block.length > 0) {
    block.unended[block.added.length > 0 ? "added" : "removed"] = true;
  } else return false;
  return true;
}

function readableBlock(block: Block): string[] {
  const side = (lines: string[], others: string[], sign: string, unended: boolean): string[] => [
    ...lines.flatMap((line, index) => readableLine(sign, line, others[index])),
    ...(unended ? [noFinalNewline] : []),
  ];
  return [
    ...side(block.removed, block.added, "-", block.unended.removed),
    ...side(block.added, block.removed, "+", block.unended.added),
  ];
}

function readableLine(sign: string, line: string, other: string | undefined): string[] {
  const text = withoutReturn(line);
  const shown = sign + (other === undefined ? shorten(text) : shortenAround(text, withoutReturn(other)));
  const onlyEnding = other !== undefined && line !== other && text === withoutReturn(other);
  return onlyEnding ? [shown, `\\ ends with ${line.endsWith("\r") ? "CRLF" : "LF"}`] : [shown];
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

function shorten(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, shownOfLongLine)}${leftOut(line.length - 2 * shownOfLongLine)}${line.slice(-shownOfLongLine)}`;
}

/** Of a long line, the part in which it differs from its counterpart, and a little on both sides. */
function shortenAround(line: string, other: string): string {
  if (line.length <= longestLine) return line;
  let start = 0;
  while (start < line.length && line[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(line.length, other.length) - start;
  while (end < most && line[line.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const from = Math.max(0, start - 80);
  const to = Math.min(line.length, line.length - end + 80);
  return `${leftOut(from)}${shorten(line.slice(from, to))}${leftOut(line.length - to)}`;
}

const leftOut = (characters: number): string => (characters > 0 ? `…(${characters} characters not shown)…` : "");
