import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { expect, test } from "vitest";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createGrepTool } from "../../../src/tools/search/grep.ts";
import { tempTree } from "../temp-tree.ts";

/** The same numbers for the same seed on every machine (mulberry32). */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const names = ["a", "b", "src", "out", "a b", "x[1]", "éa", ".h"];
const endings = [".ts", ".log", "", ".o"];

function randomTree(seed: number): Record<string, string> {
  const roll = dice(seed);
  const one = <T>(from: readonly [T, ...T[]] | readonly T[]): T => from[roll(from.length)] as T;
  const folder = (): string => Array.from({ length: roll(4) }, () => `${one(names)}/`).join("");
  const pattern = (): string => {
    const body = one([
      () => one(names),
      () => `*${one(endings)}`,
      () => `${one(names)}/${one(names)}`,
      () => `**/${one(names)}`,
      () => `${one(names)}/**`,
      () => `${one(names)}/*`,
      () => `${one(names)}/**/*${one(endings)}`,
      () => `[ab]${one(endings)}`,
      () => `?${one(endings)}`,
    ])().replace(/\[1\]/, "\\[1\\]");
    return `${one(["", "", "!"])}${one(["", "", "/"])}${body}${one(["", "", "/"])}`;
  };
  const patterns = (): string => Array.from({ length: 1 + roll(5) }, pattern).join("\n");
  const files: [string, string][] = Array.from({ length: 60 }, (_, at) => [
    `${folder()}f${at}${one(endings)}`,
    "word\n",
  ]);
  const more: [string, string][] = Array.from({ length: 25 }, () => [
    `${folder()}${one(names)}${one(endings)}/f`,
    "word\n",
  ]);
  const ignores: [string, string][] = Array.from({ length: 5 }, () => [`${folder()}.gitignore`, patterns()]);
  return { ...Object.fromEntries([...files, ...more, ...ignores]), ".git/info/exclude": pattern() };
}

/** As ripgrep finds them by its own reading of the pattern files, which here are what they seem. */
function byRipgrep(workspace: string): string[] {
  const own = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-parent", "--no-ignore-dot"];
  const args = [...own, "--files-with-matches", "--glob=!.git", "word", "./"];
  const { stdout } = spawnSync(rgPath, args, { cwd: workspace, encoding: "utf8", env: {} });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(2))
    .sort();
}

test.each(Array.from({ length: 25 }, (_, at) => at + 1))(
  "what is ignored by pattern files at several depths is what ripgrep ignores (tree %d)",
  async (seed) => {
    const workspace = tempTree(randomTree(seed));
    const { metadata, output } = await executeTool(
      createGrepTool(),
      { pattern: "word", max_results: 1000 },
      { workspace },
    );
    const found = output.split("\n").map((line) => line.replace(/:1:word$/, ""));
    const wanted = byRipgrep(workspace);
    expect(metadata?.["matches"]).toBe(wanted.length);
    if (wanted.length > 0) expect(found.sort()).toEqual(wanted);
  },
);

test("more ignored names than there is room for in a search, and names that no glob can tell, are left out all the same", async () => {
  const long = "n".repeat(200);
  const root = tempTree({ ".gitignore": "*.o\nodd*\n", "a.txt": "word", "odd\nb": "word", "odd\nfolder/c": "word" });
  for (let i = 0; i < 70; i += 1) mkdirSync(join(root, `${i}${long}`, long), { recursive: true });
  for (let i = 0; i < 3_500; i += 1) writeFileSync(join(root, `${i % 70}${long}`, long, `${i}.o`), "word");
  for (const include of [undefined, "*.o", "**"]) {
    const { output } = await executeTool(createGrepTool(), { pattern: "word", include }, { workspace: root });
    expect(output.split("\n")[0]).toBe(
      include === "*.o" ? "No match for word in . (ignored files are not searched)." : "a.txt:1:word",
    );
    expect(output.split("\n")).toHaveLength(1);
  }
});
