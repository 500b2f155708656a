import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileFinder } from "../../../src/cli/services/find-files.ts";

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-files-")));
  const files = [
    "README.md",
    "src/main.ts",
    "src/[odd]/a.ts",
    "src/user/user-names.ts",
    ".env",
    ".git/config",
    "node_modules/user/index.js",
    "build/out.js",
  ];
  for (const [index, file] of files.entries()) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), "");
    await utimes(join(folder, file), 1_000 + index, 1_000 + index);
  }
  await writeFile(join(folder, ".gitignore"), "build/\n");
  await symlink("/etc", join(folder, "link"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const find = (word: string) => createFileFinder(folder)(word);

it("offers the newest files first for @ alone, then the folders", async () => {
  expect(await find("")).toEqual([
    "src/user/user-names.ts",
    "src/[odd]/a.ts",
    "src/main.ts",
    "README.md",
    "src/",
    "src/user/",
    "src/[odd]/",
  ]);
});

it("finds by letters in their order, names before paths, a beginning before the middle", async () => {
  expect(await find("src/")).toEqual([
    "src/",
    "src/user/",
    "src/user/user-names.ts",
    "src/[odd]/",
    "src/[odd]/a.ts",
    "src/main.ts",
  ]);
  expect(await find("mn")).toEqual(["src/main.ts"]);
  expect(await find("usn")).toEqual(["src/user/user-names.ts"]);
  expect(await find("SRC/[o")).toEqual(["src/[odd]/", "src/[odd]/a.ts"]);
  expect(await find("nothing")).toEqual([]);
});

it("never offers what git keeps, what is ignored or where a link leads; dot files only for a dot", async () => {
  expect(await find("config")).toEqual([]);
  expect(await find("index.js")).toEqual([]);
  expect(await find("out.js")).toEqual([]);
  expect(await find("passwd")).toEqual([]);
  expect(await find("env")).toEqual([]);
  expect(await find(".env")).toEqual([".env"]);
});
