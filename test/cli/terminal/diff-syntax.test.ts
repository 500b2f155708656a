import { beforeAll, describe, expect, it } from "vitest";
import { layoutDiff } from "../../../src/cli/terminal/diff-view.ts";
import { loadHighlighter } from "../../../src/cli/terminal/highlight.ts";
import { languageOf } from "../../../src/cli/terminal/language.ts";
import type { Highlight } from "../../../src/cli/terminal/markdown-theme.ts";
import { diffOf } from "../../../src/files/diff/diff.ts";
import type { NamedDiff } from "../../../src/files/diff/diff-text.ts";

let highlight: Highlight;
let asked: string[] = [];
beforeAll(async () => {
  const load = await loadHighlighter();
  highlight = (code, language, theme) => {
    asked.push(code);
    return load(code, language, theme);
  };
});

const changeOf = (before: string, after: string, name: string): NamedDiff => ({
  name,
  kind: "modify",
  ...diffOf(before, after, name),
});

/** What of the rows has one of the colours of code, with its row. */
function coloured(change: NamedDiff, from = 0, to = Number.POSITIVE_INFINITY): [string, string, string | undefined][] {
  asked = [];
  const rows = layoutDiff([change], 80, { names: false, highlight });
  return rows
    .slice(from, Math.min(to, rows.length))
    .flatMap(({ kind, spans }) =>
      spans
        .filter(({ color }) => ["keyword", "string", "number", "comment"].includes(color ?? ""))
        .map(({ text, color }): [string, string, string | undefined] => [kind, text, color]),
    );
}

describe("code in a diff", () => {
  it("has the colours of its language, on its tint", () => {
    const rows = layoutDiff([changeOf("const a = 1;\n", "const a = 2;\n", "a.ts")], 24, { names: false, highlight });
    expect(rows.slice(2, 3)[0]?.spans).toEqual([
      { background: "added", color: "addedSign", text: "+" },
      { background: "added", color: "keyword", text: "const" },
      { background: "added", text: " a = " },
      { background: "addedWord", color: "number", text: "2" },
      { background: "added", text: ";           " },
    ]);
  });
  it("keeps what began on a line above, on each side by itself", () => {
    const before = "a = `one\n  const two\n`;\nb = 3;\n";
    const after = "a = `one\n  const two\n  const more\n`;\nb = 3;\n";
    expect(coloured(changeOf(before, after, "a.ts"))).toEqual([
      ["context", "`one", "string"],
      ["context", "  const two", "string"],
      ["added", "  const more", "string"],
      ["context", "`", "string"],
      ["context", "3", "number"],
    ]);
    // Only the old text begins a comment; the new line below it is code.
    expect(coloured(changeOf("/* x\nlet a;\n*/\n", "var bcd = 1\n", "a.ts"))).toEqual([
      ["removed", "/* x", "comment"],
      ["removed", "let a;", "comment"],
      ["removed", "*/", "comment"],
      ["added", "var", "keyword"],
      ["added", "1", "number"],
    ]);
  });
  it("is plain where its language is not known, and where nobody brought colours", () => {
    expect(coloured(changeOf("let a\n", "let b\n", "a.unknown"))).toEqual([]);
    expect(asked).toEqual([]);
  });
  it("is plain in very long lines, which keep nothing from the lines around them", () => {
    const long = `let x = 1; ${"y".repeat(2_100)}`;
    expect(coloured(changeOf("let a\n", `${long}\nlet b\n`, "a.ts"))).toEqual([
      ["removed", "let", "keyword"],
      ["added", "let", "keyword"],
    ]);
  });
  it("is coloured in its first 500 lines, and only of the hunks that are looked at", () => {
    const before = "let a = 1;\n".repeat(10_000);
    const rows = coloured(changeOf("", before, "a.ts"), 480, 600);
    expect(rows.filter(([, text]) => text === "let")).toHaveLength(500 - 479);
    expect(asked.join("\n").split("\n").length).toBeLessThan(510);
    const hunks = Array.from({ length: 50 }, (_, at) => `let a${at} = 1;\n${"x;\n".repeat(20)}`).join("");
    coloured(changeOf(hunks, hunks.replaceAll("let", "var"), "a.ts"), 0, 5);
    expect(asked).toHaveLength(2);
  });
});

it.each([
  ["src/a.tsx", "typescript"],
  ["Dockerfile", "dockerfile"],
  ["build/Makefile", "makefile"],
  ["Cargo.TOML", "ini"],
  ['"quo\\"ted.py"', "python"],
  ["constructor", undefined],
  ["a", undefined],
  [".ts", "typescript"],
])("the language of %s is %s", (path, language) => expect(languageOf(path)).toBe(language));
