import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Policy } from "../../src/policy/types.ts";
import { namedImage } from "../../src/session/named-image.ts";
import { refusalOf, tempFolder } from "../files/fixtures.ts";
import { makePng } from "../support/pictures.ts";

const png = makePng(4, 3);

async function place(sealed: string[] = []) {
  const workspace = await tempFolder();
  const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: sealed } };
  return { workspace, cwd: workspace, policy };
}

it("reads a picture that the person names, also outside the workspace", async () => {
  const [at, elsewhere] = [await place(), await tempFolder()];
  await writeFile(join(at.workspace, "a.png"), png);
  await writeFile(join(elsewhere, "b.png"), png);
  const shown = { mediaType: "image/png", data: png.toString("base64"), width: 4, height: 3 };
  expect(await namedImage("a.png", at)).toEqual({ name: "a.png", ...shown });
  expect(await namedImage(join(elsewhere, "b.png"), at)).toEqual({ name: "b.png", ...shown });
});

it("stays out of what is sealed, denied or guarded, also behind a link", async () => {
  const sealed = await tempFolder();
  const at = await place([sealed]);
  await writeFile(join(sealed, "s.png"), png);
  await symlink(join(sealed, "s.png"), join(at.workspace, "link.png"));
  await mkdir(join(at.workspace, ".ssh"));
  await writeFile(join(at.workspace, ".ssh", "id.png"), png);
  await writeFile(join(at.workspace, "no.png"), png);
  const rule = {
    tool: "read_file",
    paths: ["no.png"],
    decision: "deny",
    why: "not that one",
    origin: { source: "user", file: "p", line: 1 },
  };
  const denying = { ...at, policy: { ...at.policy, rules: [rule] as unknown as Policy["rules"] } };
  expect(await refusalOf(namedImage("link.png", at))).toMatchObject({ code: "PROTECTED" });
  expect(await refusalOf(namedImage(".ssh/id.png", at))).toMatchObject({
    code: "PROTECTED",
    message: expect.stringContaining("is guarded"),
  });
  expect(await refusalOf(namedImage("no.png", denying))).toMatchObject({
    code: "PROTECTED",
    message: expect.stringContaining("not that one"),
  });
});

it("says what is no picture, or cannot be read, and waits for nothing", async () => {
  const at = await place();
  await writeFile(join(at.workspace, "text.png"), "words");
  await writeFile(join(at.workspace, "cut.png"), png.subarray(0, 60));
  await promisify(execFile)("mkfifo", [join(at.workspace, "pipe.png")]);
  const said = async (name: string) => (await refusalOf(namedImage(name, at))).message;
  expect(await said("text.png")).toBe("text.png is no picture: PNG, JPEG, WebP and GIF are taken");
  expect(await said("cut.png")).toMatch(/^cut\.png cannot be decoded/);
  expect(await said("gone.png")).toBe("gone.png does not exist");
  expect(await said("pipe.png")).toMatch(/named pipe/);
  expect(await said(".")).toMatch(/folder/);
});
