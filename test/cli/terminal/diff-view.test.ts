import { describe, expect, it } from "vitest";
import { layoutDiff } from "../../../src/cli/terminal/diff-view.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { cells } from "../../../src/cli/terminal/width.ts";
import { diffOf } from "../../../src/files/diff/diff.ts";
import type { Change, NamedDiff } from "../../../src/files/diff/diff-text.ts";

const changeOf = (before: string, after: string): NamedDiff => ({
  name: "x",
  kind: "modify",
  ...diffOf(before, after),
});

function rowsOf(changes: readonly Change[], width = 80) {
  const rows = layoutDiff(changes, width);
  return rows.slice(0, rows.length);
}

function drawn(changes: readonly Change[], width = 80): string[] {
  return rowsOf(changes, width).map((line) => plainText(line.spans).trimEnd());
}

const drawnOf = (before: string, after: string): string[] => drawn([changeOf(before, after)]);

/** What stands on the ground of changed words, row by row. */
const marked = (before: string, after: string): string[] =>
  rowsOf([changeOf(before, after)]).flatMap((line) =>
    line.spans.filter(({ background }) => background?.endsWith("Word")).map((span) => span.text),
  );

describe("a change is drawn", () => {
  it("with signs, line numbers and what lies between", () => {
    const before = Array.from({ length: 19 }, (_, index) => `l${index}`).join("\n");
    const after = before.replace("l1\n", "").replace("l18", "l18\nl19");
    expect(drawnOf(before, after)).toEqual([
      "--- a/x",
      "+++ b/x",
      "@@ -1,5 +1,4 @@",
      " 1   l0",
      " 2 - l1",
      " 2   l2",
      " 3   l3",
      " 4   l4",
      "⋯ 10 unchanged lines ⋯",
      "@@ -16,4 +15,5 @@",
      "15   l15",
      "16   l16",
      "17   l17",
      "19 - l18",
      "\\ No newline at end of file",
      "18 + l18",
      "19 + l19",
      "\\ No newline at end of file",
    ]);
  });
  it("with the numbers of lines that stay dim, so that what changes stands out; on a tinted row in a colour that is read there", () => {
    const rows = rowsOf([changeOf("a\nb\n", "a\nc\n")]).slice(3);
    expect(rows.map(({ spans: [number] }) => [number?.text.trim(), number?.dim ?? number?.color])).toEqual([
      ["1", true],
      ["2", "faint"],
      ["2", "faint"],
    ]);
  });
  it("with both line numbers on each row, for whoever needs them", () => {
    const [, , , context, removed, added] = rowsOf([changeOf("a\nb\n", "a\nc\n")]);
    expect([context, removed, added].map((line) => [line?.kind, line?.old, line?.new])).toEqual([
      ["context", 1, 1],
      ["removed", 2, undefined],
      ["added", undefined, 2],
    ]);
  });
  it("whatever its lines look like", () => {
    expect(drawnOf("-- x\n++ y\n", "z\n").slice(3)).toEqual(["1 - -- x", "2 - ++ y", "1 + z"]);
  });
  it("of several files, without their names where these stand elsewhere", () => {
    const changes = [changeOf("a\n", "b\n"), changeOf("c\n", "d\n")];
    const kinds = rowsOf(changes).map((line) => line.kind);
    expect(kinds.filter((kind) => kind === "file")).toHaveLength(4);
    expect(kinds.filter((kind) => kind === "added")).toHaveLength(2);
    const bare = layoutDiff(changes, 80, { names: false });
    expect(bare.slice(0, bare.length).map((line) => line.kind)).toEqual(kinds.filter((kind) => kind !== "file"));
  });
  it("as it stands where it is text only, wrapped and whole", () => {
    expect(drawn(["rename from a\n-x\u001b[2K\n"])).toEqual(["rename from a", "-x␛[2K"]);
    expect(drawn([`+${"x".repeat(99)}\n`], 50)).toEqual([`+${"x".repeat(49)}`, "x".repeat(50)]);
    expect(drawn([])).toEqual([]);
  });
});

describe("changed words", () => {
  it("are marked in lines that are alike", () => {
    expect(marked("for (i = 0; i < 3; i++)\n", "for (i = 0; i < max; i++)\n")).toEqual(["3", "max"]);
  });
  it("are not marked in lines that have nothing in common", () => {
    expect(marked("alpha beta gamma\n", "completely other thing here\n")).toEqual([]);
  });
  it("stand in brackets where there are no colours, but for lines that have such brackets of their own", () => {
    const bracketed = (before: string, after: string): string[] => {
      const rows = layoutDiff([changeOf(before, after)], 80, { brackets: true });
      return rows.slice(3, rows.length).map(({ spans }) => plainText(spans));
    };
    expect(bracketed("f(1, a[-2]) {+b+}  \n", "f(1, a[-3]) {+b+}\n")).toEqual([
      "1 - f(1, a[-⟦2⟧]) {+b+}··",
      "1 + f(1, a[-⟦3⟧]) {+b+}",
    ]);
    expect(bracketed("x ⟦2⟧ long\n", "x ⟦3⟧ long\n")).toEqual(["1 - x ⟦2⟧ long", "1 + x ⟦3⟧ long"]);
  });
});

describe("what the eye misses", () => {
  it("is shown: tabs of lines that change, as wide as ever", () => {
    expect(drawnOf("\ta\n\tx = 1\n", "\ta\n    x\t= 1\n").slice(3)).toEqual([
      "1       a",
      "2 - →   x = 1",
      "2 +     x→  = 1",
    ]);
  });
  it("is shown: trailing blanks, CR, escape sequences, bidi", () => {
    expect(drawnOf("a\n", "a  \nb\x1b[2Kc\u202e\rd\n").slice(4)).toEqual(["1 + a··", "2 + b␛[2Kc‹U+202E›␍d"]);
  });
  it("says which line ends change", () => {
    expect(drawnOf("a\nb\n", "a\r\nb\n").slice(2)).toEqual([
      "\\ line endings: LF -> mixed",
      "@@ -1,2 +1,2 @@",
      "1 - a",
      "\\ ends with LF",
      "1 + a",
      "\\ ends with CRLF",
      "2   b",
    ]);
  });
  it("is quiet about CR where every line has one", () => {
    expect(drawnOf("a\r\nb\r\n", "a\r\nc\r\n").slice(3)).toEqual(["1   a", "2 - b", "2 + c"]);
  });
});

describe("a hunk's head", () => {
  it("says what the hunk stands in, as far as there is room", () => {
    const body = Array.from({ length: 9 }, (_, at) => `  step(${at});\n`).join("");
    const head = "export function sendIt\u202e(address) {";
    const change = changeOf(`${head}\n${body}  end();\n`, `${head}\n${body}  done();\n`);
    expect(drawn([change])[2]).toBe("@@ -8,4 +8,4 @@ export function sendIt‹U+202E›(address) {");
    expect(drawn([change], 30)[2]).toBe("@@ -8,4 +8,4 @@ export functi…");
    expect(layoutDiff([change, change], 30).heads).toEqual([
      { kind: "file", row: 0 },
      { kind: "hunk", row: 2 },
      { kind: "file", row: 8 },
      { kind: "hunk", row: 10 },
    ]);
  });
});

describe("a changed row", () => {
  it("is tinted over the whole width, its further rows too", () => {
    const rows = rowsOf([changeOf("short\n", `${"long 日本 ".repeat(9)}\n`)], 40).slice(3);
    expect(rows.map(({ kind, spans }) => [kind, cells(plainText(spans))])).toEqual([
      ["removed", 40],
      ["added", 40],
      ["added", 40],
      ["added", 40],
    ]);
    const isTinted = rows.flatMap(({ kind, spans }) => spans.map(({ background }) => background?.startsWith(kind)));
    expect(new Set(isTinted)).toEqual(new Set([true]));
  });
});

describe("width", () => {
  const change = changeOf("short\n", `${"long words 日本語 👨‍👩‍👧‍👦 ".repeat(20)}\n\tx\n`);
  it.each([200, 100, 60, 40, 12])("every row fits %d columns and every character is there", (width) => {
    const lines = rowsOf([change], width);
    for (const line of lines) expect(cells(plainText(line.spans))).toBeLessThanOrEqual(width);
    const added = lines.filter((line) => line.kind === "added" && line.new === 1);
    expect(added.every((line) => plainText(line.spans).includes("+"))).toBe(true);
    expect(added.map((line) => line.continued)).toEqual(added.map((_, index) => index > 0));
    const text = added.map((line) => plainText(line.spans).replace(/^[\d ]*\+ ?/, "")).join("");
    expect(text.match(/👨‍👩‍👧‍👦/g)).toHaveLength(20);
  });
  it("cuts a line that stays after three rows, never one that changes", () => {
    const long = "word ".repeat(700);
    const lines = rowsOf([changeOf(`${long}\na\n`, `${long}\n${long}\n`)], 60);
    const context = lines.filter(({ kind }) => kind === "context");
    expect(context).toHaveLength(3);
    expect(plainText(context[2]?.spans ?? []).endsWith("…")).toBe(true);
    expect(lines.filter(({ kind }) => kind === "added")).toHaveLength(Math.ceil(long.length / 56));
  });
});

describe("a huge change", () => {
  const long = "é tab\there, 漢字 and ␛[0m ".repeat(160);
  it("is laid out to its last row", () => {
    const rows = layoutDiff([changeOf("", "x\n".repeat(50_000))], 80);
    expect(rows.length).toBe(50_003);
    expect(rows.slice(50_002, 50_003).map(({ spans }) => plainText(spans).trimEnd())).toEqual(["50000 + x"]);
  });
  it("shows a line of a megabyte to its last character", () => {
    const rows = layoutDiff([changeOf("", `${"x".repeat(1_000_000)}END\n`)], 60);
    expect(rows.length).toBe(3 + Math.ceil(1_000_003 / 56));
    expect(plainText(rows.slice(rows.length - 1, rows.length)[0]?.spans ?? [])).toContain("xEND");
  });
  it("has the same rows whole and window by window, as many as it says", () => {
    for (const width of [20, 60]) {
      const tabs = `\ta\tbc \t${"d\t".repeat(50)}`;
      const after = `a\n${long}!\n${long}\n  \n${tabs}\n${tabs}x\n${"y\t".repeat(4_500)}\n${"y".repeat(9_000)}\n`;
      const rows = layoutDiff([changeOf(`${long}\nb\n`, after)], width);
      const whole = rows.slice(0, rows.length + 5);
      expect(whole).toHaveLength(rows.length);
      const windows = Array.from({ length: Math.ceil(rows.length / 50) }, (_, at) => rows.slice(at * 50, at * 50 + 50));
      expect(windows.flat()).toEqual(whole);
    }
  });
  it("of alike lines is not compared word by word without end", () => {
    const old = `${"a b ".repeat(120)}\n`.repeat(2000);
    const now = `${"b c a ".repeat(80)}\n`.repeat(2000);
    expect(layoutDiff([changeOf(old, now)], 80).length).toBeGreaterThan(4000);
  });
});
