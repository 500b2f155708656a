import { expect, test } from "vitest";
import type { FilePlan } from "../../../src/core/tool.ts";
import { type Content, diffOf } from "../../../src/files/diff/diff.ts";
import {
  changesOf,
  diffText,
  mostShown,
  planDiff,
  readRecordedDiff,
  recordedDiff,
  restOf,
  totalOf,
} from "../../../src/files/diff/diff-text.ts";

const fileOf = (before: Content, after: Content, path = "x"): FilePlan => ({
  asked: path,
  real: `/w/${path}`,
  kind: before === null ? "new" : after === null ? "delete" : "modify",
  before: before === null ? null : `old of ${path}`,
  after: after === null ? null : before === after ? `old of ${path}` : `new of ${path}`,
  mode: 0o644,
  eol: "lf",
  bom: false,
  encoding: "utf-8",
  ...diffOf(before, after),
});

const unifiedDiff = (before: Content, after: Content, path: string): string =>
  planDiff([fileOf(before, after, path)], "/w");

const counts = (before: Content, after: Content) => {
  const { added, removed } = diffOf(before, after);
  return { added, removed };
};

const lines = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}\n`).join("");

test("an ordinary change is an ordinary unified diff", () => {
  const diff = unifiedDiff("a\nb\nc\n", "a\nB\nc\n", "src/x.ts");
  expect(diff).toBe("--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  expect(diffOf("a\nb\nc\n", "a\nB\nc\n")).toEqual({
    added: 1,
    removed: 1,
    hunks: [
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        lines: [
          { kind: " ", text: "a" },
          { kind: "-", text: "b" },
          { kind: "+", text: "B" },
          { kind: " ", text: "c" },
        ],
      },
    ],
  });
});

test("no change is no diff", () => expect(unifiedDiff("a", "a", "x")).toBe(""));

test("a file that is not there before or after is /dev/null there, an empty one too", () => {
  expect(unifiedDiff(null, "a\n", "x")).toBe("--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n");
  expect(unifiedDiff("a\n", null, "x")).toBe("--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
  expect(unifiedDiff(null, "", "x")).toBe("--- /dev/null\n+++ b/x\n");
  expect(unifiedDiff(null, null, "x")).toBe("");
});

test("an empty file that is filled is all added, one that is emptied all removed", () => {
  expect(unifiedDiff("", "a\nb\n", "x")).toBe("--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  expect(unifiedDiff("a", "", "x")).toBe("--- a/x\n+++ b/x\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n");
});

test.each([
  ["line endings", "a\r\nb\r\n", "a\nb\n", ["\\ line endings: CRLF -> LF", "\\ ends with CRLF", "\\ ends with LF"]],
  ["one line ending", "a\r\nb\r\n", "a\r\nb\n", ["\\ line endings: CRLF -> mixed", "\\ ends with LF"]],
  ["bare carriage returns", "a\rb\r", "a\nb\n", ["\\ line endings: CR -> LF"]],
  ["a byte order mark", "\uFEFFa\n", "a\n", ["\\ byte order mark removed"]],
  ["a new byte order mark", "a\n", "\uFEFFa\n", ["\\ byte order mark added"]],
  ["a missing final newline", "a\n", "a", ["-a", "+a", "\\ No newline at end of file"]],
])("a change of %s is said in words", (_, before, after, said) => {
  const found = unifiedDiff(before, after, "x").split("\n");
  expect(found).toEqual(expect.arrayContaining(said));
});

test("an untouched CRLF file shows no carriage returns", () => {
  const diff = unifiedDiff("a\r\nb\r\n", "a\r\nc\r\n", "x");
  expect(diff).toBe("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
});

test("lines that look like headers or like our notes are counted as what they are", () => {
  expect(counts("-- a\n", "++ b\n")).toEqual({ added: 1, removed: 1 });
  expect(counts("a\n", "a\n\\ not shown: -5 +5 lines\n")).toEqual({ added: 1, removed: 0 });
  const after = `++ y\n${lines(40, "b")}`;
  expect(counts("-- x\n", after)).toEqual({ added: 41, removed: 1 });
  expect(totalOf([diffOf("-- x\n", after), diffOf("", "1\n"), diffOf("1\n", "")])).toEqual({ added: 42, removed: 2 });
});

test("a CR that no line ending follows is content", () => {
  expect(unifiedDiff("a\nb", "a\nb\r", "x")).toBe(
    "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\r\n\\ No newline at end of file\n",
  );
});

test("a new line with CR LF in a file that has both says so, though no line is like it", () => {
  const diff = unifiedDiff("a\r\nb\n", "a\r\nb\nc\r\nd\n", "x");
  expect(diff).toBe("--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n a\n b\n+c\n\\ ends with CRLF\n+d\n");
});

test("a rewritten file has all old lines, then all new ones, whole", () => {
  const found = diffOf(lines(10_000, "a"), `${lines(9_000, "b")}b`);
  expect(found).toMatchObject({ added: 9_001, removed: 10_000, notes: [{ kind: "rewritten" }] });
  const [hunk, ...more] = found.hunks;
  expect(more).toEqual([]);
  expect(hunk).toMatchObject({ oldStart: 1, oldLines: 10_000, newStart: 1, newLines: 9_001 });
  expect(hunk?.lines.map(({ kind }) => kind).join("")).toBe("-".repeat(10_000) + "+".repeat(9_001));
  expect(hunk?.lines.at(-1)).toEqual({ kind: "+", text: "b", end: "none" });
  const text = unifiedDiff(lines(10_000, "a"), lines(9_000, "b"), "x");
  expect(text.split("\n", 5)).toEqual([
    "--- a/x",
    "+++ b/x",
    "\\ file rewritten: -10000 +9000 lines",
    "@@ -1,10000 +1,9000 @@",
    "-a0",
  ]);
  expect(text.endsWith("+b8999\n")).toBe(true);
});

test("a long line is whole, whatever changed in it", () => {
  const long = `${"x".repeat(50_000)}word${"y".repeat(50_000)}`;
  expect(unifiedDiff(`a\n`, `a\n${long}\n`, "min.js").split("\n")).toContain(`+${long}`);
});

test("9,000 lines are 9,000 lines, in the counts and in the text", () => {
  const text = unifiedDiff(null, lines(9_000, "b"), "x");
  expect(counts(null, lines(9_000, "b"))).toEqual({ added: 9_000, removed: 0 });
  expect(text.split("\n").filter((line) => line.startsWith("+b"))).toHaveLength(9_000);
  expect(text).not.toContain("not shown");
});

test("of more than a megabyte of changed text the hunks have all, the text says what it leaves out", () => {
  const row = `${"b".repeat(99)}\n`;
  const fits = fileOf(null, row.repeat(mostShown / 100));
  expect(restOf([fits])).toEqual({ added: 0, removed: 0, bytes: 0 });
  const files = [fileOf(null, row.repeat(9_000), "a"), fileOf("old\n", row.repeat(1_500), "b")];
  expect(files[1]?.hunks[0]?.lines).toHaveLength(1_501);
  const text = planDiff(files, "/w");
  expect(text.endsWith("\n\\ not shown: -0 +501 lines, 50100 bytes\n")).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThan(mostShown + 20_000);
  expect(restOf(files)).toEqual({ added: 501, removed: 0, bytes: 50_100 });
  expect(diffText(changesOf({ files, cwd: "/w" }))).not.toContain("not shown");
});

test("content that is no text is said by its size, the other side shown", () => {
  expect(unifiedDiff({ bytes: 12 }, "a\n", "x")).toBe(
    "--- a/x\n+++ b/x\n\\ not shown: the old content is not text, 12 bytes\n@@ -0,0 +1,1 @@\n+a\n",
  );
  expect(unifiedDiff({ bytes: 12 }, { bytes: 30 }, "x")).toBe(
    "--- a/x\n+++ b/x\n\\ not shown: not text, 12 -> 30 bytes\n",
  );
});

test("a plan without hunks is the text it carries", () => {
  const file = { ...fileOf("a\n", "b\n"), hunks: [], added: 0, removed: 0 };
  expect(changesOf({ files: [file], cwd: "/w", diff: "-a\n+b\n" })).toEqual(["-a\n+b\n"]);
  expect(changesOf({ cwd: "/w", diff: "-a\n+b\n" })).toEqual(["-a\n+b\n"]);
  expect(changesOf({ cwd: "/w" })).toEqual([]);
});

test("a result keeps the beginning of a change, and how much more there is", () => {
  const [small] = changesOf({ files: [fileOf("a\n", "b\n")], cwd: "/w" });
  if (small === undefined || typeof small === "string") throw new Error("no hunks");
  expect(readRecordedDiff(recordedDiff([small]))).toEqual({ changes: [small], left: 0 });
  const large = { ...small, ...diffOf(null, lines(9_000, "b")) };
  const kept = readRecordedDiff(recordedDiff([large]));
  expect(kept).toMatchObject({ changes: [{ added: 9_000, removed: 0 }], left: 8_960 });
  expect(readRecordedDiff({ diff: "-a\n+b\n" })).toEqual({ changes: ["-a\n+b\n"], left: 0 });
  for (const changes of ["", 7, {}, { changes: [{ name: "x" }] }, { changes: [], left: 0 }])
    expect(readRecordedDiff({ changes })).toBeUndefined();
  expect(readRecordedDiff({})).toBeUndefined();
});

test("a name with a line break cannot forge a header", () => {
  expect(unifiedDiff("a\n", "b\n", "x\n+++ b/y")).toMatch(/^--- a\/"x\\n\+\+\+ b\/y"\n/);
});

test("the same texts give the same diff every time", () => {
  const [before, after] = [lines(4_000, "a"), lines(4_000, "a").replaceAll("7", "x")];
  expect(unifiedDiff(before, after, "x")).toBe(unifiedDiff(before, after, "x"));
});
