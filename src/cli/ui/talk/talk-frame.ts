import { talk as words } from "../../../words/en/talk.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { type FullFrame, fullFrame } from "../full-view/full-frame.ts";
import type { Layouts } from "../question/body-lines.ts";
import type { Talk } from "./talk-state.ts";

export interface TalkPlace {
  columns: number;
  rows: number;
  layouts: Pick<Layouts, "talk">;
}

/** The talk on the whole screen. @param head stands above it, as wide as it may be */
export function talkFrame(
  { items, reader, follows }: Talk,
  head: (columns: number) => StyledLine,
  { columns, rows, layouts }: TalkPlace,
): FullFrame {
  const at = follows ? { ...reader, top: Number.MAX_SAFE_INTEGER, place: undefined } : reader;
  const full = {
    head: (width: number): StyledLine[] => [head(width)],
    files: [],
    lay: (width: number) => layouts.talk(items, width),
    hints: words().hints,
  };
  return fullFrame(at, full, { columns, rows });
}
