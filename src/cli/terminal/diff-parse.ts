export interface DiffEntry {
  kind: "added" | "removed" | "context" | "hunk" | "file" | "note";
  /** For content the line without its sign; otherwise the whole line. Not sanitised. */
  text: string;
  old?: number;
  new?: number;
}

export interface ParsedDiff {
  entries: DiffEntry[];
  /** Lines of the diff past the limits of lines and characters. */
  left: number;
}

/** A diff this long is not read by anyone; laying it out must not hold up the keys. UTF-16 units. */
const MAX_CHARACTERS = 4_000_000;

/** Where the reading stands: next line numbers (0 before the first hunk of a file) and what the hunk still holds. */
interface Place {
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
}

/**
 * The lines of a unified diff, of one file or several. Follows the counts of the hunk headers, so that a removed line which
 * reads `-- x` is not taken for a header. What is not a diff comes out as notes: nothing is dropped.
 */
export function parseDiff(diff: string, maxLines: number): ParsedDiff {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const entries: DiffEntry[] = [];
  const place: Place = { old: 0, new: 0, oldLeft: 0, newLeft: 0 };
  let characters = 0;
  let read = 0;
  for (const line of lines.slice(0, maxLines)) {
    characters += line.length;
    if (characters > MAX_CHARACTERS) break;
    entries.push(...readLine(line, place));
    read += 1;
  }
  return { entries, left: lines.length - read };
}

function readLine(line: string, place: Place): DiffEntry[] {
  if (line.startsWith("\\")) return [{ kind: "note", text: line }];
  if (place.oldLeft > 0 || place.newLeft > 0) return [content(line, place)];
  const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (hunk !== null) return startHunk(line, hunk, place);
  place.old = 0;
  return [{ kind: /^(?:---|\+\+\+) /.test(line) ? "file" : "note", text: line }];
}

function startHunk(line: string, hunk: RegExpExecArray, place: Place): DiffEntry[] {
  const before = place.old;
  place.old = Number(hunk[1]);
  place.new = Number(hunk[3]);
  place.oldLeft = Number(hunk[2] ?? 1);
  place.newLeft = Number(hunk[4] ?? 1);
  const skipped = before === 0 ? 0 : place.old - before;
  if (skipped <= 0) return [{ kind: "hunk", text: line }];
  const text = `⋯ ${skipped} unchanged ${skipped === 1 ? "line" : "lines"} ⋯`;
  return [
    { kind: "note", text },
    { kind: "hunk", text: line },
  ];
}

/** Reads one line of a hunk and moves `place` past it. */
function content(line: string, place: Place): DiffEntry {
  const text = line.slice(1);
  const sign = line.charAt(0);
  if (sign === "-") {
    place.oldLeft -= 1;
    place.old += 1;
    return { kind: "removed", text, old: place.old - 1 };
  }
  if (sign === "+") {
    place.newLeft -= 1;
    place.new += 1;
    return { kind: "added", text, new: place.new - 1 };
  }
  place.oldLeft -= 1;
  place.newLeft -= 1;
  place.old += 1;
  place.new += 1;
  return { kind: "context", text: sign === " " ? text : line, old: place.old - 1, new: place.new - 1 };
}
