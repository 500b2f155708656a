import { Static } from "ink";
import type { StyledLine } from "../../terminal/span.ts";
import { Rows } from "../draw/rows.tsx";

/** The finished pieces: each is written once, above the live part, and never again. */
export const Written = ({ pieces }: { pieces: StyledLine[][] }) => (
  <Static items={pieces}>{(rows, index) => <Rows key={index} lines={rows} />}</Static>
);
