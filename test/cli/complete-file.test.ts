import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { completeFile } from "../../src/cli/complete-file.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-complete-"));
  await mkdir(join(folder, "src/[odd]"), { recursive: true });
  await mkdir(join(folder, "node_modules/src"), { recursive: true });
  for (const file of ["README.md", "src/main.ts", "src/[odd]/a.ts"]) await writeFile(join(folder, file), "");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it("offers what lies at the top for @ alone, and below a folder what begins with the word", async () => {
  expect(await completeFile(folder, "")).toEqual(["src/", "README.md"]);
  expect(await completeFile(folder, "src/")).toEqual(["src/[odd]/", "src/main.ts"]);
  expect(await completeFile(folder, "ma")).toEqual(["src/main.ts"]);
  expect(await completeFile(folder, "src/[o")).toEqual(["src/[odd]/"]);
});
