import { loadApart } from "../../core/load-apart.ts";
import { parts } from "../../words/en/parts.ts";
import type { Highlight, MarkdownTheme } from "./markdown-theme.ts";
import type { Span, SpanStyle, StyledLine } from "./span.ts";

const MAX_LINES = 500;
const MAX_LINE = 2048;

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** Loads the engine that colours code, so that it is there when it is needed, whatever an update takes away until then. */
export const loadEngine = () => loadApart(parts().colours, () => import("./highlight-engine.ts"));

/**
 * Makes the highlighter with its two dozen languages (some 50 ms, so only when the first code or diff appears). Its result leaves
 * alone code of more than 500 lines or with a line of more than 2,048 characters.
 */
export async function loadHighlighter(): Promise<Highlight> {
  const engine = (await loadEngine()).newEngine();
  return (code, language, theme) => {
    const lines = code.split("\n");
    if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE)) return undefined;
    if (engine.getLanguage(language) === undefined) return undefined;
    return toLines(engine.highlight(code, { language, ignoreIllegals: true }).value, theme);
  };
}

/** The highlighter's HTML (nothing but spans and five entities) as styled lines. */
function toLines(html: string, theme: MarkdownTheme): StyledLine[] {
  const lines: StyledLine[] = [[]];
  const styles: SpanStyle[] = [{}];
  for (const [token, opened, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    if (opened !== undefined) styles.push({ ...styles.at(-1), ...styleOf(opened, theme) });
    else if (text === undefined && token !== "") styles.pop();
    else append(lines, text ?? "", styles.at(-1) ?? {});
  }
  return lines;
}

function append(lines: StyledLine[], text: string, style: SpanStyle): void {
  const plain = text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
  for (const [index, part] of plain.split("\n").entries()) {
    if (index > 0) lines.push([]);
    const span: Span = { ...style, text: part };
    if (part !== "") lines.at(-1)?.push(span);
  }
}

/** `hljs-title function_` is a title first, a function second. */
function styleOf(classes: string, theme: MarkdownTheme): SpanStyle {
  const scopes = classes.split(" ").map((scope) => scope.replace(/^hljs-/, "").replace(/_$/, ""));
  const known = scopes.find((scope) => theme.syntax[scope] !== undefined);
  return known === undefined ? {} : (theme.syntax[known] ?? {});
}
