import { expect, test } from "vitest";
import { countChanges, unifiedDiff } from "../../src/files/diff.ts";

const lines = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}\n`).join("");

test("an ordinary change is an ordinary unified diff", () => {
  const diff = unifiedDiff("a\nb\nc\n", "a\nB\nc\n", "src/x.ts");
  expect(diff).toBe("--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  expect(countChanges(diff)).toEqual({ added: 1, removed: 1 });
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

test("lines that look like headers are counted as what they are", () => {
  const diff = unifiedDiff("-- a\n", "++ b\n", "x");
  expect(countChanges(diff)).toEqual({ added: 1, removed: 1 });
});

test("content that looks like our notes changes no count", () => {
  const note = "\\ not shown: -5 +5 lines\n";
  expect(countChanges(unifiedDiff("a\n", `a\n${note}`, "x"))).toEqual({ added: 1, removed: 0 });
});

test("a rewritten file is counted, and shown as far as it goes", () => {
  const diff = unifiedDiff(lines(10_000, "a"), lines(9_000, "b"), "x");
  expect(diff).toContain("\\ file rewritten: -10000 +9000 lines");
  expect(diff).toMatch(/^-a0$/m);
  expect(diff).toMatch(/^\+b0$/m);
  expect(diff).toMatch(/\\ not shown: -\d+ \+\d+ lines\n$/);
  expect(diff.length).toBeLessThan(10_000);
  expect(countChanges(diff)).toEqual({ added: 9_000, removed: 10_000 });
});

test("a rewritten file that loses its final newline says so", () => {
  expect(unifiedDiff(lines(3_000, "a"), `${lines(3_000, "b")}b`, "x")).toContain("\\ final newline removed");
});

test("a very long new file is cut, and counted whole", () => {
  const diff = unifiedDiff("", lines(300_000, "b"), "x");
  expect(diff.length).toBeLessThan(450_000);
  expect(countChanges(diff)).toEqual({ added: 300_000, removed: 0 });
});

test("of a very long line what changed is shown", () => {
  const long = (middle: string): string => `${"x".repeat(50_000)}${middle}${"y".repeat(50_000)}\n`;
  const diff = unifiedDiff(long("before"), long("after"), "min.js");
  expect(diff).toMatch(/^-…\(\d+ characters not shown\)…x+beforey+…\(\d+ characters not shown\)…$/m);
  expect(diff).toMatch(/^\+…\(\d+ characters not shown\)…x+aftery+…\(\d+ characters not shown\)…$/m);
  expect(diff.length).toBeLessThan(1_000);
});

test("a name with a line break cannot forge a header", () => {
  expect(unifiedDiff("a\n", "b\n", "x\n+++ b/y")).toMatch(/^--- a\/"x\\n\+\+\+ b\/y"\n/);
});

test("the same texts give the same diff every time", () => {
  const [before, after] = [lines(4_000, "a"), lines(4_000, "a").replaceAll("7", "x")];
  expect(unifiedDiff(before, after, "x")).toBe(unifiedDiff(before, after, "x"));
});
