import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { removeAtomically } from "../../../src/files/bytes/atomic-write.ts";
import { refusalOf, tempFolder } from "../fixtures.ts";

async function fileOf(text: string): Promise<{ folder: string; path: string }> {
  const folder = await tempFolder();
  const path = join(folder, "a.txt");
  await writeFile(path, text);
  return { folder, path };
}

const expectBefore = sha256("old");

test("removes the file that was expected, and leaves nothing", async () => {
  const { folder, path } = await fileOf("old");
  expect(await removeAtomically(path, { expectBefore, within: folder })).toBe("written");
  expect(await readdir(folder)).toEqual([]);
});

test("a file that is another one, or gone, is left alone", async () => {
  const { folder, path } = await fileOf("mine");
  expect(await removeAtomically(path, { expectBefore })).toBe("drifted");
  expect(await readFile(path, "utf8")).toBe("mine");
  await rm(path);
  expect(await removeAtomically(path, { expectBefore })).toBe("drifted");
  expect(await readdir(folder)).toEqual([]);
});

test("what somebody saves in the last instant comes back", async () => {
  const { folder, path } = await fileOf("old");
  const beforeRename = () => writeFile(path, "mine");
  expect(await removeAtomically(path, { expectBefore, beforeRename })).toBe("raced");
  expect(await readFile(path, "utf8")).toBe("mine");
  expect(await readdir(folder)).toEqual(["a.txt"]);
});

test("a folder that takes the file's place in the last instant comes back whole", async () => {
  const { folder, path } = await fileOf("old");
  const beforeRename = async () => {
    await rm(path);
    await mkdir(path);
    await writeFile(join(path, "inner"), "mine");
  };
  expect(await removeAtomically(path, { expectBefore, beforeRename })).toBe("raced");
  expect(await readFile(join(path, "inner"), "utf8")).toBe("mine");
  expect(await readdir(folder)).toEqual(["a.txt"]);
});

test("a file that goes in the last instant is no error", async () => {
  const { folder, path } = await fileOf("old");
  expect(await removeAtomically(path, { expectBefore, beforeRename: () => rm(path) })).toBe("drifted");
  expect(await readdir(folder)).toEqual([]);
});

test("a folder on its way that was made a link is not followed", async () => {
  const { folder, path } = await fileOf("old");
  const workspace = await tempFolder();
  await symlink(folder, join(workspace, "sub"));
  const removed = removeAtomically(join(workspace, "sub", "a.txt"), { expectBefore, within: workspace });
  expect(await refusalOf(removed)).toMatchObject({ code: "NOT_A_FILE" });
  expect(await readFile(path, "utf8")).toBe("old");
});

test("a link in its place is no file, and its target stays", async () => {
  const { folder, path } = await fileOf("old");
  const link = join(folder, "link");
  await symlink(path, link);
  expect(await refusalOf(removeAtomically(link, { expectBefore }))).toMatchObject({ code: "NOT_A_FILE" });
  expect(await readFile(path, "utf8")).toBe("old");
});
