import type { Change } from "../../files/diff-text.ts";
import { layoutDiff, sideBySideFrom } from "../terminal/diff-view.ts";
import { loadHighlighter } from "../terminal/highlight.ts";
import type { StyledLine } from "../terminal/span.ts";
import type { Page } from "./page.ts";

/** Changes as rows for a terminal of this width, as the chat draws them: to be given to `printRows` with the same page. */
export async function changeRows(changes: readonly Change[], width: number, { theme }: Page): Promise<StyledLine[]> {
  const plain = theme.name === "none";
  const highlight = plain ? undefined : await loadHighlighter();
  const rows = layoutDiff(changes, width, { highlight, brackets: plain, sideBySide: width >= sideBySideFrom });
  return rows.slice(0, rows.length).map(({ spans }) => spans);
}
