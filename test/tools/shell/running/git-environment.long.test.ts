import { expect, test } from "vitest";
import { calm, hostile, lines, repository, wronglyJudged } from "./git-environment-lines.ts";

test.each([
  ["whose repository runs nothing", calm],
  ["whose repository runs a program", hostile],
])(
  "no line that sets or takes away what git has in its environment is allowed, in read-only not either, %s",
  async (_, config) => {
    expect(await wronglyJudged(lines, repository(config))).toEqual([]);
  },
);
