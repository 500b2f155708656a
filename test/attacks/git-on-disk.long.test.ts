import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Policy } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A workspace with a repository in it, and beside the workspace what is none of its. */
function repository() {
  const root = tempTree({
    "other/secret.txt": "SECRET\n",
    "work/a.txt": "a\n",
    "work/docs/b.txt": "b\n",
    "work/config/.env": "Proper SECRET <a@b>\nunseen.txt\n",
    "work/sub/c.txt": "c\n",
  });
  const top = join(root, "work");
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: top,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: root, ...identity },
    });
  git("init", "-q", "-b", "main");
  git("add", "a.txt", "docs", "sub");
  git("commit", "-qm", "first");
  writeFileSync(join(top, "a.txt"), "a \n");
  writeFileSync(join(top, "unseen.txt"), "unseen\n");
  return { top, git, places: [shellStage(top, policy), shellStage(top, policy, "off")] };
}

type Places = ReturnType<typeof repository>["places"];
const judged = (places: Places, line: string) => Promise.all(places.map(({ judge }) => judge(line)));

describeInSandbox("git, of what lies on the disk beside what it keeps (needs bubblewrap)", () => {
  test.each([
    "--stat -- ../other docs",
    "--stat -- docs ../other",
    "--name-status ../other docs",
    "--raw -- / docs",
    "--numstat -M1% -- ~ docs",
    "--quiet -- ~/.ssh docs",
    "--stat -- out docs",
    "--stat -- docs/../../other docs",
  ])("compares with nothing outside of its working tree unasked: git diff %s", async (words) => {
    const { top, places } = repository();
    symlinkSync("../other", join(top, "out"));
    expect(await judged(places, `git diff ${words}`)).toEqual(["ask", "ask"]);
    const fromDocs = words.replace(/(?<=\s)(?=docs|out|\.\.)/gu, "../");
    expect(await judged(places, `cd docs && git diff ${fromDocs}`)).toEqual(["ask", "ask"]);
  });

  test("compares folders as they lie there only in a repository that it surely takes", async () => {
    const { top, places } = repository();
    const line = "git diff --stat -- docs config";
    const others = ["git diff --stat main main", "git diff --stat -- a.txt docs/b.txt", "git diff --stat -- docs"];
    for (const one of [line, "git diff --name-only docs sub", ...others])
      expect([one, await judged(places, one)]).toEqual([one, ["allow", "allow"]]);
    for (const form of [
      "[core]\nrepositoryFormatVersion = 9\n",
      "[core]\nrepositoryFormatVersion = 1\n[extensions]\nunknown = x\n",
    ]) {
      writeFileSync(join(top, ".git/config"), form);
      expect([form, await judged(places, line)]).toEqual([form, ["ask", "ask"]]);
    }
    rmSync(join(top, ".git"), { recursive: true });
    expect(await judged(places, line)).toEqual(["ask", "ask"]);
    expect(await judged(places, "git diff --quiet config docs")).toEqual(["ask", "ask"]);
    expect(await judged(places, "git diff --stat -- a.txt docs/b.txt")).toEqual(["allow", "allow"]);
  });

  test("writes down nothing of what a repository has shown as text, where it is asked whether there is a difference", async () => {
    const { top, git, places } = repository();
    git("config", "diff.d.textconv", "cat");
    git("config", "diff.d.cachetextconv", "true");
    writeFileSync(join(top, ".git/info/attributes"), "* diff=d\n");
    const lines = [
      "--quiet -w",
      "-s --exit-code -b",
      "--name-only -w",
      "--raw --ignore-blank-lines",
      "--quiet -w main",
    ].map((words) => `git diff ${words}`);
    for (const line of [...lines, "git log --quiet -w -1", "git diff-tree --quiet -w main main"]) {
      const { decision } = (await places[1]?.tried(line)) ?? {};
      expect([line, decision]).toEqual([line, "ask"]);
    }
    expect((await places[1]?.tried("git diff --stat -w"))?.decision).toBe("allow");
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(false);
    // The trap is real.
    execFileSync("git", ["diff", "--quiet", "-w", "--no-ext-diff", "main"], { cwd: top, stdio: "ignore" });
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(true);
  });

  test("reads no file for names of persons, what is ignored, or an order, that a repository names", async () => {
    const { git, places } = repository();
    for (const key of ["mailmap.file", "core.excludesFile", "diff.orderFile"]) git("config", key, "config/.env");
    git("config", "log.mailmap", "true");
    const lines = [
      ["git log -1 --format=%aN", "a"],
      ["git shortlog -s HEAD", "a"],
      ["git ls-files -o --exclude-standard", "unseen.txt"],
      ["git status --short", "?? unseen.txt"],
      ["git diff --stat", "a.txt"],
    ] as const;
    for (const [line, part] of lines)
      for (const place of places) {
        const { decision, output } = await place.tried(line);
        expect([line, decision, output]).toEqual([line, "allow", expect.stringContaining(part)]);
        expect(output).not.toContain("SECRET");
        expect(output).toContain("without what the repository's settings name: core.excludesfile;");
      }
  });
});
