import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { page, withLists } from "../../scripts/lists-page.ts";

test("docs/security.md has the lists as the policy has them (npm run docs:lists writes them)", () => {
  const text = readFileSync(page, "utf8");
  expect(text).toBe(withLists(text));
});
