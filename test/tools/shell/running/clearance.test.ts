import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../../../src/tools/shell/reading/read-command-line.ts";
import { withClearance } from "../../../../src/tools/shell/running/reading-box.ts";
import { tempTree } from "../../temp-tree.ts";

/** Which readers of a line are clear, or why not, and how often each file was looked at for that. */
async function cleared(workspace: string, line: string) {
  const asked = new Map<string, number>();
  const isClosed = (path: string): boolean => {
    asked.set(path, (asked.get(path) ?? 0) + 1);
    return path.endsWith(".pem");
  };
  const { commands } = await readCommandLine(line, { workspace, cwd: workspace, path: ["/usr/bin", "/bin"] });
  const found = withClearance(commands, { workspace, sandbox: true }, { isClosed, mayHold: () => true });
  const readers = found.filter(({ besideGit }) => besideGit === true);
  return {
    are: readers.map(({ clearOfGit, why }) => clearOfGit === true || why),
    looks: (name: string) => asked.get(join(workspace, name)),
  };
}

function repository(files: Record<string, string>): string {
  const workspace = tempTree(files);
  execFileSync("git", ["init", "-q"], { cwd: workspace, stdio: "pipe" });
  return workspace;
}

describe("readers beside a git of their line", () => {
  it("are looked at in one walk, however many they are", async () => {
    const workspace = repository({ "src/a.ts": "a\n", "src/sub/b.ts": "b\n" });
    const line = `git status${"; grep -rn x src; grep -rn y src/sub".repeat(20)}`;
    const { are, looks } = await cleared(workspace, line);
    expect([are.length, new Set(are)]).toEqual([40, new Set([true])]);
    expect([looks("src/a.ts"), looks("src/sub/b.ts")]).toEqual([1, 1]);
  });

  it("are told apart by what they go through, each folder looked at once more, where not all are clear", async () => {
    const workspace = repository({ "src/a.ts": "a\n", "keys/a.pem": "a\n" });
    const line = `git status${"; grep -rn x src; grep -rn y keys".repeat(20)}`;
    const { are, looks } = await cleared(workspace, line);
    const why = expect.stringContaining("it may come upon keys/a.pem") as unknown;
    expect(are).toEqual(Array.from({ length: 20 }, () => [true, why]).flat());
    expect([looks("src/a.ts"), looks("keys/a.pem")]).toEqual([2, 2]);
  });

  it("are not clear of git's data by another name, where another one of them starts at it", async () => {
    const workspace = repository({ "src/a.ts": "a\n", "src/data/config": "url = a\n", "src/data/HEAD": "a\n" });
    for (const name of ["objects", "refs"]) mkdirSync(join(workspace, "src/data", name));
    writeFileSync(join(workspace, "src/data/refs/a"), "a\n");
    const { are } = await cleared(workspace, "git status; grep -rn x src/data/refs src/data; grep -rn url src");
    expect(are[1]).toEqual(expect.stringContaining("it may come upon src/data, and such folders"));
  });
});
