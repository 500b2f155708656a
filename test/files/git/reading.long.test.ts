import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NotFollowed } from "../../../src/files/git/bounded-text.ts";
import { indexLinks } from "../../../src/files/git/index-links.ts";
import { repositoriesFrom } from "../../../src/files/git/repository.ts";
import { runningIn } from "../../../src/files/git/running.ts";
import { fullName, readSettings } from "../../../src/files/git/settings.ts";
import { userSettings } from "../../../src/files/git/user-settings.ts";
import { tempTree } from "../../tools/temp-tree.ts";

const env = {
  PATH: process.env["PATH"],
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "T",
  GIT_AUTHOR_EMAIL: "t@example.com",
  GIT_COMMITTER_NAME: "T",
  GIT_COMMITTER_EMAIL: "t@example.com",
};
function git(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const nobody = userSettings(undefined, undefined);

describe("git's settings", () => {
  it.each([
    '[a]\nx = a ""\ny = "" b \nz = " c "  d " "\n',
    '[core]\n\tfsmonitor = ./x.sh\n[filter "a b"] clean = "x # y" ; z\n',
    '[core] # c\n; c\n\tbare\n\tx = a\\\n  b\\tc \\\\ \\"d\\" # e\n',
    '[A.B-c]\n\tKey=1\n[a "B.\\"c\\\\"]key =   2  3  \n[filter "]"]\r\n\tclean = x\r\n',
    '\uFEFF[core]x=""\n\ty = a"b;c"d ;e\n[core]\n\n z',
    '[diff "ä"]\n\ttextconv = cät\n',
  ])("are read as git itself reads them: %j", (text) => {
    const file = join(tempTree({ config: text }), "config");
    const theirs = git("/", "config", "-z", "--list", "--file", file).split("\0").slice(0, -1);
    const ours = readSettings(text).map((one) =>
      one.value === undefined ? fullName(one) : `${fullName(one)}\n${one.value}`,
    );
    expect(ours).toEqual(theirs);
  });

  it.each(["[core\nx = 1\n", '[a]\nx = "1\n', "[a]\nx = \\q\n", "[a]\n1x = 1\n", "[a b]\nx = 1\n", "[a]\n? = 1\n"])(
    "that git does not take are not read either: %j",
    (text) => {
      const file = join(tempTree({ config: text }), "config");
      expect(spawnSync("git", ["config", "--list", "--file", file], { env }).status).not.toBe(0);
      expect(() => readSettings(text)).toThrow(NotFollowed);
    },
  );
});

/** A repository with so many files, and others in it. */
function around(names: string[], ...init: string[]): string {
  const top = tempTree();
  git(top, "init", "-q", ...init);
  for (const name of ["a.txt", "b/c.txt", "b/d.txt", "e-long-name-of-a-file.txt"]) {
    mkdirSync(join(top, name, ".."), { recursive: true });
    writeFileSync(join(top, name), name);
  }
  for (const name of names) {
    mkdirSync(join(top, name), { recursive: true });
    git(join(top, name), "init", "-q", ...init);
    git(join(top, name), "commit", "-q", "--allow-empty", "-m", "x");
  }
  git(top, "add", ".");
  git(top, "commit", "-q", "-m", "x");
  return top;
}

describe("repositories that an index leads into", () => {
  const names = ["b/sub", "b/sub-two", "ä sub", "z/deep/er"];

  it.each([2, 3, 4])("are found in its version %i", (version) => {
    const top = around(names);
    if (version === 3) git(top, "update-index", "--skip-worktree", "a.txt");
    git(top, "update-index", "--index-version", String(version));
    git(top, "update-index", "--force-write-index");
    expect(indexLinks(join(top, ".git"), 20).sort()).toEqual([...names].sort());
  });

  it("are found in one that is split, and with longer hashes", () => {
    const top = around(names);
    git(top, "update-index", "--split-index");
    writeFileSync(join(top, "f.txt"), "f");
    git(top, "add", "f.txt");
    expect(readdirSync(join(top, ".git")).some((name) => name.startsWith("sharedindex."))).toBe(true);
    expect([...new Set(indexLinks(join(top, ".git"), 20))].sort()).toEqual([...names].sort());
    const long = around(names, "--object-format=sha256");
    expect(indexLinks(join(long, ".git"), 32).sort()).toEqual([...names].sort());
    expect(runningIn(repositoriesFrom(long), nobody)).toMatchObject({ runs: false, beyond: [] });
  });

  it("of one that is cut off or is none are not guessed at", () => {
    const top = around(names);
    for (const text of ["", "DIRC", "DIRC\0\0\0\x05\0\0\0\x01", "DIRC\0\0\0\x02\0\0\0\x09"]) {
      writeFileSync(join(top, ".git/index"), text);
      expect(() => indexLinks(join(top, ".git"), 20)).toThrow(NotFollowed);
      expect(runningIn(repositoriesFrom(top), nobody)).toMatchObject({ runs: true, linksRun: true });
    }
  });
});

describe("what a repository runs", () => {
  const running = (folder: string, home?: string) => {
    const { runs, linksRun, settings, beyond } = runningIn(repositoriesFrom(folder), userSettings(home, undefined));
    return { runs, linksRun, settings: Object.fromEntries(settings), beyond };
  };
  const quiet = { runs: false, linksRun: false, settings: {}, beyond: [] };

  it("is nothing for an ordinary one, its submodule, a linked working tree and a bare one", () => {
    const top = around([]);
    const other = around([]);
    git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub/module");
    git(top, "commit", "-q", "-m", "sub");
    git(top, "worktree", "add", "-q", `../wt-${process.pid}${Date.now()}`);
    const tree = git(top, "worktree", "list", "--porcelain").split("worktree ")[2]?.split("\n")[0] ?? "";
    const bare = join(tempTree(), "bare.git");
    git(top, "clone", "-q", "--bare", top, bare);
    for (const folder of [top, join(top, "sub/module"), join(top, "b"), tree, bare, join(bare, "refs")])
      expect([folder, running(folder)]).toEqual([folder, quiet]);
    git(top, "worktree", "remove", tree);
  });

  it("is found in a submodule at any depth, in its own folder and in that of the one around it", () => {
    const top = around(["a/b"]);
    const inner = join(top, "a/b");
    mkdirSync(join(inner, "c"));
    git(join(inner, "c"), "init", "-q");
    git(join(inner, "c"), "commit", "-q", "--allow-empty", "-m", "x");
    git(inner, "add", "c");
    git(join(inner, "c"), "config", "filter.x.clean", "./evil");
    const found = { runs: true, linksRun: true, beyond: [] };
    const filter = {
      "filter.x.clean": "",
      "filter.x.smudge": "",
      "filter.x.process": "",
      "filter.x.required": "false",
    };
    expect(running(top)).toEqual({ ...found, settings: filter });
    git(join(inner, "c"), "config", "diff.external", "./evil");
    expect(running(top)).toMatchObject({ ...found, beyond: ["diff.external"] });
    expect(running(join(inner, "c"))).toMatchObject({ runs: true, linksRun: false });
  });

  it("may be anything where its folder cannot be followed", () => {
    const top = around(["sm"]);
    renameSync(join(top, "sm/.git"), join(top, "data"));
    symlinkSync("loop", join(top, "loop"));
    for (const text of ["", "gitdir: ", "nonsense", "gitdir: a\nb\n", "gitdir: \xff"]) {
      writeFileSync(join(top, "sm/.git"), Buffer.from(text, "latin1"));
      expect([text, running(top).beyond.length]).toEqual([text, 1]);
    }
    writeFileSync(join(top, "sm/.git"), "gitdir: ../data\n");
    expect(running(top)).toEqual(quiet);
    writeFileSync(join(top, "data/commondir"), "x".repeat(2_000_000));
    expect(running(top)).toMatchObject({ linksRun: true });
    writeFileSync(join(top, "data/commondir"), ".\n");
    expect(running(top)).toEqual(quiet);
  });

  it("of the user's own settings is theirs: a filter that is the same there, or git-lfs's, is no stranger's", () => {
    const home = tempTree({
      ".gitconfig": "[include]\n\tpath = ~/more\n",
      more: '[filter "mine"]\n\tclean = mine c\n\tprocess = mine p\n\trequired = true\n',
    });
    const top = around(["sm"]);
    const set = (name: string, value: string) => git(join(top, "sm"), "config", name, value);
    set("filter.mine.process", "mine p");
    set("filter.lfs.process", "git-lfs filter-process");
    set("filter.lfs.clean", "git-lfs clean -- %f");
    expect(running(top, home)).toEqual(quiet);
    set("filter.mine.process", "evil");
    expect(running(top, home)).toMatchObject({
      settings: { "filter.mine.clean": "mine c", "filter.mine.process": "mine p", "filter.mine.required": "true" },
      beyond: [],
    });
    // The user has no such part of it: without it the filter would be another one.
    set("filter.mine.smudge", "evil");
    expect(running(top, home).beyond).toEqual(["filter.mine.smudge"]);
  });
});
