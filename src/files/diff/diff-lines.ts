import type { HunkLine } from "../../core/tool.ts";

/** A line as it was compared: a CR before its line ending still stands in the text. */
export interface PatchLine {
  kind: HunkLine["kind"];
  text: string;
  /** false: the text ends with it, without a line ending. */
  ended: boolean;
}

/**
 * Lines as a person reads them, with the CR of CR LF taken off the text. How a changed line ends is said where it has no
 * line ending, where it differs from its counterpart in nothing else, and, for CR LF, where its text has both endings.
 */
export function withEndings(lines: readonly PatchLine[], mixed: Record<"-" | "+", boolean>): HunkLine[] {
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
