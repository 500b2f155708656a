import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitOfLine } from "../../../../src/tools/shell/reading/git-line.ts";
import { judgedReader } from "../../../../src/tools/shell/reading/only-reads.ts";
import { readCommandLine } from "../../../../src/tools/shell/reading/read-command-line.ts";
import { tempTree } from "../../temp-tree.ts";

/** A repository with a commit and a tag. */
function repository(): string {
  const workspace = tempTree({ "a.txt": "a\n" });
  mkdirSync(join(workspace, "sub"));
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    [...who, "commit", "-qm", "a"],
    [...who, "tag", "-am", "v", "v1"],
  ])
    execFileSync("git", words, { cwd: workspace, stdio: "pipe" });
  return workspace;
}

/** How a line is judged without the sandbox, and what it would be run with. */
async function judged(workspace: string, line: string) {
  const read = await readCommandLine(line, { workspace, cwd: workspace, path: ["/usr/bin", "/bin"] });
  const git = gitOfLine(read.commands, { home: undefined });
  const isFree = git.commands.every((command) => "reads" in judgedReader(command, { workspace }));
  return { ...git, isFree };
}

let touched = 1_000_000_000;
/** Whether a line with this environment leaves git's index as it is, where the time of a file is another one. */
function keepsIndex(workspace: string, line: string, env: Record<string, string> | undefined): boolean {
  touched += 100;
  utimesSync(join(workspace, "a.txt"), touched, touched);
  const index = join(workspace, ".git/index");
  const before = readFileSync(index);
  execFileSync("bash", ["-c", `${line} > /dev/null 2>&1 || true`], { cwd: workspace, env: { ...process.env, ...env } });
  const isSame = readFileSync(index).equals(before);
  writeFileSync(index, before);
  return isSame;
}

describe("git that tells, without the sandbox", () => {
  it.each([
    "git status",
    "git diff --stat",
    "git diff --name-only",
    "git diff --quiet",
    "git diff --raw HEAD",
    "git describe",
    "git status; date",
    "timeout 5 git status -s",
    "git status; node -v; python3 -V; bash --version",
    "{ git diff --stat; git status; } 2>&1",
    "cd sub && git diff --shortstat",
  ])("is free, and is kept from writing its index: %s", async (line) => {
    const workspace = repository();
    const { env, isFree } = await judged(workspace, line);
    expect([isFree, keepsIndex(workspace, line, env)]).toEqual([true, true]);
  });

  it.each(["git describe --dirty", "git describe --tags --broken", "x=1; git status"])(
    "is asked about where nothing keeps it from that: %s",
    async (line) => {
      const { isFree, commands } = await judged(repository(), line);
      expect([isFree, commands.some(({ refreshesIndex }) => refreshesIndex === true)]).toEqual([false, true]);
    },
  );

  it.each(["python3 -v", "bash -v", "bash -V", "node -V", "gcc -V", "node -v a.js", "bash --version -c x"])(
    "is not kept from it beside what is asked for more than its version, or by a word that is another one there: %s",
    async (word) => {
      const { env } = await judged(repository(), `git status; ${word}`);
      expect(env).toBeUndefined();
    },
  );

  it("says where its answer is another one for it", async () => {
    const workspace = repository();
    const lines = ["git diff --quiet", "git diff --name-only", "git diff --cached --name-only", "git diff --stat"];
    const told = await Promise.all(lines.map(async (line) => (await judged(workspace, line)).countsTouched === true));
    expect(told).toEqual([true, true, false, false]);
  });
});

describe("signatures", () => {
  const own = "[format]\n\tpretty = %h %G?\n";

  it.each([
    ["git log -1", false],
    ["git show -s", false],
    ["git log -1 --format='%h %G?'", true],
    ["git log -1 --show-signature", true],
    ["git for-each-ref --format='%(signature:grade)'", true],
  ])(
    "are checked where the line's own words ask for that, and not for a format of the repository: %s",
    async (line, areChecked) => {
      const workspace = repository();
      const config = join(workspace, ".git/config");
      writeFileSync(config, `${readFileSync(config, "utf8")}${own}`);
      const { env, isFree } = await judged(workspace, line);
      const given = Object.values(env ?? {});
      expect([isFree, given.includes("gpg.program")]).toEqual([!areChecked, !areChecked]);
    },
  );
});
