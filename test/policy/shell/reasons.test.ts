import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { describeInSandbox } from "../../support/needs.ts";
import { judgeOf } from "../lines/judge.ts";
import { makeTree } from "../lines/tree.ts";

const tree = makeTree("plain");
execFileSync("git", ["remote", "add", "secret", "https://ada:hidden@example.com/x.git"], { cwd: tree.workspace });
afterAll(() => tree.remove());

/** Each line asks, and says why. */
async function reasons(sandbox: "required" | "off", lines: readonly (readonly [line: string, why: string])[]) {
  const { judge, dispose } = judgeOf(tree, sandbox);
  for (const [line, why] of lines)
    expect([line, await judge(line)]).toEqual([
      line,
      expect.objectContaining({ is: "ask", why: expect.stringContaining(why) }),
    ]);
  await dispose();
}

const everywhere = [
  ["cat /etc/hosts", "medium risk: it reads /etc/hosts, which lies outside of the workspace"],
  ["cat README.md > out.txt", "medium risk: its output goes into a file"],
  ["sort -o out.txt README.md", "medium risk: its word -o writes a file"],
  ["env A=1 ls", "medium risk: what it does with these words is not known to be reading alone"],
  ["a=(b)`./x`", "it is not known what would run: a list in it goes on behind its end"],
  ["cat <<< <(:)# README.md", "a substitution in it is a part of a word"],
  ["LD_PRELOAD=./x.so cat README.md", "medium risk: a variable is set that programs may take their orders from"],
] as const;

describe("the reason that a line without the sandbox is asked about", () => {
  it("is the true one", async () => {
    await reasons("off", [
      ...everywhere,
      ["ls *.json", "medium risk: there is no sandbox to hold it"],
      ["echo $HOME", "medium risk: there is no sandbox to hold it"],
      ["git remote -v", "medium risk: which files it would show is not known before it runs"],
      ["git log -1; grep -rn main py", "grep -rn main py: medium risk: it goes through a folder"],
      ["frob a", "medium risk: a command can change files and reach the network"],
    ]);
  });
});

describeInSandbox("the reason that a line in the sandbox is asked about (needs bubblewrap)", () => {
  it("is the true one", async () => {
    await reasons("required", [
      ...everywhere,
      ["git remote -v", "medium risk: it may show a password"],
      ["git show HEAD~300", "medium risk: git does not say beforehand which files it would show"],
      [
        "git status; rg x",
        "rg x: medium risk: it may come upon .git, and such folders are there for the git of its line",
      ],
      ["cat README.md | tee /dev/null", "tee /dev/null: medium risk: a command can change files"],
      ["cat <((cat README.md))", "bash may read a parenthesis behind another one otherwise than it looks"],
      ["find / -name x", "medium risk: it names what lies outside of the workspace"],
      ["frob $x", "medium risk: a command can change files"],
    ]);
  });

  it("names a remedy only where it is one", async () => {
    const mayBe = /may be an option by which it starts a program$/u;
    const endable = /may be an option by which it starts a program: put -- before it$/u;
    const given = /begins as an option that makes it more than reading$/u;
    const lines = [
      ["rg $(cat README.md) src", endable],
      ["ls | xargs sort", endable],
      ["less $(cat README.md)", endable],
      ["tar -tf data/old.tar $(cat README.md)", endable],
      ["rg --foo -- $(cat README.md)", /with these words is not known to be reading alone/u],
      ["tar tf $(cat README.md)", mayBe],
      ['rg -g $x -g "$(cat README.md)" users', mayBe],
      ['rg -n"$x" users', mayBe],
      ["sort --key=$(cat README.md) README.md", mayBe],
      ["less +$x README.md", mayBe],
      ["x=--pre=./tools/ls; rg $x foo src", given],
      ['set -- --pre=./tools/ls; rg foo "$@"', given],
      ['rg --pre="$x" foo', given],
    ] as const;
    const { judge, dispose } = judgeOf(tree, "required");
    for (const [line, why] of lines)
      expect([line, await judge(line)]).toEqual([
        line,
        expect.objectContaining({ is: "ask", why: expect.stringMatching(why) }),
      ]);
    await dispose();
  });
});
