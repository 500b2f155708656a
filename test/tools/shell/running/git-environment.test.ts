import { describe, expect, it } from "vitest";
import { hostile, judged, lines, repository, wronglyJudged } from "./git-environment-lines.ts";

describe("a line that sets or takes away what git has in its environment", () => {
  it("is never allowed, in read-only not either, whose repository runs a program: each seventh", async () => {
    const some = lines.filter((_, at) => at % 7 === 0);
    expect(await wronglyJudged(some, repository(hostile))).toEqual([]);
  });

  it("leaves the neighbours as they are", async () => {
    const root = repository(hostile);
    const at = async (line: string) => [line, ...(await judged(line, root)).verdicts];
    for (const line of [
      "git status",
      "git status -s && ls",
      "cd . && git status",
      "git diff --stat",
      "echo GIT_DIR=x; git status",
    ])
      expect(await at(line)).toEqual([line, "allow", "allow", "allow"]);
    expect((await judged("git status", root)).isKept).toBe(true);
    expect(await at("FOO=1 git status")).toEqual(["FOO=1 git status", "ask", "deny", "ask"]);
    expect(await at("env FOO=1 git status")).toEqual(["env FOO=1 git status", "ask", "deny", "ask"]);
  });
});
