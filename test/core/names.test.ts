import { describe, expect, it } from "vitest";
import { expandBraces } from "../../src/core/braces.ts";
import { editDistance } from "../../src/core/nearest-name.ts";
import { shownName, shownPath } from "../../src/core/shown-path.ts";

describe("the name of a file in messages", () => {
  it.each([
    ["/ws/src/a.ts", "src/a.ts"],
    ["/ws", "."],
    ["/ws-evil/a.ts", "/ws-evil/a.ts"],
    ["/", "/"],
    ["/ws/..a/b", "..a/b"],
    ["/ws/a\nb", '"a\\nb"'],
    ["/ws/a\u009b2Jb", '"a\u009b2Jb"'],
    ["/ws/a\u2028b", '"a\u2028b"'],
    ["/etc/a\tb", '"/etc/a\\tb"'],
    ["/ws/é 😀", "é 😀"],
  ])("of %j is %j", (path, shown) => {
    expect(shownPath("/ws", path)).toBe(shown);
  });

  it("is a string of its own where it would break its line", () => {
    expect([shownName("a b"), shownName("a\rb")]).toEqual(["a b", '"a\\rb"']);
  });
});

describe("braces", () => {
  it.each([
    ["a", ["a"]],
    ["*.{ts,tsx}", ["*.ts", "*.tsx"]],
    ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"]],
    ["{a}", ["a"]],
    ["{a,}b", ["ab", "b"]],
    ["\\{a,b\\}", ["\\{a,b\\}"]],
    ["{a", "unbalanced"],
    ["a}", "unbalanced"],
    ["{a,b}".repeat(4), "too many"],
  ])("of %j stand for %j", (pattern, texts) => {
    expect(expandBraces(pattern, 8)).toEqual(texts);
  });
});

it("edits are counted in characters, as far as asked", () => {
  expect(editDistance("kitten", "sitting", 9)).toBe(3);
  expect(editDistance("a😀", "a😁", 9)).toBe(1);
  expect(editDistance("a", "abcdef", 3)).toBe(4);
});
