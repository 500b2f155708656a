import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

/** Places between back quotes, but for patterns and what a reader is to fill in. */
const placesIn = (page: string): string[] =>
  [...readFileSync(new URL(page, root), "utf8").matchAll(/`((?:src|test|docs|bench|scripts|bin)\/[^`\s]*)`/gu)]
    .flatMap(([, path]) => path ?? [])
    .filter((path) => !/[<*{]|FOLDER/u.test(path));

it.each(["CONTRIBUTING.md", "AGENTS.md", "CONTEXT.md"])("each place that %s names is there", (page) => {
  const places = placesIn(page);
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
