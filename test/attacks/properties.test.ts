import { describe, expect, test } from "vitest";
import { readStrictJson } from "../../src/core/strict-json.ts";
import { wildMatch } from "../../src/core/wild-match.ts";
import { matchesGlob, parseGlob } from "../../src/policy/glob.ts";
import { patternFault } from "../../src/tools/search/glob-pattern.ts";
import { readIgnorePatterns } from "../../src/tools/search/ignore-patterns.ts";
import { callsInProcess } from "../support/tool-process.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** The same numbers for the same seed on every machine (mulberry32): a failure names the seed that it comes back with. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const seeds = Array.from({ length: 300 }, (_, seed) => seed + 1);
const pieces = [
  "*",
  "**",
  "?",
  "[",
  "]",
  "[!a-",
  "{",
  "}",
  ",",
  "(",
  ")",
  "|",
  "@(",
  "?(",
  "!",
  "\\",
  "/",
  "a",
  "b",
  ".",
  " ",
  "é",
  "😀",
];

/** Up to `most` pieces, one behind the other; often the same ones again and again, which is what makes matchers go wrong. */
function randomPattern(roll: (most: number) => number, most: number): string {
  const few = Array.from({ length: 1 + roll(4) }, () => pieces[roll(pieces.length)] ?? "");
  return Array.from({ length: 1 + roll(most) }, () => few[roll(few.length)] ?? "").join("");
}

const randomName = (roll: (most: number) => number): string =>
  Array.from({ length: 1 + roll(60) }, () => ["a", "b", ".", "é"][roll(4)] ?? "a").join("");

/** Plain recursion over all ways, for patterns so small that it ends. */
function matchesSlowly(pattern: readonly string[], items: readonly string[]): boolean {
  const [part, ...parts] = pattern;
  const [item, ...rest] = items;
  if (part === undefined) return items.length === 0;
  if (part === "*") return matchesSlowly(parts, items) || (item !== undefined && matchesSlowly(pattern, rest));
  return item === part && matchesSlowly(parts, rest);
}

describe("random patterns", () => {
  test("mean the same as when all ways are tried, and take at most pattern x name steps", () => {
    for (const seed of seeds) {
      const roll = dice(seed);
      const pattern = Array.from({ length: roll(9) }, () => ["*", "a", "b"][roll(3)] ?? "*");
      const items = Array.from({ length: roll(9) }, () => ["a", "b"][roll(2)] ?? "a");
      let steps = 0;
      const fits = (part: string, item: string): boolean => {
        steps += 1;
        return part === item;
      };
      const found = wildMatch(pattern, items, (part) => part === "*", fits);
      expect([seed, found]).toEqual([seed, matchesSlowly(pattern, items)]);
      expect(steps, `seed ${seed}`).toBeLessThanOrEqual((pattern.length + 1) * (items.length + 1));
    }
  });

  test("of any length and form are read or refused as rules, as globs and in a .gitignore, and matched to an end", () => {
    for (const seed of seeds) {
      const roll = dice(seed);
      const pattern = randomPattern(roll, 400);
      const path = `/w/${randomName(roll)}/${randomName(roll)}`;
      const glob = parseGlob(pattern);
      if (!("wrong" in glob))
        expect(typeof matchesGlob(glob, path, "/w", roll(2) === 0), `seed ${seed}`).toBe("boolean");
      expect(["string", "undefined"], `seed ${seed}`).toContain(typeof patternFault(pattern));
      expect(() => readIgnorePatterns([pattern]), `seed ${seed}`).not.toThrow();
    }
  });

  test("end in the tools, on a random tree", async () => {
    const roll = dice(7);
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `${Array.from({ length: roll(12) }, () => randomName(roll)).join("/")}/f${at}`
          .replace(/^\//, "")
          .replaceAll(/(^|\/)\.+(?=\/)/g, "$1d"),
        randomPattern(roll, 200),
      ]),
    );
    const ignored = Array.from({ length: 200 }, () => randomPattern(roll, 60).replaceAll("\n", "")).join("\n");
    const workspace = tempTree({ ...files, ".gitignore": ignored });
    const calls = Array.from({ length: 60 }, () => {
      const pattern = randomPattern(roll, 120);
      const called = [
        { tool: "glob", args: { pattern } },
        { tool: "grep", args: { pattern: "a", include: pattern } },
        { tool: "grep", args: { pattern } },
        { tool: "ls", args: { ignore: [pattern] } },
      ];
      return called[roll(called.length)] ?? { tool: "ls", args: {} };
    });
    expect(await callsInProcess({ workspace, calls })).toHaveLength(calls.length);
  });
});

describe("random JSON", () => {
  /** Text that is often JSON, cut or doubled somewhere. */
  function randomJson(roll: (most: number) => number, depth = 0): string {
    const leaf = ["1", "-0.5e3", '"a\\u0000\\ud83d"', "true", "null", '""', "nul", "01", '"\n"'];
    if (depth > 6 || roll(3) === 0) return leaf[roll(leaf.length)] ?? "1";
    const inner = Array.from({ length: roll(4) }, () => randomJson(roll, depth + 1));
    return roll(2) === 0
      ? `[${inner.join(",")}]`
      : `{${inner.map((value) => `${['"a"', '"b"', '"__proto__"', '"\\u0061"'][roll(4)]}:${value}`).join(",")}}`;
  }

  /** What the runtime makes of it; undefined where it is none. */
  function plainly(text: string): string | undefined {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  test("is read as the runtime reads it, or refused in words; never otherwise", () => {
    let [read, refused] = [0, 0];
    for (const seed of Array.from({ length: 2_000 }, (_, at) => at + 1)) {
      const roll = dice(seed);
      const whole = randomJson(roll);
      const text = roll(4) === 0 ? whole.slice(0, roll(whole.length + 1)) : whole;
      const made = readStrictJson(text);
      if (made.ok) {
        expect(JSON.stringify(made.value), `seed ${seed}`).toBe(plainly(text));
        read += 1;
      } else {
        expect(made.message, `seed ${seed}`).toMatch(/\S/);
        refused += 1;
      }
    }
    expect(Math.min(read, refused)).toBeGreaterThan(100);
  });

  test.each(["[", '{"a":', '"', "[1,", '{"a":{', "\\u", "[[]"])("%s a hundred thousand times is refused", (piece) => {
    expect(readStrictJson(piece.repeat(100_000))).toMatchObject({ ok: false });
  });
});
