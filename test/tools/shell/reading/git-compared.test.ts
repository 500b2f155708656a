import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparable } from "../../../../src/tools/shell/reading/git-compared.ts";
import { tempTree } from "../../temp-tree.ts";

/** An index of so many names in one folder, and a git that is asked there. */
function indexed(count: number) {
  const top = tempTree();
  const env = { PATH: process.env["PATH"], HOME: "/nowhere" };
  const git = (words: readonly string[], input = "") =>
    spawnSync("git", words, { cwd: top, env, input, maxBuffer: 1e8 });
  git(["init", "-q"]);
  const blob = git(["hash-object", "-w", "--stdin"]).stdout.toString().trim();
  const names = Array.from({ length: count }, (_, at) => `a/folder/of/some/depth/${at}.txt`);
  git(["update-index", "--index-info"], names.map((name) => `100644 ${blob}\t${name}\n`).join(""));
  return { folder: top, top, ask: async (words: readonly string[]) => git(words).stdout };
}

const behind = (paths: string[]) => ({ options: [], operands: [], paths });

describe("names that a difference may be in", () => {
  test("are looked for among very many paths in a moment", async () => {
    const asked = indexed(50_000);
    const paths = Array.from({ length: 3_900 }, (_, at) => `b/${at}`);
    expect(await comparable(behind([...paths, "a/folder/of/some/depth/7.txt"]), asked)).toEqual([
      join(asked.top, "a/folder/of/some/depth/7.txt"),
    ]);
    expect(await comparable(behind(["a/folder/", ...paths]), asked)).toHaveLength(50_000);
  });

  test("are not looked through where they are too many", async () => {
    expect(await comparable(behind(["a.txt"]), indexed(50_001))).toBeUndefined();
  });
});
