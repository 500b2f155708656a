import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { HunkLine } from "../../core/tool.ts";
import { type Change, cut, diffText, mostShown, type NamedDiff } from "./diff-text.ts";

/** What a result's `metadata.changes` keeps: enough for a card. The whole change is in the call's plan. */
export interface RecordedDiff {
  changes: Change[];
  /** Changed lines that it does not carry. */
  left: number;
}

const keptLines = 40;
const keptCharacters = 8_000;

/**
 * Of changes that were carried out, for a result's metadata: `diff`, their text for other programs, and `changes`, the beginning of
 * them for a card.
 */
export function recordedDiff(diffs: readonly NamedDiff[]): { diff: string; changes: Json } {
  const takes = beginning();
  let left = 0;
  const changes = diffs.map((diff): NamedDiff => {
    const { hunks, rest } = cut(diff, takes);
    left += rest.added + rest.removed;
    return { ...diff, hunks };
  });
  return { diff: diffText(diffs, mostShown), changes: { changes, left } satisfies RecordedDiff as unknown as Json };
}

function beginning(): (line: HunkLine) => boolean {
  let [lines, characters] = [0, 0];
  return ({ text }) => {
    lines += 1;
    characters += text.length;
    return lines <= keptLines && characters <= keptCharacters;
  };
}

/** What `recordedDiff` made, or the text of another tool or an older store; undefined for anything else and for no change. */
export function readRecordedDiff(metadata: JsonObject): RecordedDiff | undefined {
  const value = metadata["changes"] ?? metadata["diff"];
  if (typeof value === "string") return value === "" ? undefined : { changes: [value], left: 0 };
  if (!isJsonObject(value)) return undefined;
  const { changes, left } = value;
  if (!Array.isArray(changes) || changes.length === 0 || !changes.every(isNamedDiff)) return undefined;
  return { changes: changes as unknown as NamedDiff[], left: typeof left === "number" ? left : 0 };
}

function isNamedDiff(value: Json): boolean {
  if (!isJsonObject(value) || typeof value["name"] !== "string" || typeof value["kind"] !== "string") return false;
  const { added, removed, hunks, notes } = value;
  if (typeof added !== "number" || typeof removed !== "number" || !Array.isArray(hunks)) return false;
  return hunks.every(isHunk) && (notes === undefined || (Array.isArray(notes) && notes.every(isJsonObject)));
}

function isHunk(value: Json): boolean {
  if (!isJsonObject(value) || !Array.isArray(value["lines"])) return false;
  const numbers = ["oldStart", "oldLines", "newStart", "newLines"].map((key) => value[key]);
  return numbers.every((one) => typeof one === "number") && value["lines"].every(isLine);
}

const isLine = (line: Json): boolean =>
  isJsonObject(line) && [" ", "-", "+"].includes(String(line["kind"])) && typeof line["text"] === "string";
