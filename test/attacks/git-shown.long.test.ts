import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Policy } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { run, shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A repository in which both sides of a merge changed a guarded file, in other lines of it, and which has a commit since without that file. */
function repository() {
  const top = tempTree();
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: top,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: top, ...identity },
    });
  const lines = Array.from({ length: 20 }, (_, at) => String(at));
  const put = (name: string, changed: Record<number, string>) =>
    writeFileSync(join(top, name), `${lines.map((line, at) => changed[at] ?? line).join("\n")}\n`);
  const commit = (message: string) => {
    git("add", "-Af");
    git("commit", "-qm", message);
  };
  git("init", "-q", "-b", "main");
  put(".env", {});
  put("a.txt", {});
  commit("base");
  git("checkout", "-qb", "side");
  put(".env", { 1: "SECRET of one side" });
  put("a.txt", { 1: "one side" });
  commit("side");
  git("checkout", "-q", "main");
  put(".env", { 18: "SECRET of the other" });
  put("a.txt", { 18: "the other" });
  commit("main");
  git("merge", "-q", "side", "-m", "merged");
  git("rm", "-q", ".env");
  git("commit", "-qm", "last");
  return { top, git };
}

const showing = [
  "git show HEAD~1",
  "git show -c HEAD~1",
  "git show --cc HEAD~1",
  "git show -m HEAD~1",
  "git show -c --first-parent HEAD~1",
  "git show -c HEAD~1 -- .",
  "git log -p -1 HEAD~1",
  "git log -p -m -1 HEAD~1",
  "git log -p --first-parent -1 HEAD~1",
  "git log -p --graph -1 HEAD~1",
  "git log -L 1,19:a.txt",
];
const ofMerges = ["on", "separate", "first-parent", "combined", "dense-combined", "remerge", "off", "none"];
const telling = [
  "git log",
  "git log -3 --stat",
  "git log --oneline",
  "git show -s HEAD",
  "git log --format=%s%N",
  "git log -1 --format=%B%n%N",
  "git log --format=fuller -2",
  // Nothing else is changed for git where something stands beside it that may start another one.
  "x=1; git log -2",
  "x=1; git show -s HEAD",
  "x=1; git log -1; git reflog --format=%N",
  "git reflog",
  "git reflog --format=%N",
  "x=1; git reflog -1 --format='%h%+N'",
  "bash -c 'git log -1'",
  "git log -1 | od -c",
];
const tellingInBox = ["set -o pipefail; git log -1 | head", "git log -1 | base64"];
/** Of the note, also as `od` and `base64` write its letters. */
const secret = /SECRET|S {3}E {3}C {3}R|U0VDUkVU|TRUNSRV|NFQ1JFV/u;

describeInSandbox("what git shows of a merge without a question (needs bubblewrap)", () => {
  test("is what it was asked for, whatever the repository says of merges", async () => {
    const { top, git } = repository();
    for (const value of ofMerges) {
      git("config", "log.diffMerges", value);
      const { judge, ready } = shellStage(top, policy);
      for (const line of showing) {
        const said = (await judge(line)) === "allow" ? (await run(await ready(line))).output : "";
        expect([value, line, said]).toEqual([value, line, expect.not.stringContaining("SECRET")]);
      }
      expect(await judge("git show HEAD")).toBe("ask");
      expect(await judge("git show HEAD~1:a.txt")).toBe("allow");
    }
  });
});

/** Notes that are the guarded file itself: the first by the name that git looks for, the second by one that settings give. */
function noted() {
  const { top, git } = repository();
  const blob = git("rev-parse", "HEAD~1:.env").trim();
  git("notes", "add", "-C", blob, "HEAD");
  git("notes", "--ref=other", "add", "-C", blob, "HEAD~1");
  return { top, git };
}

describeInSandbox("notes of commits as the files that they are in their own commits (needs bubblewrap)", () => {
  test("are asked about", async () => {
    const { top, git } = noted();
    const { judge } = shellStage(top, policy);
    const [head, note] = [git("rev-parse", "HEAD").trim(), "refs/notes/commits"];
    for (const line of [
      "git log -p --all --not HEAD",
      `git show ${note}`,
      `git show ${note}:${head}`,
      `git cat-file -p ${note}:${head}`,
      `git grep -n SECRET ${note}`,
      `git diff ${note} refs/notes/other`,
      `git diff HEAD ${note}`,
    ])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    expect(await judge("git log -p --all --not HEAD refs/notes/commits refs/notes/other")).toBe("allow");
  });
});

for (const sandbox of ["required", "off"] as const) {
  const inSetting = sandbox === "off" ? describe : describeInSandbox;
  inSetting(
    `notes of commits, ${sandbox === "off" ? "without the sandbox" : "in the sandbox (needs bubblewrap)"}`,
    () => {
      test("are not shown without a question, and that is said", async () => {
        const { top, git } = noted();
        expect(git("log")).toContain("SECRET");
        for (const setting of [undefined, "core.notesRef", "notes.displayRef"]) {
          if (setting !== undefined) git("config", setting, "refs/notes/other");
          if (setting !== undefined) expect(git("log")).toContain("SECRET");
          const { judge, ready } = shellStage(top, policy, sandbox);
          for (const line of [...telling, ...(sandbox === "off" ? [] : tellingInBox)]) {
            expect([line, await judge(line)]).toEqual([line, "allow"]);
            const { output } = await run(await ready(line));
            expect([line, output]).toEqual([line, expect.not.stringMatching(secret)]);
            expect([line, output]).toEqual([line, expect.stringContaining("git notes, are not shown")]);
          }
          if (setting !== undefined) git("config", "--unset", setting);
        }
        const { judge } = shellStage(top, policy, sandbox);
        for (const line of [
          "GIT_NOTES_REF=refs/notes/commits git log -1",
          "export GIT_NOTES_REF=refs/notes/commits; git log -1",
          "unset GIT_NOTES_REF GIT_NOTES_DISPLAY_REF; git log -1",
          "env -u GIT_NOTES_REF git log -1",
          "bash -c 'unset GIT_NOTES_REF; git log -1'",
          "read -r GIT_NOTES_REF < a.txt; git log -1",
          "for GIT_NOTES_REF in refs/notes/commits; do git log -1; done",
          "x=1; git log -1 --notes",
        ])
          expect([line, await judge(line)]).toEqual([line, "ask"]);
        git("pack-refs", "--all");
        const { ready } = shellStage(top, policy, sandbox);
        expect((await run(await ready("git log -1"))).output).toContain("git notes, are not shown");
        for (const line of ["git status", "git grep -n '%NODE_ENV%'", "git ls-files '%N'"])
          expect([line, (await run(await ready(line))).output]).toEqual([
            line,
            expect.not.stringContaining("git notes"),
          ]);
      });
    },
  );
}

/** A repository with a signed commit, whose settings have a format that asks for signatures, of a person with a checker of their own. */
function signed() {
  const home = tempTree({ "work/a.txt": "a\n" });
  const [top, ran] = [join(home, "work"), join(home, "ran")];
  const git = (words: readonly string[], input?: string) =>
    execFileSync("git", words, {
      cwd: top,
      encoding: "utf8",
      input,
      env: { PATH: process.env["PATH"], HOME: home, ...identity },
    });
  git(["init", "-q", "-b", "main"]);
  git(["add", "."]);
  git(["commit", "-qm", "first"]);
  const signature = "-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
  const text = git(["cat-file", "commit", "HEAD"]).replace(/^(committer .*\n)/mu, `$1gpgsig ${signature}\n`);
  git(["update-ref", "HEAD", git(["hash-object", "-t", "commit", "-w", "--stdin"], text).trim()]);
  writeFileSync(join(home, "checker"), `#!/bin/sh\necho > ${ran}\n`, { mode: 0o755 });
  git(["config", "--global", "gpg.program", join(home, "checker")]);
  git(["config", "format.pretty", "%h %G?"]);
  return { top, home, git, hasRun: () => existsSync(ran) };
}

for (const sandbox of ["required", "off"] as const) {
  const inSetting = sandbox === "off" ? describe : describeInSandbox;
  inSetting(
    `a format of settings that asks for signatures, ${sandbox === "off" ? "without" : "in"} the sandbox`,
    () => {
      test("starts no checker for a line that only reads, whatever stands beside git in it", async () => {
        const { top, home, git, hasRun } = signed();
        const { tried } = shellStage(top, policy, sandbox, { PATH: process.env["PATH"], HOME: home });
        for (const line of [
          "git log -1",
          "x=1; git log -1",
          "x=1; git log --stat -1",
          "x=1; git show -s HEAD",
          "bash -c 'git log -1'",
          "git log -1 | od -c",
          "git log -1 | strings",
          "for i in 1; do git log -1; done",
        ]) {
          expect([line, (await tried(line)).decision, hasRun()]).toEqual([line, "allow", false]);
        }
        git(["log", "-1"]);
        expect(hasRun()).toBe(true);
      });
    },
  );
}
