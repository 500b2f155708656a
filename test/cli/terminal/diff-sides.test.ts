import { describe, expect, it } from "vitest";
import { layoutDiff } from "../../../src/cli/terminal/diff-view.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { diffOf } from "../../../src/files/diff/diff.ts";
import type { NamedDiff } from "../../../src/files/diff/diff-text.ts";

const changeOf = (before: string | null, after: string): NamedDiff => ({
  name: "x",
  kind: before === null ? "new" : "modify",
  ...diffOf(before, after),
});

const rowsOf = (change: NamedDiff, width: number) => {
  const rows = layoutDiff([change], width, { sideBySide: true, names: false });
  return rows.slice(0, rows.length);
};
const drawn = (change: NamedDiff, width = 43): string[] =>
  rowsOf(change, width).map(({ spans }) => plainText(spans).trimEnd());

describe("side by side", () => {
  it("old lines stand beside the lines in their place, wrapped and each with its number", () => {
    const change = changeOf("a\nold line\ngone\nz\n", "new\na\nnew line that is long\nz\n");
    expect(drawn(change, 57)).toEqual([
      "@@ -1,4 +1,4 @@",
      "                            │ 1 + new",
      "1   a                       │ 2   a",
      "2 - old line                │ 3 + new line that is long",
      "3 - gone                    │",
      "4   z                       │ 4   z",
    ]);
    expect(drawn(change, 30)).toEqual([
      "@@ -1,4 +1,4 @@",
      "              │ +new",
      " a            │  a",
      "-old line     │ +new line that",
      "              │ + is long",
      "-gone         │",
      " z            │  z",
    ]);
    expect(rowsOf(change, 57).map(({ kind, old, new: now }) => [kind, old, now])).toEqual([
      ["hunk", undefined, undefined],
      ["added", undefined, 1],
      ["context", 1, 2],
      ["changed", 2, 3],
      ["removed", 3, undefined],
      ["context", 4, 4],
    ]);
  });
  it("lines stand beside what they became, where others came between", () => {
    const change = changeOf(
      "} catch {\n  await sleep(1);\n",
      "} catch (e) {\n  if (!ok(e)) throw e;\n  await sleep(2);\n",
    );
    expect(drawn(change, 63).slice(1)).toEqual([
      "1 - } catch {                  │ 1 + } catch (e) {",
      "                               │ 2 +   if (!ok(e)) throw e;",
      "2 -   await sleep(1);          │ 3 +   await sleep(2);",
    ]);
  });
  it("notes stand on their side", () => {
    expect(drawn(changeOf("a\nb", "a\nc\n"), 63)).toEqual([
      "@@ -1,2 +1,2 @@",
      "1   a                          │ 1   a",
      "2 - b                          │ 2 + c",
      "\\ No newline at end of file    │",
    ]);
  });
  it("both sides are tinted to their edge", () => {
    const [, row] = rowsOf(changeOf("alpha two\n", "alpha three\n"), 43);
    expect(row?.spans.map(({ text, background }) => [text, background])).toEqual([
      ["-", "removed"],
      ["alpha ", "removed"],
      ["two", "removedWord"],
      ["          ", "removed"],
      [" │ ", undefined],
      ["+", "added"],
      ["alpha ", "added"],
      ["three", "addedWord"],
      ["        ", "added"],
    ]);
  });
  it("a new file has the whole width", () => {
    expect(drawn(changeOf(null, "a\nb\n"))).toEqual(["@@ -0,0 +1,2 @@", "1 + a", "2 + b"]);
  });
  it("a line of many thousand characters stands beside another, whole", () => {
    const rows = drawn(changeOf(`${"o".repeat(9_000)}P\n`, `${"n".repeat(30_000)}M\n`), 60);
    const [left, right] = [rows.map((row) => row.slice(0, 28)), rows.map((row) => row.slice(31))];
    const text = (side: string[]) =>
      side
        .slice(1)
        .map((row) => row.slice(4).trimEnd())
        .join("");
    expect(text(left)).toBe(`${"o".repeat(9_000)}P`);
    expect(text(right)).toBe(`${"n".repeat(30_000)}M`);
  });
});
