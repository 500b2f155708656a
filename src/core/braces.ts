/**
 * All texts that the braces of a pattern stand for: `*.{ts,tsx}` -> `*.ts`, `*.tsx`. Braces may be nested, and `\{` is none.
 * @param limit braces multiply, and a short pattern can stand for millions.
 */
export function expandBraces(pattern: string, limit: number): string[] | "unbalanced" | "too many" {
  let texts = [pattern];
  for (;;) {
    const braced = texts.map((text) => ({ text, brace: firstBrace(text) }));
    if (braced.some(({ brace }) => brace === "unbalanced")) return "unbalanced";
    if (braced.every(({ brace }) => brace === undefined)) return texts;
    texts = braced.flatMap(({ text, brace }) =>
      brace === undefined || brace === "unbalanced"
        ? [text]
        : brace.parts.map((part) => text.slice(0, brace.from) + part + text.slice(brace.to)),
    );
    if (texts.length > limit) return "too many";
  }
}

/** The first `{...}` at the top level: where it begins, where it ends (after `}`), what stands between its commas. */
function firstBrace(text: string): { from: number; to: number; parts: string[] } | "unbalanced" | undefined {
  let depth = 0;
  let from = -1;
  const cuts: number[] = [];
  for (const { 0: mark, index } of text.matchAll(/\\.|[{},]/gsu)) {
    if (mark === "{" && depth === 0) from = index;
    if (mark === "," && depth === 1) cuts.push(index);
    depth += depthChange[mark] ?? 0;
    if (depth < 0) return "unbalanced";
    if (mark === "}" && depth === 0) return { from, to: index + 1, parts: partsBetween(text, [from, ...cuts, index]) };
  }
  return depth === 0 ? undefined : "unbalanced";
}

const depthChange: Record<string, number> = { "{": 1, "}": -1 };

const partsBetween = (text: string, marks: number[]): string[] =>
  marks.slice(1).map((mark, index) => text.slice((marks[index] ?? 0) + 1, mark));
