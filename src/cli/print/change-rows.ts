import type { Change } from "../../files/diff/diff-text.ts";
import { toAnsi } from "../terminal/colors.ts";
import { layoutDiff, sideBySideFrom } from "../terminal/diff-view.ts";
import { loadHighlighter } from "../terminal/highlight.ts";
import type { StyledLine } from "../terminal/span.ts";
import type { Page } from "./page.ts";

type Lines = (changes: readonly Change[], width: number) => StyledLine[];

async function layoutFor({ theme }: Page): Promise<Lines> {
  const plain = theme.name === "none";
  const highlight = plain ? undefined : await loadHighlighter();
  return (changes, width) => {
    const rows = layoutDiff(changes, width, { highlight, brackets: plain, sideBySide: width >= sideBySideFrom });
    return rows.slice(0, rows.length).map(({ spans }) => spans);
  };
}

/** Changes as rows for a terminal of this width, as the chat draws them: to be given to `printRows` with the same page. */
export const changeRows = async (changes: readonly Change[], width: number, page: Page): Promise<StyledLine[]> =>
  (await layoutFor(page))(changes, width);

/** Returns the function that draws changes on this page, as text; undefined where it is no terminal. */
export async function changeDrawing(page: Page): Promise<((changes: readonly Change[]) => string) | undefined> {
  const { width, support, theme } = page;
  if (width === undefined) return undefined;
  const lines = await layoutFor(page);
  return (changes) =>
    lines(changes, width)
      .map((row) => `${toAnsi(row, support, theme)}\n`)
      .join("");
}
