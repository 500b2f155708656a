import type { LanguageFn } from "highlight.js";
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

/**
 * Loads the highlighter and its two dozen languages (some 50 ms, so only when the first code or diff appears). Its result leaves
 * alone code of more than 500 lines or with a line of more than 2,048 characters.
 */
export async function loadHighlighter(): Promise<Highlight> {
  const [{ default: core }, ...languages] = await Promise.all([import("highlight.js/lib/core"), ...loadLanguages()]);
  const engine = core.newInstance();
  for (const { name, define } of languages) engine.registerLanguage(name, define);
  engine.registerAliases(["tsx", "mts", "cts"], { languageName: "typescript" });
  engine.registerAliases(["jsonc", "json5", "ndjson"], { languageName: "json" });
  return (code, language, theme) => {
    const lines = code.split("\n");
    if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE)) return undefined;
    if (engine.getLanguage(language) === undefined) return undefined;
    return toLines(engine.highlight(code, { language, ignoreIllegals: true }).value, theme);
  };
}

function loadLanguages(): Promise<{ name: string; define: LanguageFn }>[] {
  const loaders: Record<string, () => Promise<{ default: LanguageFn }>> = {
    bash: () => import("highlight.js/lib/languages/bash"),
    c: () => import("highlight.js/lib/languages/c"),
    cpp: () => import("highlight.js/lib/languages/cpp"),
    csharp: () => import("highlight.js/lib/languages/csharp"),
    css: () => import("highlight.js/lib/languages/css"),
    diff: () => import("highlight.js/lib/languages/diff"),
    dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
    go: () => import("highlight.js/lib/languages/go"),
    ini: () => import("highlight.js/lib/languages/ini"),
    java: () => import("highlight.js/lib/languages/java"),
    javascript: () => import("highlight.js/lib/languages/javascript"),
    json: () => import("highlight.js/lib/languages/json"),
    kotlin: () => import("highlight.js/lib/languages/kotlin"),
    lua: () => import("highlight.js/lib/languages/lua"),
    makefile: () => import("highlight.js/lib/languages/makefile"),
    markdown: () => import("highlight.js/lib/languages/markdown"),
    php: () => import("highlight.js/lib/languages/php"),
    python: () => import("highlight.js/lib/languages/python"),
    ruby: () => import("highlight.js/lib/languages/ruby"),
    rust: () => import("highlight.js/lib/languages/rust"),
    scss: () => import("highlight.js/lib/languages/scss"),
    sql: () => import("highlight.js/lib/languages/sql"),
    swift: () => import("highlight.js/lib/languages/swift"),
    typescript: () => import("highlight.js/lib/languages/typescript"),
    xml: () => import("highlight.js/lib/languages/xml"),
    yaml: () => import("highlight.js/lib/languages/yaml"),
  };
  return Object.entries(loaders).map(async ([name, load]) => ({ name, define: (await load()).default }));
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
