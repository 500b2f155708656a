import { createTwoFilesPatch } from "diff";
import { describe, expect, it } from "vitest";
import { layoutDiff } from "../../../src/cli/terminal/diff-view.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { cells } from "../../../src/cli/terminal/width.ts";

function diffOf(before: string, after: string): string {
  return createTwoFilesPatch("a/x", "b/x", before, after, "", "", { context: 1 }).replace(/^=+\n/, "");
}

function drawn(diff: string, width = 80): string[] {
  return layoutDiff(diff, width).map((line) => plainText(line.spans).trimEnd());
}

/** What stands in inverse, row by row. */
function marked(diff: string): string[] {
  return layoutDiff(diff, 80).flatMap((line) => line.spans.filter((span) => span.inverse).map((span) => span.text));
}

describe("a diff is drawn", () => {
  it("with signs, line numbers and what lies between", () => {
    const before = Array.from({ length: 9 }, (_, index) => `l${index}`).join("\n");
    const after = before.replace("l1\n", "").replace("l8", "l8\nl9");
    expect(drawn(diffOf(before, after))).toEqual([
      "--- a/x",
      "+++ b/x",
      "@@ -1,3 +1,2 @@",
      "1   l0",
      "2 - l1",
      "2   l2",
      "⋯ 4 unchanged lines ⋯",
      "@@ -8,2 +7,3 @@",
      "7   l7",
      "9 - l8",
      "\\ No newline at end of file",
      "8 + l8",
      "9 + l9",
      "\\ No newline at end of file",
    ]);
  });
  it("with both line numbers on each row, for whoever needs them", () => {
    const [, , , context, removed, added] = layoutDiff(diffOf("a\nb\n", "a\nc\n"), 80);
    expect([context, removed, added].map((line) => [line?.kind, line?.old, line?.new])).toEqual([
      ["context", 1, 1],
      ["removed", 2, undefined],
      ["added", undefined, 2],
    ]);
  });
  it("does not take a removed line of dashes for a header", () => {
    expect(drawn(diffOf("-- x\n++ y\n", "z\n")).slice(3)).toEqual(["1 - -- x", "2 - ++ y", "1 + z"]);
  });
  it("of several files", () => {
    const kinds = layoutDiff(`${diffOf("a\n", "b\n")}${diffOf("c\n", "d\n")}`, 80).map((line) => line.kind);
    expect(kinds.filter((kind) => kind === "file")).toHaveLength(4);
    expect(kinds.filter((kind) => kind === "added")).toHaveLength(2);
  });
  it("shows what is no diff as it is", () => {
    expect(drawn("rename from a\nnonsense\n")).toEqual(["rename from a", "nonsense"]);
    expect(layoutDiff("", 80)).toEqual([]);
  });
});

describe("changed words", () => {
  it("are marked in lines that are alike", () => {
    expect(marked(diffOf("for (i = 0; i < 3; i++)\n", "for (i = 0; i < max; i++)\n"))).toEqual(["3", "max"]);
  });
  it("are not marked in lines that have nothing in common", () => {
    expect(marked(diffOf("alpha beta gamma\n", "completely other thing here\n"))).toEqual([]);
  });
  it("show tabs with an arrow where only blanks changed", () => {
    expect(drawn(diffOf("\tx = 1\n", "    x = 1\n")).slice(3)).toEqual(["1 - →   x = 1", "1 +     x = 1"]);
  });
});

describe("what the eye misses", () => {
  it("is shown: trailing blanks, CR, escape sequences, bidi", () => {
    expect(drawn(diffOf("a\n", "a  \nb\x1b[2Kc\u202e\rd\n")).slice(4)).toEqual(["1 + a··", "2 + b␛[2Kc‹U+202E›␍d"]);
  });
  it("shows line ends that change", () => {
    expect(drawn(diffOf("a\nb\n", "a\r\nb\n")).slice(3)).toEqual(["1 - a", "1 + a␍", "2   b"]);
  });
  it("is quiet about CR where every line has one", () => {
    expect(drawn(diffOf("a\r\nb\r\n", "a\r\nc\r\n")).slice(3)).toEqual(["1   a", "2 - b", "2 + c"]);
  });
});

describe("width", () => {
  const diff = diffOf("short\n", `${"long words 日本語 👨‍👩‍👧‍👦 ".repeat(20)}\n\tx\n`);
  it.each([200, 100, 60, 40, 12])("every row fits %d columns and every character is there", (width) => {
    const lines = layoutDiff(diff, width);
    for (const line of lines) expect(cells(plainText(line.spans))).toBeLessThanOrEqual(width);
    const added = lines.filter((line) => line.kind === "added" && line.new === 1);
    expect(added.every((line) => plainText(line.spans).includes("+"))).toBe(true);
    expect(added.map((line) => line.continued)).toEqual(added.map((_, index) => index > 0));
    const text = added.map((line) => plainText(line.spans).replace(/^[\d ]*\+ ?/, "")).join("");
    expect(text.match(/👨‍👩‍👧‍👦/g)).toHaveLength(20);
  });
  it("cuts to one row a line on demand", () => {
    const lines = layoutDiff(diff, 40, { overflow: "cut" });
    expect(lines.filter((line) => line.kind === "added")).toHaveLength(2);
    expect(lines.some((line) => plainText(line.spans).endsWith("…"))).toBe(true);
  });
});

describe("huge diffs", () => {
  it("end in a count of what is left out", () => {
    const diff = `@@ -0,0 +1,50000 @@\n${"+x\n".repeat(50_000)}`;
    const lines = layoutDiff(diff, 80);
    expect(lines).toHaveLength(20_001);
    expect(plainText(lines.at(-1)?.spans ?? [])).toBe("… 30001 more lines are not shown");
  });
  it("count what is left of a line of a megabyte", () => {
    const lines = drawn(`@@ -1 +1 @@\n-${"é ".repeat(500_000)}\n+${"x".repeat(1_000_000)}\n`);
    expect(lines.at(-1)).toMatch(/^ +\+ .*… 996000 more characters$/);
    expect(lines.length).toBeLessThan(200);
  });
  it("of alike lines are not compared word by word without end", () => {
    const old = `-${"a b ".repeat(120)}\n`.repeat(2000);
    const now = `+${"b c a ".repeat(80)}\n`.repeat(2000);
    expect(layoutDiff(`@@ -1,2000 +1,2000 @@\n${old}${now}`, 80).length).toBeGreaterThan(4000);
  });
});
