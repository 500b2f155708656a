import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { resultOf } from "../../src/tools/use/run-tool.ts";
import { judgeOf } from "../policy/lines/judge.ts";
import { makeTree, secretMark } from "../policy/lines/tree.ts";
import { describeInSandbox } from "../support/needs.ts";

const token = "TOKEN-OF-A-REMOTE";

/** A repository with a token in its settings, a link of its own to those, and a closed file among what it has. */
function stage() {
  const tree = makeTree("plain");
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: tree.workspace, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  git("config", "remote.origin.url", `https://u:${token}@example.com/users.git`);
  symlinkSync("../.git/config", join(tree.workspace, "src/settings.ts"));
  git("add", "-f", ".env", "src/settings.ts");
  const { judge, dispose } = judgeOf(tree, "required");
  onTestFinished(async () => {
    await dispose();
    tree.remove();
  });
  const start = async (line: string, before: () => void = () => undefined) => {
    const { is, prepared } = await judge(line);
    if (is !== "free" || prepared.kind !== "ready") return { is, output: "" };
    before();
    const { output, error, metadata } = resultOf(await prepared.run(AbortSignal.timeout(30_000)));
    return { is, output, error, code: metadata?.["code"] };
  };
  return { ...tree, git, start, put: (path: string, text: string) => writeFileSync(join(tree.workspace, path), text) };
}

describeInSandbox("readers of what git lists (need bubblewrap)", () => {
  it("read it all but what is closed, and git lists what it lists", async () => {
    const { git, start } = stage();
    const { output } = await start(
      "git ls-files | cat; grep -n listen $(git ls-files 'src/*.ts'); cat $(git ls-files | grep env)",
    );
    expect(output.slice(0, git("ls-files").length)).toBe(git("ls-files"));
    expect(output).toContain("src/index.ts:2:listen(80);");
    expect(output).not.toContain(secretMark);
  });

  it.each([
    "git ls-files | xargs cat",
    "cat $(git ls-files)",
    "git ls-files; grep -Rn . .",
    "git ls-files; find -L . -type f | xargs cat",
    "git ls-files; cat .gi$(printf t)/config .gi$(printf t)/logs/HEAD .gi$(printf t)/index",
    "printf '.git/config .git/COMMIT_EDITMSG .env' | xargs cat; git ls-files",
  ])("find no address, message or object of git's, and nothing that is closed: %s", async (line) => {
    const { is, output } = await stage().start(line);
    expect([is, output.length > 0]).toEqual(["free", true]);
    expect([secretMark, token, "origin", "commit: third"].filter((text) => output.includes(text))).toEqual([]);
  });

  it("are told that nothing of git's folder is there only where that is so", async () => {
    const { start } = stage();
    const beside = (await start("git ls-files | head -1; find . -name HEAD")).output;
    const alone = (await start("find . -name HEAD")).output;
    expect([beside, alone].map((text) => text.includes(".git/HEAD"))).toEqual([true, false]);
    expect([beside, alone].map((text) => /what lies in .*\.git/u.test(text))).toEqual([false, true]);
  });

  it("are asked about where git needs more of its folder, or does more", async () => {
    const { git, start, put } = stage();
    const line = "git ls-files | xargs cat";
    const lines = [
      "git log -1; cat $(git ls-files)",
      "git ls-files -o | xargs cat",
      "git ls-files ':(attr:a)' | xargs cat",
    ];
    for (const one of lines) expect([one, (await start(one)).is]).toEqual([one, "ask"]);
    expect((await start(line)).is).toBe("free");
    git("config", "index.sparse", "true");
    expect((await start(line)).is).toBe("ask");
    git("config", "--unset", "index.sparse");
    put(".git/config.worktree", "");
    expect((await start(line)).is).toBe("ask");
  });

  it("are not run where it needs more by then", async () => {
    const { start, put } = stage();
    const { error, code } = await start("git ls-files | xargs cat", () => put(".git/config.worktree", ""));
    expect([error, code]).toEqual([expect.stringContaining("is another one by now"), "STALE"]);
  });
});
