import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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

  test("shows no object in the place of another, whatever the repository's settings say of that", async () => {
    const { git, places } = repository();
    git("add", "-f", "config/.env");
    git("commit", "-qm", "second");
    git("replace", git("rev-parse", "HEAD:a.txt").trim(), git("rev-parse", "HEAD:config/.env").trim());
    git("config", "core.useReplaceRefs", "true");
    for (const line of [
      "git show HEAD:a.txt",
      "git diff HEAD -- a.txt",
      "git grep SECRET -- a.txt",
      "git blame a.txt",
    ]) {
      const { decision, output } = await (places[0] as Places[number]).tried(line);
      expect([line, decision]).toEqual([line, "allow"]);
      expect(output).not.toContain("SECRET");
    }
    expect(await judged(places, "git show HEAD:config/.env")).toEqual(["ask", "ask"]);
  });

  test.each(["info/grafts", "BISECT_START", "rebase-merge/done"])(
    "asks where a file of git's is another name of one that is none of git's: %s",
    async (name) => {
      const { top, places } = repository();
      expect(await judged(places, "git status")).toEqual(["allow", "allow"]);
      mkdirSync(dirname(join(top, ".git", name)), { recursive: true });
      linkSync(join(top, "config/.env"), join(top, ".git", name));
      expect(await judged(places, "git status")).toEqual(["ask", "ask"]);
      expect(await judged(places, "git log --oneline")).toEqual(["ask", "ask"]);
    },
  );

  test("counts no second names of objects, which a copy of a repository has", async () => {
    const { top, places } = repository();
    execFileSync("git", ["clone", "-q", "--local", "--bare", top, join(top, "..", "copy.git")], { stdio: "pipe" });
    expect(await judged(places, "git status")).toEqual(["allow", "allow"]);
  });

  test.each(["git branch -a", "git stash list", "git worktree list", "git tag", "git branch; git stash list; pwd"])(
    "writes nothing in git's folder where it only tells, as what is named like a git that writes: %s",
    async (line) => {
      const { top, git, places } = repository();
      git("worktree", "add", "-q", "../linked");
      const linked = join(top, "..", "linked");
      for (const name of ["hooks", "info"]) rmSync(join(top, ".git", name), { recursive: true, force: true });
      const all = () => readdirSync(join(top, ".git"), { recursive: true, encoding: "utf8" }).sort();
      const before = all();
      for (const { tried } of [places[0] as Places[number], shellStage(linked, policy)])
        expect((await tried(line)).decision).toBe("allow");
      expect(all()).toEqual(before);
    },
  );

  test.each([
    ["sparse", ["config", "index.sparse", "true"]],
    ["in parts", ["update-index", "--split-index"]],
  ])("asks without the sandbox where git's index is %s, for it writes there what it found", async (_, words) => {
    const { git, places } = repository();
    git(...words);
    for (const line of ["git status", "git diff --stat", "git ls-files", "git check-attr -a a.txt"])
      expect([line, await judged(places, line)]).toEqual([line, ["allow", "ask"]]);
    const ofIndex = ["rev-parse :a.txt", "cat-file -t :0:a.txt", "log --oneline main..:a.txt", "rev-list main ^:a.txt"];
    for (const one of [...ofIndex, "branch --contains=:a.txt", "tag --points-at :./a.txt", "diff-tree --raw main"])
      expect([one, await judged(places, `git ${one}`)]).toEqual([one, ["allow", "ask"]]);
    for (const one of ["log --oneline", "log --oneline main -- a.txt", "rev-parse main:a.txt :/first", "branch -v"])
      expect([one, await judged(places, `git ${one}`)]).toEqual([one, ["allow", "allow"]]);
  });

  test("writes no time at the parts of an index, by whatever word it reads that", async () => {
    const { top, git, places } = repository();
    git("update-index", "--split-index");
    const part = readdirSync(join(top, ".git")).find((name) => name.startsWith("sharedindex.")) ?? "";
    const time = () => statSync(join(top, ".git", part)).mtimeMs;
    utimesSync(join(top, ".git", part), 1_000_000, 1_000_000);
    for (const words of ["rev-parse :a.txt", "diff-tree main", "stash list", "blame a.txt", "log --oneline -- a.txt"])
      for (const { tried } of places) await tried(`git ${words}`);
    expect(time()).toBe(1_000_000_000);
    // The trap is real.
    git("rev-parse", ":a.txt");
    expect(time()).not.toBe(1_000_000_000);
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
    for (const line of ["git log -p -1", "git show", "git blame a.txt"]) {
      const { decision, output } = (await places[0]?.tried(line)) ?? {};
      expect([line, decision, output]).toEqual([line, "allow", expect.not.stringContaining("error:")]);
    }
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(false);
    // The trap is real.
    execFileSync("git", ["diff", "--quiet", "-w", "--no-ext-diff", "main"], { cwd: top, stdio: "ignore" });
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(true);
  });

  test("writes down nothing of what a person's own program showed as text, because a repository says so", async () => {
    const { top, git, places } = repository();
    vi.stubEnv("HOME", join(top, ".."));
    onTestFinished(() => void vi.unstubAllEnvs());
    git("config", "--global", "diff.d.textconv", "sed s/a/SHOWN/");
    git("config", "diff.d.cachetextconv", "true");
    writeFileSync(join(top, ".git/info/attributes"), "* diff=d\n");
    for (const line of ["git log -p -1", "git show", "git blame a.txt", "git diff"]) {
      const { decision, output } = (await places[0]?.tried(line)) ?? {};
      expect([line, decision, output]).toEqual([line, "allow", expect.stringMatching(/SHOWN/u)]);
      expect(output).not.toMatch(/error:|fatal:/u);
    }
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(false);
    // The trap is real.
    git("log", "-p", "-1");
    expect(existsSync(join(top, ".git/refs/notes"))).toBe(true);
  });

  test("starts no git in a repository around it unasked", async () => {
    const { places } = repository();
    for (const line of [
      "git rev-parse --show-superproject-working-tree",
      "git rev-parse --show-toplevel --show-superproject-working-tree",
    ])
      expect([line, await judged(places, line)]).toEqual([line, ["ask", "ask"]]);
  });

  test("takes no file that it keeps for names of persons because a repository names it", async () => {
    const { git, places } = repository();
    git("add", "-f", "config/.env");
    git("commit", "-qm", "second");
    for (const blob of ["HEAD:config/.env", ":config/.env", git("rev-parse", "HEAD:config/.env").trim()]) {
      git("config", "mailmap.blob", blob);
      expect(git("log", "-1", "--format=%aN")).toContain("SECRET");
      for (const line of ["git log -1 --format=%aN", "git shortlog -s HEAD", "git log -1"])
        for (const { tried } of places) {
          const { decision, output } = await tried(line);
          expect([line, decision, output]).toEqual([line, "allow", expect.not.stringContaining("SECRET")]);
        }
    }
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
