import type { DiffEntry } from "./diff-entries.ts";
import { placing, zipped } from "./diff-pairs.ts";
import { countRows, type Frame, type Unit, unitRows, unitsOf } from "./diff-rows.ts";
import { mergeSpans, plainText, type Span, type StyledLine } from "./span.ts";
import { cells } from "./width.ts";

/** An old line, or a piece of it, beside what stands in its place. */
export interface Pair {
  left: Unit | undefined;
  right: Unit | undefined;
}

export interface Sides {
  left: Frame;
  right: Frame;
}

const between: Span = { color: "faint", text: " │ " };
const numbersFrom = 24;

/** Both halves of a frame, with line numbers where there is room for them. */
export function sidesOf(frame: Frame): Sides {
  const room = Math.max(2, frame.width - between.text.length);
  const half = (width: number, side: "old" | "new"): Frame => ({
    ...frame,
    side,
    width,
    digits: width < numbersFrom ? 0 : frame.digits,
  });
  const width = Math.floor(room / 2);
  return { left: half(width, "old"), right: half(room - width, "new") };
}

/** The lines of a change with old ones beside new ones; what belongs to no line of a file that stays goes over the whole width. */
export function pairsOf(entries: readonly DiffEntry[], frame: Frame, sides: Sides): (Unit | Pair)[] {
  const blocks: (Unit | Pair)[] = [];
  const inPlace = placing((group: Group) => group[0]?.text ?? "");
  let old: Group[] = [];
  let fresh: Group[] = [];
  const close = (): void => {
    for (const [one, other] of inPlace(old, fresh)) blocks.push(...beside(one ?? [], other ?? [], sides));
    old = [];
    fresh = [];
  };
  for (const entry of entries) {
    const last = fresh.at(-1) ?? old.at(-1);
    if (entry.hunk?.bothSides !== true) {
      close();
      blocks.push(...unitsOf(entry, frame));
    } else if (entry.kind === "removed") {
      if (fresh.length > 0) close();
      old.push([entry]);
    } else if (entry.kind === "added") fresh.push([entry]);
    else if (entry.kind === "note" && last !== undefined) last.push(entry);
    else {
      close();
      blocks.push(...beside([entry], [entry], sides));
    }
  }
  close();
  return blocks;
}

/** A line with the notes on it. */
type Group = DiffEntry[];

function beside(old: Group, fresh: Group, { left, right }: Sides): Pair[] {
  return zipped(old, fresh).flatMap(([one, other]) =>
    zipped(one === undefined ? [] : unitsOf(one, left), other === undefined ? [] : unitsOf(other, right)).map(
      ([piece, opposite]) => ({ left: piece, right: opposite }),
    ),
  );
}

/** As many rows as `pairRows` makes. */
export const countPair = ({ left, right }: Pair, sides: Sides): number =>
  Math.max(
    left === undefined ? 0 : countRows(left, sides.left),
    right === undefined ? 0 : countRows(right, sides.right),
  );

export function pairRows({ left, right }: Pair, sides: Sides): StyledLine[] {
  const old = left === undefined ? [] : unitRows(left, sides.left);
  const fresh = right === undefined ? [] : unitRows(right, sides.right);
  return zipped(old, fresh).map(([one = [], other = []]) =>
    mergeSpans([...padded(one, sides.left.width), between, ...other]),
  );
}

const padded = (row: StyledLine, width: number): StyledLine => [
  ...row,
  { text: " ".repeat(Math.max(0, width - cells(plainText(row)))) },
];
