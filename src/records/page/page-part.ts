import type { JsonObject } from "../../core/json.ts";
import type { Hunk, HunkLine } from "../../core/tool.ts";
import type { Change } from "../../files/diff/diff-text.ts";
import type { Redactor } from "../redact.ts";

/** Whose words they are; `steer`: said by the person while the turn ran. */
export type Speaker = "person" | "steer" | "agent";

/** The state of a call, as far as its colour goes. */
export type Mark = "done" | "failed" | "denied" | "open";

/**
 * A page for people piece by piece, in its order. Its own words are labels, how a call ended, and the titles of turns and folds; all else is somebody's, which no
 * writer of a page may take for anything but text. What is opened is closed again, the last first.
 */
export type PagePart =
  | { kind: "title"; text: string }
  | { kind: "facts"; rows: readonly string[] }
  | { kind: "words"; who: Speaker; text: string }
  | { kind: "text"; label: string; text: string }
  | { kind: "json"; label: string; value: JsonObject }
  | { kind: "change"; label: string; change: Change }
  | { kind: "open"; what: "turn" | "helper" | "fold"; title: string }
  /** `decided`: in short the last that was decided about it, and whether it was taken back. */
  | { kind: "open"; what: "call"; title: string; name: string; end: string; mark: Mark; decided?: string }
  | { kind: "close" };

/** Takes secrets out; `look` counts none, for it only tries. */
export interface Cleaner {
  clean: Redactor["clean"];
  look: Redactor["clean"];
}

/** A part without secrets. */
export function cleanPart(part: PagePart, cleaner: Cleaner): PagePart {
  const { clean } = cleaner;
  switch (part.kind) {
    case "title":
    case "words":
    case "text":
      return { ...part, text: clean(part.text) };
    case "facts":
      return { ...part, rows: part.rows.map((row) => clean(row)) };
    case "json":
      return { ...part, value: clean(part.value) };
    case "change":
      return { ...part, change: cleanChange(part.change, cleaner) };
    case "open": {
      const title = clean(part.title);
      if (part.what !== "call") return { ...part, title };
      const decided = part.decided === undefined ? {} : { decided: clean(part.decided) };
      return { ...part, title, name: clean(part.name), ...decided };
    }
    case "close":
      return part;
  }
}

function cleanChange(change: Change, cleaner: Cleaner): Change {
  const { clean } = cleaner;
  if (typeof change === "string") return clean(change);
  return { ...change, name: clean(change.name), hunks: change.hunks.map((hunk) => cleanHunk(hunk, cleaner)) };
}

/** A secret may go over several lines: then the hunk has all that was there before, and behind it all that is there after. */
function cleanHunk(hunk: Hunk, { clean, look }: Cleaner): Hunk {
  const { section, lines } = hunk;
  const title = section === undefined ? {} : { section: clean(section) };
  const sides = (["-", "+"] as const).map((kind) => {
    const own = lines.filter((line) => line.kind === kind || line.kind === " ").map(({ text }) => text);
    const text = own.join("\n");
    const looked = look(text);
    return { kind, text, isClean: looked === text, isByLine: looked === own.map((one) => look(one)).join("\n") };
  });
  if (sides.every(({ isClean }) => isClean)) return { ...hunk, ...title };
  const byLine = sides.every(({ isByLine }) => isByLine);
  const cleaned = byLine
    ? lines.map((line): HunkLine => ({ ...line, text: clean(line.text) }))
    : sides.flatMap(({ kind, text }) =>
        clean(text)
          .split("\n")
          .map((one): HunkLine => ({ kind, text: one })),
      );
  return { ...hunk, ...title, lines: cleaned };
}
