import { type MarkdownOptions, renderMarkdown } from "./markdown.ts";
import { plainText, type StyledLine } from "./span.ts";
import { wrap } from "./width.ts";

/**
 * Markdown of which the reader must see all: rendered where the rows have each letter and digit of it, in its order, else as it is written. Markdown can
 * leave out some, such as cells beyond a table's last column or what stands behind a fence's language.
 * @param text safe to draw
 */
export function wholeMarkdown(text: string, width: number, options: MarkdownOptions = {}): StyledLine[] {
  const rows = renderMarkdown(text, width, options);
  const drawn = rows.map(plainText).join("\n");
  return saidBy(drawn) === saidBy(withoutLanguages(text))
    ? rows
    : wrap(text.trimEnd(), width).map((line) => [{ text: line }]);
}

const saidBy = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, "");

/** Fences without the one word that names the language of what they hold. */
const withoutLanguages = (text: string): string =>
  text.replace(/^([ >]*(?:`{3,}|~{3,}))[ \t]*[\w+#-]{1,20}[ \t]*$/gm, "$1");
