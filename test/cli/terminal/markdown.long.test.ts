import { describe, expect, it } from "vitest";
import { loadHighlighter } from "../../../src/cli/terminal/highlight.ts";
import { renderMarkdown, safeSplit } from "../../../src/cli/terminal/markdown.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { cells } from "../../../src/cli/terminal/width.ts";

function rendered(text: string, width = 60): string[] {
  return renderMarkdown(text, width).map((line) => plainText(line).trimEnd());
}

describe("markdown is drawn", () => {
  it("with headings, emphasis and code", () => {
    expect(renderMarkdown("## Hi **you**\n\nuse `x` *now*", 40)).toEqual([
      [
        { dim: true, text: "## " },
        { bold: true, text: "Hi you" },
      ],
      [],
      [{ text: "use " }, { color: "cyan", text: "x" }, { text: " " }, { italic: true, text: "now" }],
    ]);
  });
  it("with nested lists, numbers and tasks", () => {
    expect(rendered("- one\n  1. deep\n  2. deeper\n- [x] done\n- [ ] open\n\n9. nine\n10. ten")).toEqual([
      "• one",
      "  1. deep",
      "  2. deeper",
      "• [x] done",
      "• [ ] open",
      "",
      " 9. nine",
      "10. ten",
    ]);
  });
  it("with quotes in quotes, wrapped under their bar", () => {
    expect(rendered("> one two three four\n>> inner", 12)).toEqual(["│ one two", "│ three four", "│", "│ │ inner"]);
  });
  it("with tables in cells, not characters", () => {
    expect(rendered("|a|b|\n|-|-:|\n|日本|1|\n|x|22|")).toEqual(["a    │  b", "─────┼───", "日本 │  1", "x    │ 22"]);
  });
  it("with a table too narrow for columns as a list", () => {
    expect(rendered("|name|kind|why|\n|-|-|-|\n|alpha|beta|gamma|", 14)).toEqual([
      "name: alpha",
      "kind: beta",
      "why: gamma",
    ]);
  });
  it("with the address of a link beside its text", () => {
    expect(rendered("[bank](https://evil.example) ![i](u.png) https://a.b")).toEqual([
      "bank (https://evil.example) [image: i] (u.png) https://a.b",
    ]);
  });
});

describe("nothing is hidden", () => {
  it("shows HTML, comments and link definitions as text", () => {
    const text = "a <b onclick=x>b</b>\n\n<!-- secret -->\n\n[ref]: https://x.y\n\n<script>alert(1)</script>";
    expect(rendered(text).filter((line) => line !== "")).toEqual([
      "a <b onclick=x>b</b>",
      "<!-- secret -->",
      "[ref]: https://x.y",
      "<script>alert(1)</script>",
    ]);
  });
  it("does not let a character reference become a control character", () => {
    const drawn = rendered(
      "x &#27;[31m &#x202e; `&#7;` [l&#27;](http://a&#27;b) &lt;ok&gt;\n\n# &#27;]52;c;x&#7;",
    ).join("\n");
    expect(drawn).toContain("x &#27;[31m &#x202e; &#7; l&#27; (http://a&#27;b) <ok>");
    expect(drawn).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
  it("sanitises before it parses", () => {
    expect(rendered("**a\x1b]0;t\x07b**\u202e")).toEqual(["ab‹U+202E›"]);
  });
});

describe("code", () => {
  it("is coloured line by line, its text unchanged", async () => {
    const highlight = await loadHighlighter();
    const code = 'const a = "<x>"; // 1 & 2\n/* two\nlines */';
    const lines = renderMarkdown(`\`\`\`ts\n${code}\n\`\`\``, 60, { highlight });
    expect(lines.map(plainText).join("\n")).toBe(code.replace(/^/gm, "  "));
    expect(lines[0]).toContainEqual({ color: "keyword", text: "const" });
    expect(lines[2]).toContainEqual({ color: "comment", italic: true, text: "lines */" });
  });
  it("stays plain in a language nobody knows, and when it is too long", async () => {
    const highlight = await loadHighlighter();
    const long = `let x = "${"y".repeat(3000)}"`;
    for (const [language, code] of [
      ["klingon", "let x"],
      ["js", long],
    ]) {
      const lines = renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``, 80, { highlight });
      expect(lines[0]).toEqual([{ text: "  " }, { color: "cyan", text: code?.slice(0, 78) }]);
    }
  });
  it("is wrapped without losing a blank", () => {
    expect(renderMarkdown("```\nab  cd  ef\n```", 6).map(plainText)).toEqual(["  ab  ", "  cd  ", "  ef"]);
  });
});

describe("hostile markdown", () => {
  it.each([
    ["quotes without end", ">".repeat(5000)],
    ["lists without end", Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
    ["brackets", "[".repeat(20_000)],
    ["images", "![".repeat(10_000)],
    ["stars", "*a ".repeat(10_000)],
    ["blanks inside a line", `a${" ".repeat(100_000)}b`],
    ["a word without end", "é".repeat(100_000)],
    ["emoji without end", "👍".repeat(20_000)],
    ["a megabyte of lines", "x é\n".repeat(250_000)],
    ["a table of 2,000 columns", `${"|a".repeat(2000)}|\n${"|-".repeat(2000)}|`],
  ])("%s fits the width", (_name, text) => {
    for (const line of renderMarkdown(text, 40).slice(0, 2000)) expect(cells(plainText(line))).toBeLessThanOrEqual(40);
  });
  it.each([200, 80, 40, 8, 2])("a bit of everything fits %d columns", (width) => {
    const text =
      "# Head\n\n- a\n  - b\n    - c\n      - [x] d 日本\n\n> > > q\n\n|a|b|\n|-|-|\n|1|2|\n\n```js\nlet long = 1234567890\n```\n\n1. x";
    for (const line of renderMarkdown(text, width))
      expect(cells(plainText(line))).toBeLessThanOrEqual(Math.max(width, 2));
  });
});

describe("safeSplit", () => {
  it.each([
    ["a paragraph that still grows stays", "one\ntwo", "", "one\ntwo"],
    ["a finished paragraph goes", "one\n\ntwo", "one\n\n", "two"],
    ["a blank line ends a paragraph before the next one comes", "one\n\n", "one\n\n", ""],
    ["an open fence stays whole", "a\n\n```ts\nx\n\ny", "a\n\n", "```ts\nx\n\ny"],
    ["a closed fence goes at once", "```\nx\n```\ny", "```\nx\n```\n", "y"],
    ["a longer fence is not closed by a shorter one", "````\n```\n\nx", "", "````\n```\n\nx"],
    ["a list stays while it may go on", "- a\n\n", "", "- a\n\n"],
    ["a list stays with its indented part", "- a\n\n  b\n\n", "", "- a\n\n  b\n\n"],
    ["a list goes when something else comes", "- a\n\nend", "- a\n\n", "end"],
    ["inline code is no fence", "```x``` y\n\nz", "```x``` y\n\n", "z"],
  ])("%s", (_name, text, done, tail) => {
    expect(safeSplit(text)).toEqual([done, tail]);
  });
  it("never takes back what it gave, and loses nothing", () => {
    const text = "a\n\n- b\n\n  c\n- d\n\n```js\nx\n\n```\n\n> q\n\n1. e\n\nend";
    let committed = "";
    for (let length = 0; length <= text.length; length += 1) {
      const [done, tail] = safeSplit(text.slice(0, length));
      expect(done + tail).toBe(text.slice(0, length));
      expect(done.startsWith(committed)).toBe(true);
      committed = done;
    }
  });
});
