import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, readSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

/*
 * A line is planned, and nobody was asked yet: git is asked which files it would show. What the repository names for it to run may be out of
 * sight then (settings that are included), and speak through a pipe of the workspace, for which a folder need not be written.
 */

const allow: Rule = {
  tool: "shell",
  command: "git *",
  decision: "allow",
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
};
const policy = (...rules: Rule[]): Policy => ({ rules, grants: [], mode: "ask", sealed: { roots: [] } });
const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A repository with programs in settings that it includes, and what they say. */
function including() {
  const top = tempTree({ "a.txt": "one\n", "b.txt": "b\n" });
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: top,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: "/nowhere", ...identity },
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(join(top, "a.txt"), "two\n");
  git("commit", "-qam", "second");
  writeFileSync(join(top, "a.txt"), "put away\n");
  git("stash");
  const pipe = join(top, ".git/pipe");
  execFileSync("mkfifo", [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(end));
  writeFileSync(join(top, ".git/evil"), `#!/bin/sh\necho ran > ${pipe}\ncat "$@"\n`, { mode: 0o755 });
  const evil = join(top, ".git/evil");
  const settings = `[filter "f"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n[diff "d"]\n\ttextconv = ${evil}\n[core]\n\tfsmonitor = ${evil}\n`;
  writeFileSync(join(top, ".git/more"), settings);
  git("config", "include.path", "more");
  writeFileSync(join(top, ".git/info/attributes"), "*.txt filter=f diff=d\n");
  // As long as it was, so that git must read it.
  writeFileSync(join(top, "a.txt"), "new\n");
  const heard = (): string => {
    try {
      const bytes = Buffer.alloc(1_000);
      return bytes.toString("utf8", 0, readSync(end, bytes, 0, bytes.length, null));
    } catch {
      return "";
    }
  };
  return { top, git, heard };
}

const lines =
  `git diff|git diff HEAD|git diff -w HEAD~1|git diff HEAD~1 HEAD|git diff HEAD~1..HEAD -- a.txt|git diff --stat -p|git diff a.txt
git ls-files --eol|git ls-files -m --eol|git ls-files -d -m -o --eol|git log -p|git log -p -w|git log -p --follow -M a.txt|git log -p -S two
git log -p -G two --pickaxe-all|git log -L 1,1:a.txt|git show|git show -b HEAD~1|git show HEAD:a.txt|git show -C HEAD|git stash show -p
git blame a.txt|git grep two|git grep two HEAD|git cat-file -p HEAD:a.txt|git log -p --quiet -w`.split(/[|\n]/u);

describeInSandbox("a git that is asked for names before a line is judged (needs bubblewrap)", () => {
  test("runs nothing of what cannot be kept from it", async () => {
    const { top, git, heard } = including();
    for (const rules of [[], [allow]]) {
      const { judge } = shellStage(top, policy(...rules));
      for (const line of lines)
        expect([line, await judge(line), heard()]).toEqual([line, rules.length === 0 ? "ask" : "allow", ""]);
    }
    // The trap is real.
    git("diff", "--name-status");
    expect(heard()).toContain("ran");
  });

  test("names what is not read unasked all the same", async () => {
    const { top, git } = including();
    git("config", "filter.f.clean", "cat");
    writeFileSync(join(top, ".env"), "SECRET\n");
    git("add", "-f", ".env");
    git("commit", "-qm", "third");
    writeFileSync(join(top, ".env"), "OTHER!\n");
    const { judge } = shellStage(top, policy(allow));
    for (const line of [
      "git diff",
      "git diff -w HEAD~1",
      "git diff HEAD~1 HEAD",
      "git show",
      "git log -p",
      "git ls-files -m --eol",
    ])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    for (const line of [
      "git status",
      "git diff --stat HEAD~1 HEAD",
      "git show HEAD~1",
      "git diff HEAD~1:a.txt HEAD:b.txt",
    ])
      expect([line, await judge(line)]).toEqual([line, "allow"]);
    expect(spawnSync("git", ["status", "--short"], { cwd: top, encoding: "utf8" }).stdout).toContain(".env");
  });

  test("leaves out what lies beside the paths that are named behind --, letter for letter", async () => {
    const { top, git } = including();
    git("config", "filter.f.clean", "cat");
    mkdirSync(join(top, "sub"));
    for (const name of [".env", "sub/.env", "sub/c.txt", "su"]) writeFileSync(join(top, name), "SECRET\n");
    symlinkSync("sub", join(top, "way"));
    git("add", "-Af");
    git("commit", "-qm", "third");
    for (const name of [".env", "sub/.env", "sub/c.txt", "su"]) writeFileSync(join(top, name), "OTHER!\n");
    const { tried } = shellStage(top, policy(allow));
    const judged = async (words: string) => {
      const { decision, output } = await tried(words.replaceAll("TOP", top));
      return [words, decision, /SECRET|OTHER!/u.test(output)];
    };
    for (const words of [
      ..."--|-- .|-- :/|-- :!a.txt|-- *|-- s*|-- a.txt .e?v|-- sub|-- sub/|-- ./sub/../.env|-- TOP|-- a.txt .env|-- [.]env|-- \\.env".split(
        "|",
      ),
      "HEAD~1 -- .",
      "-M --cached HEAD~1 -- sub",
      "-- ':(icase).ENV'",
      "-- ''",
    ])
      expect(await judged(`git diff ${words}`)).toEqual([`git diff ${words}`, "ask", false]);
    for (const line of [
      "git -C sub diff -- .",
      "git -C way diff -- .",
      "cd sub && git diff -- ../.env",
      "cd way; git diff -- .env",
    ])
      expect(await judged(line)).toEqual([line, "ask", false]);
    for (const line of [
      "git diff -- a.txt",
      "git diff HEAD~1 -- a.txt b.txt",
      "git diff HEAD~2 HEAD -- ./a.txt",
      "git -C sub diff -- ../a.txt",
      "cd way && git diff -- ../b.txt",
      "git diff -- TOP/a.txt",
    ])
      expect(await judged(line)).toEqual([line, "allow", false]);
    for (const line of ["git diff -- su", "git diff -- sub/c.txt", "git -C sub diff -- c.txt"])
      expect(await judged(line)).toEqual([line, "allow", true]);
  });

  test("leaves out nothing where git takes a path for one that is written otherwise", async () => {
    const { top, git } = including();
    git("config", "filter.f.clean", "cat");
    mkdirSync(join(top, "sub"));
    for (const name of [".env", "sub/.env", "sub/\u00fc.txt"]) writeFileSync(join(top, name), "SECRET\n");
    git("add", "-Af");
    git("commit", "-qm", "third");
    for (const name of [".env", "sub/.env", "sub/\u00fc.txt"]) writeFileSync(join(top, name), "OTHER!\n");
    const away = tempTree();
    symlinkSync(top, join(away, "link"));
    symlinkSync(join(top, "sub"), join(away, "below"));
    const { tried } = shellStage(top, policy(allow));
    for (const path of [
      `${away}/link`,
      `${away}/link/sub`,
      `${away}/below`,
      `../${basename(away)}/link`,
      `${dirname(top)}/${basename(top).toUpperCase()}/.env`,
      ".ENV",
      "SUB",
      "Sub/.Env",
      "sub/u\u0308.txt",
    ])
      expect([path, await tried(`git diff -- ${path}`)]).toEqual([path, { decision: "ask", output: "" }]);
    expect(await tried("git diff -- A.txt")).toMatchObject({ decision: "allow" });
  });

  test("counts no names of git where it compares what lies on the disk", async () => {
    const { top, git } = including();
    git("config", "filter.f.clean", "cat");
    mkdirSync(join(top, "sub"));
    writeFileSync(join(top, "sub/c.txt"), "c\n");
    git("add", "-Af");
    git("commit", "-qm", "third");
    writeFileSync(join(top, "sub/.env"), "SECRET\n");
    const away = tempTree({ "c.txt": "" });
    const { tried } = shellStage(top, policy(allow));
    for (const words of [`-- sub ${away}`, `-- ${away} sub`, `sub -- ${away}`, `-- sub ../${basename(away)}`])
      expect([words, await tried(`git diff ${words}`)]).toEqual([words, { decision: "ask", output: "" }]);
    expect(await tried("git diff -- sub/c.txt a.txt")).toMatchObject({ decision: "allow" });
  });

  test.each([
    ["HEAD has", ["--cached", "--staged", "--cached -R", "-w --staged -- .env", "--staged --stat -p", "--cached HEAD"]],
    [
      "the commit has where two parted",
      ["--merge-base main", "--merge-base main HEAD", "--cached --merge-base main", "main...HEAD"],
    ],
    ["an object is that the line names", ["HEAD~1:.env HEAD:b.txt", "HEAD:b.txt HEAD~1:.env", "HEAD~1:.env b.txt"]],
    ["one of many commits may have", ["HEAD~1..HEAD ".repeat(5), `HEAD ${"HEAD~1 ".repeat(7)} HEAD^@`]],
  ])("counts in a difference what %s", async (where, words) => {
    const { top, git } = including();
    git("config", "filter.f.clean", "cat");
    writeFileSync(join(top, ".env"), "SECRET\n");
    git("add", "-f", ".env");
    git("commit", "-qm", "third");
    const { judge } = shellStage(top, policy(allow));
    expect(await judge("git diff")).toBe("ask");
    git("branch", "other");
    git("rm", "-q", "--cached", ".env");
    if (where !== "HEAD has") {
      git("commit", "-qm", "fourth");
      git("checkout", "-qf", "other");
      git("rm", "-qf", ".env");
      git("commit", "-qm", "fifth");
    }
    for (const one of words) expect([one, await judge(`git diff ${one.trim()}`)]).toEqual([one, "ask"]);
    for (const one of ["", "-- a.txt", "-w"]) expect([one, await judge(`git diff ${one}`)]).toEqual([one, "allow"]);
  });

  test("knows what a difference to no commit shows, where there is none", async () => {
    const { top, git } = including();
    git("checkout", "-q", "--orphan", "empty");
    const { judge } = shellStage(top, policy(allow));
    expect(await judge("git diff --cached")).toBe("allow");
    writeFileSync(join(top, ".env"), "SECRET\n");
    git("add", "-f", ".env");
    expect(await judge("git diff --cached")).toBe("ask");
  });
});
