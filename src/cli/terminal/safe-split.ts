interface Scan {
  /** Mark of the open code fence, "" outside one. */
  fence: string;
  /** A list that later lines may belong to, blank lines between them or not. */
  list: boolean;
  /** Index up to which the text is finished. */
  safe: number;
}

interface Line {
  text: string;
  start: number;
  /** Index after its line end. */
  end: number;
  /** Its line end has come. */
  whole: boolean;
  afterBlank: boolean;
}

/**
 * Parts streamed markdown after its last finished block: `done` can be rendered for good, `tail` may still change. The parts
 * joined are the text. A code fence that is open, and a list that may go on, stay in the tail.
 */
export function safeSplit(text: string): [done: string, tail: string] {
  const lines = text.split("\n");
  let scan: Scan = { fence: "", list: false, safe: 0 };
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const end = start + line.length + 1;
    const afterBlank = index > 0 && lines[index - 1]?.trim() === "";
    scan = next(scan, { text: line, start, end, whole: index < lines.length - 1, afterBlank });
    start = end;
  }
  return [text.slice(0, scan.safe), text.slice(scan.safe)];
}

function next(scan: Scan, line: Line): Scan {
  if (scan.fence !== "") {
    if (!line.whole || !closes(line.text, scan.fence)) return scan;
    return { ...scan, fence: "", safe: scan.list ? scan.safe : line.end };
  }
  const fence = opened(line.text);
  if (line.afterBlank && /^\S/.test(line.text)) return { fence, list: isListItem(line.text), safe: line.start };
  if (line.text.trim() !== "") return { ...scan, fence, list: scan.list || isListItem(line.text) };
  return scan.list || !line.whole ? scan : { ...scan, safe: line.end };
}

function isListItem(line: string): boolean {
  return /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line);
}

function opened(line: string): string {
  const mark = /^\s*(`{3,}|~{3,})(.*)$/s.exec(line);
  if (mark === null || (mark[1]?.startsWith("`") && mark[2]?.includes("`"))) return "";
  return mark[1] ?? "";
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.startsWith(fence) && mark === fence.charAt(0).repeat(mark.length);
}
