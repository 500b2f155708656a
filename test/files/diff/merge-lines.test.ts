import { expect, test } from "vitest";
import { mergeLines } from "../../../src/files/diff/merge-lines.ts";

const merge = (base: string, ours: string, theirs: string): string => {
  const merged = mergeLines([...base], [...ours], [...theirs]);
  if (merged.kind === "clean") return merged.lines.join("");
  return merged.kind === "conflict" ? `conflict ${merged.from}-${merged.to}` : merged.kind;
};

// A letter is a line.
test.each([
  ["nothing changed", "abc", "abc", "abc", "abc"],
  ["only we changed", "abc", "aXc", "abc", "aXc"],
  ["only they changed", "abc", "abc", "aYc", "aYc"],
  ["changes with a line between them", "abc", "Xbc", "abY", "XbY"],
  ["insertions with a line between them", "ab", "Xab", "aYb", "XaYb"],
  ["a removal and an insertion", "abcd", "bcd", "abcYd", "bcYd"],
  ["the same change on both sides is made once", "abc", "aXc", "aXc", "aXc"],
  ["the same change and another one", "abcde", "aXcde", "aXcdY", "aXcdY"],
  ["both made the empty text the same", "", "X", "X", "X"],
  ["lines that repeat keep their places", "aaabaaa", "aaabaaaX", "aaaYaaa", "aaaYaaaX"],
  ["the same line changed differently", "abc", "aXc", "aYc", "conflict 2-2"],
  ["changes that touch", "abcd", "aXcd", "abYd", "conflict 2-3"],
  ["insertions at the same place", "ab", "aXb", "aYb", "conflict 2-2"],
  ["a removal against a change", "abc", "ac", "aYc", "conflict 2-2"],
  ["an empty base", "", "X", "Y", "conflict 1-1"],
  ["all gone on one side, a change on the other", "abc", "", "aYc", "conflict 1-1"],
  ["a second place in the way", "abcde", "XbcdZ", "abcdY", "conflict 5-5"],
])("%s", (_, base, ours, theirs, expected) => {
  expect(merge(base, ours, theirs)).toBe(expected);
});

test("merging is the same seen from either side", () => {
  for (const [base, ours, theirs] of [
    ["abcdef", "Xbcdef", "abcdYf"],
    ["aabb", "aaXbb", "aabbY"],
  ] as const)
    expect(merge(base, ours, theirs)).toBe(merge(base, theirs, ours));
});

test("texts without anything in common are not searched for ever", () => {
  const numbered = (sign: string) => Array.from({ length: 4_000 }, (_, i) => `${sign}${i}`);
  expect(mergeLines(numbered("a"), numbered("b"), numbered("c"))).toEqual({ kind: "too_different" });
});
