import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { attachedTo } from "../../src/cli/attached-images.ts";
import { tempFolder } from "../files/fixtures.ts";
import { makePng } from "../support/pictures.ts";

it("a message that names more pictures than it may have takes the first ten, and says which it leaves", async () => {
  const workspace = await tempFolder();
  const names = Array.from({ length: 12 }, (_, n) => `p${n}.png`);
  for (const name of names) await writeFile(join(workspace, name), makePng(2, 2));
  const policy = async () => ({ rules: [], grants: [], mode: "ask" as const, sealed: { roots: [] } });
  const at = { policy, mode: "ask" as const, io: {} as never };
  const find = attachedTo(at, names.map((name) => `@${name}`).join(" "), workspace);
  const { images = [], problems = [] } = (await find?.()) ?? {};
  expect(images.map(({ name }) => name)).toEqual(names.slice(0, 10));
  expect(problems).toEqual([
    "not attached: p10.png: a message has at most 10 pictures",
    "not attached: p11.png: a message has at most 10 pictures",
  ]);
});
