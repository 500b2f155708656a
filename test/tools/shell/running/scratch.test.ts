import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolders, sweepScratch } from "../../../../src/tools/shell/running/scratch.ts";
import { tempTree } from "../../temp-tree.ts";
import { shellStage } from "../support.ts";

const day = 24 * 60 * 60 * 1000;
const [own, other, young] = ["0".repeat(16), "1".repeat(16), "2".repeat(16)];

/** Last used so many days ago. */
function folder(top: string, name: string, days: number): void {
  mkdirSync(join(top, name, "cache"), { recursive: true });
  writeFileSync(join(top, name, "cache", "a"), "12345");
  const then = new Date(Date.now() - days * day);
  utimesSync(join(top, name), then, then);
}

it("what commands of a workspace had is removed a month after the last of them, and nothing else is", async () => {
  const [top, elsewhere] = [tempTree(), tempTree()];
  const linked = "3".repeat(16);
  for (const [name, days] of [
    [own, 90],
    [other, 31],
    [young, 29],
    [`${"4".repeat(16)}.old`, 0],
    ["not-ours", 90],
  ] as const)
    folder(top, name, days);
  folder(elsewhere, "kept", 90);
  symlinkSync(join(elsewhere, "kept"), join(top, linked));
  symlinkSync(join(elsewhere, "kept"), join(top, other, "link"));
  utimesSync(join(top, other), new Date(Date.now() - 31 * day), new Date(Date.now() - 31 * day));
  await sweepScratch(join(top, own));
  const left = [own, other, young, `${other}.old`, `${"4".repeat(16)}.old`, "not-ours", linked];
  expect(left.filter((name) => existsSync(join(top, name)))).toEqual([own, young, "not-ours", linked]);
  expect(existsSync(join(elsewhere, "kept/cache/a"))).toBe(true);
  expect((await scratchFolders(top)).folders).toBe(3);
  expect((await scratchFolders(top)).bytes).toBeGreaterThanOrEqual(10);
});

it("a command notes that its workspace's folder is used, and sweeps the others'", async () => {
  const top = tempTree();
  for (const name of [own, other]) folder(top, name, 40);
  const scratch = join(top, own);
  const { run } = shellStage({ scratch });
  expect(await run("[ -d $TMPDIR ] && echo made")).toMatchObject({ output: "made\n(exit code 0)" });
  await expect.poll(() => existsSync(join(top, other))).toBe(false);
  await sweepScratch(join(dirname(scratch), young));
  expect(existsSync(scratch)).toBe(true);
});
