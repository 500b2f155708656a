import { Static, Text, useApp, useCursor, useStdout } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import type { StyledLine } from "../terminal/span.ts";
import type { Drawing } from "./drawing.ts";

export type Paint = (lines: StyledLine[]) => string;
export type Suspend = (work: () => Promise<void>) => Promise<void>;

export interface AppProps {
  drawing: Drawing;
  paint: Paint;
  /** Hands out ink's ways of giving the terminal to another program, and of writing above the live part. */
  onReady: (suspend: Suspend, write: (text: string) => void) => void;
}

/** A text of nothing has no row; a blank row is one blank. */
const pieceText = (rows: StyledLine[], paint: Paint): string => paint(rows) || " ";

/** The whole screen: what is finished is written once, above; the live part is one text of rows laid out before. */
export function App({ drawing, paint, onReady }: AppProps) {
  const { pieces, frame } = useSyncExternalStore(drawing.subscribe, drawing.snapshot);
  const { suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  const { write } = useStdout();
  useEffect(() => onReady(suspendTerminal, write), [onReady, suspendTerminal, write]);
  setCursorPosition(frame.cursor === undefined ? undefined : { x: frame.cursor.col, y: frame.cursor.row });
  return (
    <>
      <Static items={pieces}>{(rows, index) => <Text key={index}>{pieceText(rows, paint)}</Text>}</Static>
      <Text>{paint(frame.lines)}</Text>
    </>
  );
}
