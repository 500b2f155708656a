import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { countText } from "../../src/core/count-text.ts";

it("groups the digits of a count as English and Chinese do", () => {
  const counts = [0, 7, 99, 100, 999, 1000, 12_345, 123_456, 1_234_567, 9_007_199_254_740_991, -1, -999, -1000];
  const parts = [0.5, 12.25, 1234.5, 0.1 + 0.2, 999.9999, 1e-7, -1234.567_89];
  for (const language of ["en-US", "zh-CN"])
    expect([...counts, ...parts].map(countText)).toEqual(
      [...counts, ...parts].map((count) => count.toLocaleString(language)),
    );
});

it("writes a figure that nobody can count to in short", () => {
  expect([1e21, -1.5e300].map(countText)).toEqual(["1e+21", "-1.5e+300"]);
});

it("is the only way in which the program writes a count", () => {
  const root = new URL("../../src/", import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /[.]tsx?$/u.test(path));
  const grouping = /[.]toLocaleString\(|Intl[.]NumberFormat|\\d\{3\}\)\+\$/u;
  expect(files.filter((path) => grouping.test(readFileSync(new URL(path, root), "utf8")))).toEqual([
    "core/count-text.ts",
  ]);
});
