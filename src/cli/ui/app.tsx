import { Static, Text, useApp, useCursor } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import type { Highlight } from "../terminal/markdown-theme.ts";
import type { StyledLine } from "../terminal/span.ts";
import type { Drawing } from "./drawing.ts";
import { isApart, itemLines } from "./item-lines.ts";
import type { Item } from "./view.ts";

export type Paint = (lines: StyledLine[]) => string;
type Suspend = (work: () => Promise<void>) => Promise<void>;

export interface AppProps {
  drawing: Drawing;
  columns: () => number;
  paint: Paint;
  /** Hands out ink's way of giving the terminal to another program. */
  onReady: (suspend: Suspend) => void;
}

interface DoneProps {
  item: Item;
  before: Item | undefined;
  columns: number;
  paint: Paint;
  highlight: Highlight | undefined;
}

function Done({ item, before, columns, paint, highlight }: DoneProps) {
  const rows = itemLines(item, columns, highlight);
  const text = paint(isApart(item, before) ? [[], ...rows] : rows);
  return text === "" ? null : <Text>{text}</Text>;
}

/** The whole screen: what is finished is written once, above; the live part is one text of rows laid out before. */
export function App({ drawing, columns, paint, onReady }: AppProps) {
  const { items, frame, highlight } = useSyncExternalStore(drawing.subscribe, drawing.snapshot);
  const { suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
  setCursorPosition(frame.cursor === undefined ? undefined : { x: frame.cursor.col, y: frame.cursor.row });
  return (
    <>
      <Static items={items}>
        {(item, index) => (
          <Done
            key={index}
            item={item}
            before={items[index - 1]}
            columns={columns()}
            paint={paint}
            highlight={highlight}
          />
        )}
      </Static>
      <Text>{paint(frame.lines)}</Text>
    </>
  );
}
