import { Box, Text } from "ink";
import { createContext, useContext } from "react";
import type { StyledLine } from "../../terminal/span.ts";
import type { Block } from "./block.ts";

export type Paint = (lines: StyledLine[]) => string;

/** The function that turns styled rows into text for this terminal. */
export const Painting = createContext<Paint>(() => "");

/** The data that a part of the screen is drawn from: its rows, laid out for the space that it was given, and the blank rows above it. */
export interface PartProps {
  block: Block;
  gap: number;
}

/** Rows that are laid out already. A text of nothing has no row, so a blank row is one blank. */
export function Rows({ lines }: { lines: StyledLine[] }) {
  const paint = useContext(Painting);
  return lines.length === 0 ? null : <Text>{paint(lines) || " "}</Text>;
}

/** The box of a part. */
export const PartBox = ({ block, gap }: PartProps) => (
  <Box marginTop={gap}>
    <Rows lines={block.lines} />
  </Box>
);
