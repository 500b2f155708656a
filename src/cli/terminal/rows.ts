import type { StyledLine } from "./span.ts";

/** Rows of which only those that are looked at need to exist. An array of rows is one. */
export interface Rows {
  readonly length: number;
  slice(from: number, to: number): StyledLine[];
}

/** Rows one below the other. */
export function stacked(parts: readonly Rows[]): Rows {
  return {
    length: parts.reduce((sum, part) => sum + part.length, 0),
    slice: (from, to) => {
      const found: StyledLine[] = [];
      let top = 0;
      for (const part of parts) {
        const [start, end] = [Math.max(0, from - top), Math.min(part.length, to - top)];
        if (start < end) found.push(...part.slice(start, end));
        top += part.length;
      }
      return found;
    },
  };
}
