import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { run, shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

const deny = (path: string, decision: Rule["decision"]): Rule => ({
  tool: "read_file",
  paths: [path],
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
});
const policy: Policy = {
  rules: [deny("private/**", "deny"), deny("asked/**", "ask")],
  grants: [],
  mode: "ask",
  sealed: { roots: [] },
};

const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A repository whose history holds what is not read unasked: guarded, denied, asked about; renamed away, in a tag, in the stash, in a merge. */
function repository(top = tempTree()) {
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: top,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: top, ...identity },
    });
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  };
  const commit = (message: string) => {
    git("add", "-A", "-f");
    git("commit", "-qm", message);
  };
  git("init", "-q", "-b", "main");
  put("a.txt", "one\n");
  put("sub/b.txt", "b\n");
  put("x.txt", "x\n");
  commit("plain");
  put(".env", "SECRET of .env\n");
  put("private/plan.txt", "SECRET of a denied file\n");
  put("asked/x.txt", "SECRET of an asked file\n");
  commit("secrets");
  git("tag", "secret", git("rev-parse", "HEAD:.env").trim());
  git("tag", "folder", git("rev-parse", "HEAD:private").trim());
  renameSync(join(top, ".env"), join(top, "moved.txt"));
  put("moved.txt", "of .env\nand more\nSECRET of .env\n".replace("SECRET", "nothing"));
  commit("moved");
  git("rm", "-rqf", "private", "asked", "moved.txt");
  put("a.txt", "two\n");
  commit("last");
  git("checkout", "-qb", "side", "HEAD~3");
  put("id_rsa", "SECRET of a key\n");
  put("side.txt", "side\n");
  commit("side");
  git("checkout", "-q", "main");
  git("merge", "-q", "side", "-m", "merged");
  put("a.txt", "SECRET put away\n");
  put(".env", "SECRET put away\n");
  git("stash", "push", "-qu");
  put("a.txt", "three\n");
  commit("newest");
  put("a.txt", "four\n");
  return { top, git, put };
}

const stage = (workspace: string) => shellStage(workspace, policy);

describeInSandbox("what git keeps, shown without a question (needs bubblewrap)", () => {
  test("is what may be read: those lines run, and change nothing", async () => {
    const { top } = repository();
    const { judge, ready } = stage(top);
    const free = [
      ["git diff", "+four"],
      ["git show", "+three"],
      ["git diff HEAD~1 -- a.txt", "+four"],
      ["git show HEAD~1:a.txt | head -1", "two"],
      ["git show :a.txt", "three"],
      ["git log -p -1 --oneline", "+three"],
      ["git log -p --oneline -- a.txt sub", "+one"],
      ["git log -S two --oneline -- a.txt", "last"],
      ["git blame a.txt", "four"],
      ["git grep -n b -- sub", "sub/b.txt:1:b"],
      ["cd sub && git --no-pager diff HEAD", "+four"],
      ["git -C sub show HEAD~1:./b.txt", "b"],
      ["git grep -n b HEAD:sub", "HEAD:sub:b.txt:1:b"],
      ["git grep -n b HEAD~1:sub/ HEAD:sub", "HEAD:sub:b.txt:1:b"],
      ["git grep -n . HEAD:x.txt", "HEAD:x.txt:1:x"],
      ["git cat-file -p HEAD:x.txt", "x"],
      ["git show HEAD~1:sub", "b.txt"],
    ] as const;
    for (const [line, part] of free) {
      expect([line, await judge(line)]).toEqual([line, "allow"]);
      expect([line, (await run(await ready(line))).output]).toEqual([line, expect.stringContaining(part)]);
    }
  });

  test("never what is guarded, or what a rule keeps, whichever way it is named", async () => {
    const { top } = repository();
    const { judge, ready } = stage(top);
    const lines =
      `git log -p|git log -p --all|git log -p main~3..main|git show main~4|git show main~3|git show main~2^{commit}
git diff main~4|git diff main~4 main|git diff main~4..main~2|git show side|git show main~1|git show -c main~1|git log -p -m -2
git show main~4:.env|git show main~4:private/plan.txt|git show main~4:asked/x.txt|git cat-file -p main~4:./.env
git show secret|git cat-file -p secret|git show secret main|git diff secret main:a.txt|git diff main~4:.env..main:a.txt
git diff main~4:.env main:a.txt|git log -p --follow -- moved.txt|git log -p --diff-filter=R -1|git log -p -M --diff-filter=R
git log -S SECRET|git log -G SECRET --name-only|git log -1 -S SECRET|git log --skip=1 -S SECRET -1
git blame main~4 .env|git blame main~4 -- private/plan.txt|git grep SECRET main~4|git grep -h -e SECRET main~4 -- .
git grep --cached SECRET side|git stash show -p|git stash show -p -u|git stash show --only-untracked|git stash show 0
git show :/secrets|git show main^{/secrets}|git show 'stash@{0}'|git show stash^3|git reflog -p|git stash list -p
git grep SECRET main~4:private|git grep SECRET 'main~4:./sub/../private'|git grep SECRET 'main^{/secrets}:private'|git grep SECRET folder
git grep SECRET secret|git grep SECRET main~4^{tree}|git grep -h SECRET side main~4:private|git show folder:plan.txt|git cat-file -p folder:plan.txt
git diff folder:plan.txt main:a.txt|git show folder^{tree}:plan.txt|git show 'main^{/secrets}:.env'|git show 'main@{2030-01-01 10:00:00}~4:.env'
git show $(git rev-parse main~4:.env)|git show \`echo secret\`|x=secret; git show $x`
        .split(/[|\n]/u)
        .map((line) => line.replaceAll("main", "main~1"));
    for (const line of lines) {
      const decision = await judge(line);
      if (decision === "allow")
        expect([line, (await run(await ready(line))).output]).not.toEqual([line, expect.stringContaining("SECRET")]);
      else expect([line, ["ask", "deny"].includes(decision)]).toEqual([line, true]);
    }
    // Some of them are asked about for what they would show, not for their words.
    expect(await Promise.all(["git show main~4", "git show secret", "git log -p"].map(judge))).toEqual([
      "ask",
      "ask",
      "ask",
    ]);
  });

  test("nothing that was not listed: what changed since is not run", async () => {
    const { top, git, put } = repository();
    const { ready } = stage(top);
    const prepared = await ready("git diff HEAD");
    expect(prepared.verdict.decision).toBe("allow");
    put(".env", "SECRET\n");
    git("add", "-f", ".env");
    const { output, error } = await run(prepared);
    expect([output, error]).toEqual(["", expect.stringContaining("changed meanwhile")]);
  });

  test("no option is taken for less than it does", async () => {
    const { top } = repository();
    const { judge } = stage(top);
    const lines = [
      ..."--ext-diff|--textconv|--output=o|--outp=o|-O/etc/passwd|--no-index /etc/passwd a.txt|--find-copies-harder HEAD|-C -C HEAD|--submodule=diff"
        .split("|")
        .map((words) => `git diff ${words}`),
      ..."-L1,1:a.txt|--show-signature|--format=%GG|--pretty=format:%G?|--graph -p|--remerge-diff|--date --output=o"
        .split("|")
        .map((words) => `git log ${words}`),
      ..."--contents /etc/passwd a.txt|-S /etc/passwd a.txt|--ignore-revs-file /etc/passwd a.txt"
        .split("|")
        .map((words) => `git blame ${words}`),
      ..."-O x|--open-files-in-pager=id x|-f /etc/passwd|--no-index x|--recurse-submodules x|--textconv x"
        .split("|")
        .map((words) => `git grep ${words}`),
      ..."branch new|branch -v new|branch -l new|tag v1|tag -d v1|remote add o x|remote show o|remote -v update|stash|stash -u list|stash pop|reflog expire --all|reflog delete main@{1}|worktree add ../w|cat-file --batch|for-each-ref --format=%(contents)|branch --format=%(signature)|check-ignore -v a|config --list|ls-remote|fetch|-p log|-c a=b log|--git-dir=x log|--exec-path=x log"
        .split("|")
        .map((words) => `git ${words}`),
    ];
    expect(
      (await Promise.all(lines.map(async (line) => [await judge(line), line]))).filter(([it]) => it === "allow"),
    ).toEqual([]);
  });

  test("an address with a password is asked about", async () => {
    const { top, git } = repository();
    const { judge } = stage(top);
    git("remote", "add", "plain", "git@example.com:a/b.git");
    git("remote", "add", "other", "ssh://git@example.com/a/b.git");
    expect([await judge("git remote -v"), await judge("git remote get-url other")]).toEqual(["allow", "allow"]);
    git("remote", "add", "token", "https://TOKEN@example.com/a/b.git");
    expect([await judge("git remote -v"), await judge("git remote get-url token")]).toEqual(["ask", "ask"]);
  });

  test("objects of another repository are not there", async () => {
    const { top } = repository();
    const other = repository();
    const { judge, ready } = stage(top);
    writeFileSync(join(top, ".git/objects/info/alternates"), `${join(other.top, ".git/objects")}\n`);
    const line = `git show ${other.git("rev-parse", "HEAD:a.txt").trim()}`;
    expect(await judge(line)).toBe("ask");
    rmSync(join(top, ".git/objects/info/alternates"));
    rmSync(join(top, ".git/objects"), { recursive: true });
    symlinkSync(join(other.top, ".git/objects"), join(top, ".git/objects"));
    for (const command of ["git show HEAD", "git log -p -1 -- a.txt"])
      if ((await judge(command)) === "allow")
        expect((await run(await ready(command))).output).not.toMatch(/^\+(?:three|two)/mu);
  });

  test("what a repository says of its own files leads to no other", async () => {
    const { top, git } = repository();
    const { judge } = stage(top);
    writeFileSync(join(top, ".env"), "SECRET=1\n");
    git("config", "blame.ignoreRevsFile", join(top, ".env"));
    expect([await judge("git blame a.txt"), await judge("git status")]).toEqual(["ask", "allow"]);
    git("config", "--unset", "blame.ignoreRevsFile");
    expect(await judge("git blame a.txt")).toBe("allow");
    for (const name of ["packed-refs", "shallow", "info/attributes"]) {
      rmSync(join(top, ".git", name), { force: true });
      symlinkSync(join(top, ".env"), join(top, ".git", name));
      expect([name, await judge("git status"), await judge("git diff")]).toEqual([name, "ask", "ask"]);
      rmSync(join(top, ".git", name));
    }
    const other = repository();
    writeFileSync(join(other.top, ".git/info/attributes"), "*.x text\n");
    symlinkSync(join(other.top, ".git/info/attributes"), join(top, ".git/info/attributes"));
    expect(await judge("git status")).toBe("allow");
    rmSync(join(top, ".git/hooks"), { recursive: true, force: true });
    mkdirSync(join(top, "hooks"));
    symlinkSync(join(top, "hooks"), join(top, ".git/hooks"));
    expect([await judge("git status"), await judge("git diff -- a.txt")]).toEqual(["allow", "allow"]);
  });

  test.each([
    ["worktrees/x/gitdir", "git worktree list"],
    ["worktrees/x/locked", "git worktree list --porcelain"],
    ["rebase-merge/done", "git status"],
    ["rebase-merge/head-name", "git branch"],
    ["rebase-apply/head-name", "git status"],
    ["sequencer/todo", "git status"],
    ["BISECT_START", "git status"],
    ["branches/x", "git remote get-url x"],
    ["remotes/x", "git remote get-url x"],
    ["refs/heads/x/y", "git rev-parse x/y"],
    ["logs/refs/heads/x", "git reflog"],
    ["objects/info/alternates", "git log --oneline -1"],
    ["objects/info/commit-graphs/commit-graph-chain", "git log --oneline -1"],
  ])("a link at %s tells of no other file, in the sandbox or without it", async (name, command) => {
    const { top } = repository();
    const places = [stage(top), shellStage(top, policy, "off")];
    const verdicts = async () => [await places[0]?.judge(command), await places[1]?.judge(command)];
    const at = join(top, ".git", name);
    writeFileSync(join(top, ".env"), "SECRET=1\n");
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(join(top, ".env"), at);
    expect(await verdicts()).toEqual(["ask", "ask"]);
    rmSync(at);
    symlinkSync(join(top, ".git/config"), at);
    expect(await verdicts()).toEqual(["ask", "ask"]);
    rmSync(at);
    if (!name.includes("/")) return;
    // The folder is the link, and lies in the working tree.
    rmSync(dirname(at), { recursive: true });
    mkdirSync(join(top, "put"));
    symlinkSync(join(top, ".env"), join(top, "put", basename(name)));
    symlinkSync(join(top, "put"), dirname(at));
    expect(await verdicts()).toEqual(["ask", "ask"]);
  });

  test("a link in another folder of objects, where git looks for more of them, tells of no other file", async () => {
    const { top } = repository();
    const { tried } = shellStage(top, policy, "off");
    const command = "git status --short";
    writeFileSync(join(top, ".env"), "SECRET=1\n");
    mkdirSync(join(top, "more/info"), { recursive: true });
    mkdirSync(join(top, "most/info"), { recursive: true });
    writeFileSync(join(top, ".git/objects/info/alternates"), "# more\n../../more\n");
    writeFileSync(join(top, "more/info/alternates"), `${join(top, "most")}\n`);
    expect((await tried(command)).decision).toBe("allow");
    symlinkSync(join(top, ".env"), join(top, "most/info/alternates"));
    expect(await tried(command)).toEqual({ decision: "ask", output: "" });
  });

  test("a name is shown for what it says, and for nothing that was put in its place", async () => {
    const { top, git } = repository();
    const { judge, ready } = stage(top);
    git("replace", git("rev-parse", "HEAD:x.txt").trim(), git("rev-parse", "secret").trim());
    git("replace", "HEAD~1", "side");
    for (const line of ["git show HEAD:x.txt", "git grep -e . HEAD -- x.txt", "git log -p --oneline -- x.txt"]) {
      expect([line, await judge(line)]).toEqual([line, "allow"]);
      expect((await run(await ready(line))).output).not.toContain("SECRET");
    }
  });

  test("a repository that git does not take says nothing of names", async () => {
    const { top } = repository();
    const { judge } = stage(top);
    rmSync(join(top, ".git/HEAD"));
    for (const line of ["git diff", "git show", "git grep -n b -- sub", "git show HEAD:a.txt"])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
  });

  test("in a folder of a larger repository git lists as ever, and what shows contents asks", async () => {
    // What lies in /tmp is nobody's but the workspace's in the sandbox.
    const top = mkdtempSync("/var/tmp/holdfast-test-");
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const { git } = repository(top);
    git("worktree", "add", "-q", join(top, "linked"), "side");
    for (const place of ["sub", "linked"]) {
      const { judge, ready } = stage(join(top, place));
      for (const line of ["git log --oneline", "git status --short", "git branch && ls"]) {
        expect([place, line, await judge(line)]).toEqual([place, line, "allow"]);
        const { error = "", output } = await run(await ready(line));
        expect([place, line, error + output]).toEqual([place, line, expect.not.stringContaining("fatal")]);
      }
      expect((await run(await ready("git log --oneline"))).output).toContain("plain");
      for (const line of ["git show", "git diff", "git log -p", "git show HEAD:./b.txt", "git grep b"])
        expect([place, line, await judge(line)]).toEqual([place, line, "ask"]);
    }
  });
});
