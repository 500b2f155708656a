import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fortyCalls, type Having, playForty } from "../support/forty-calls.ts";
import { describeInSandbox } from "../support/needs.ts";

async function play(having: Having) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-forty-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { asked, failed } = await playForty(root, having);
  expect(failed).toBe("");
  const git = spawnSync("git", ["log", "--oneline"], { cwd: join(root, "work"), encoding: "utf8" });
  return { asked, commits: git.stdout.trim().split("\n").length };
}

describeInSandbox("forty calls of exploring, mending, testing and a commit (need bubblewrap)", () => {
  it("are forty", () => expect(fortyCalls.length).toBe(40));

  it("ask four times in mode ask: for the tests, what the session writes, edits, and the commit", async () => {
    expect(await play({})).toEqual({ asked: ["s", "m", "w", "y"], commits: 2 });
  });

  it("ask three times with --auto-sandbox, and twice where edits are accepted from the start", async () => {
    expect(await play({ flags: ["--auto-sandbox"] })).toEqual({ asked: ["s", "m", "y"], commits: 2 });
    expect(await play({ flags: ["--auto-sandbox", "--mode", "accept-edits"] })).toEqual({
      asked: ["s", "y"],
      commits: 2,
    });
  });

  it("ask once, for the commit, where a rule of the person lets the tests run too", async () => {
    const rules = [{ tool: "shell", command: "npm test *", decision: "allow" }];
    const flags = ["--auto-sandbox", "--mode", "accept-edits"];
    expect(await play({ flags, rules })).toEqual({ asked: ["y"], commits: 2 });
  });
});
