import { describe, expect, it } from "vitest";
import { escapeGlob, matchesGlob, parseGlob } from "../../src/policy/glob.ts";

function matches(pattern: string, path: string, fold = false): boolean {
  const glob = parseGlob(pattern);
  if ("wrong" in glob) throw new Error(glob.wrong);
  return matchesGlob(glob, path.startsWith("/") ? path : `/ws/${path}`, "/ws", fold);
}

describe("a path pattern", () => {
  it.each([
    ["src/**", "src/a.ts", true],
    ["src/**", "src/deep/er/a.ts", true],
    ["src/**", "src", true],
    ["src/", "src/deep/a", true],
    ["src/**", "srcs/a", false],
    ["src/**", "lib/src/a", false],
    ["src/*", "src/a.ts", true],
    ["src/*", "src/deep/a.ts", false],
    ["src/*", "src", false],
    ["*.md", "README.md", true],
    ["*.md", "docs/README.md", false],
    ["**/*.md", "README.md", true],
    ["**/*.md", "a/b/README.md", true],
    ["**", "anything/at/all", true],
    ["**", "/ws", true],
    ["**", "/ws-evil/a", false],
    ["**", "/", false],
    ["*", "a", true],
    ["*", ".hidden", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/x/y/c", false],
    ["a/**/m/**/z", "a/m/x/m/y/z", true],
    ["?.ts", "a.ts", true],
    ["?.ts", "é.ts", true],
    ["?.ts", "😀.ts", true],
    ["?.ts", "ab.ts", false],
    ["a*b*c", "aXbXbXc", true],
    ["a*b*c", "aXbXbX", false],
    ["{src,lib}/**", "lib/a", true],
    ["{src,lib}/**", "bin/a", false],
    ["a.{ts,{m,c}js}", "a.cjs", true],
    ["a.{ts,{m,c}js}", "a.js", false],
    ["a{,.bak}", "a", true],
    ["./src/./a", "src/a", true],
    ["src//a", "src/a", true],
    ["pages/[id].tsx", "pages/[id].tsx", true],
    ["pages/[id].tsx", "pages/i.tsx", false],
    ["a\\*", "a*", true],
    ["a\\*", "ab", false],
    ["a\\{b\\}", "a{b}", true],
    ["/etc/*", "/etc/passwd", true],
    ["/ws/a", "a", true],
    ["etc/*", "/etc/passwd", false],
    ["caf\u0065\u0301", "caf\u00e9", true],
    ["caf\u00e9", "caf\u0065\u0301", true],
  ])("%s against %s: %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it("sees one name in all its cases only when asked to fold", () => {
    const names = ["SRC/A", "Src/a", "ſrc/a"];
    expect(names.map((name) => [matches("src/a", name), matches("src/a", name, true)])).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
    expect(matches("ΟΔΟΣ", "οδος", true)).toBe(true);
  });

  it("answers in bounded time to a hostile pair", () => {
    expect(matches(`${"**/a*a*a*a*/".repeat(60)}z`, `${"a".repeat(200)}/`.repeat(60))).toBe(false);
    expect(matches("*a".repeat(500), "a".repeat(4_000).concat("b"))).toBe(false);
  });

  it("made by escaping a path means that path and no other", () => {
    for (const name of ["a*b", "a?b", "{a,b}", "a\\b", "[id].tsx", "!a", "~a", "**"]) {
      expect([matches(escapeGlob(name), name), matches(escapeGlob(name), "aXb")], name).toEqual([true, false]);
    }
  });
});
