import { useApp, useCursor, useStdout } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import type { Block } from "../draw/block.ts";
import { type Paint, Painting } from "../draw/rows.tsx";
import { Written } from "../transcript/written.tsx";
import type { Drawing } from "./drawing.ts";
import { Live } from "./live.tsx";
import type { Frame } from "./live-frame.ts";

/**
 * Returns the place where the cursor is left. Where nothing is typed it rests, hidden, on the first row: a terminal that becomes lower
 * drops the rows below its cursor, and keeps those above it for ever.
 */
export const restingPlace = ({ cursor, lines }: Frame): Block["cursor"] =>
  cursor ?? (lines.length === 0 ? undefined : { row: 0, col: 0 });

export type Suspend = (work: () => Promise<void>) => Promise<void>;

export interface AppProps {
  drawing: Drawing;
  paint: Paint;
  /** Hands out ink's ways of giving the terminal to another program, and of writing above the live part. */
  onReady: (suspend: Suspend, write: (text: string) => void) => void;
}

/** The whole screen: what is finished is written once, above; below it the live part. */
export function App({ drawing, paint, onReady }: AppProps) {
  const { pieces, frame } = useSyncExternalStore(drawing.subscribe, drawing.snapshot);
  const { suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  const { write } = useStdout();
  useEffect(() => onReady(suspendTerminal, write), [onReady, suspendTerminal, write]);
  const cursor = restingPlace(frame);
  setCursorPosition(cursor === undefined ? undefined : { x: cursor.col, y: cursor.row });
  return (
    <Painting value={paint}>
      <Written pieces={pieces} />
      <Live parts={frame.parts} />
    </Painting>
  );
}
