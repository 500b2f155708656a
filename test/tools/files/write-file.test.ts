import { execFile } from "node:child_process";
import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { contextOf, overlayOf, planOf, refusalOf, run, seenFiles, tempFolder } from "../../files/fixtures.ts";

const write = createWriteFileTool();
const asked = (content: string, file_path = "a.txt"): object => ({ file_path, content });

test("makes a file and its folders", async () => {
  const ctx = contextOf(await tempFolder());
  const request = asked("one\ntwo\n", "deep/er/a.txt");
  const plan = await planOf(write, request, ctx);
  expect(plan.summary).toBe("write deep/er/a.txt (+2 -0)");
  expect(plan.files?.[0]).toMatchObject({ kind: "new", before: null, after: sha256("one\ntwo\n"), eol: "lf" });
  expect(await readdir(ctx.workspace)).toEqual([]);
  const result = await run(write, request, { ...ctx, plan });
  expect(result.output).toBe("deep/er/a.txt: made (+2 -0)");
  const path = join(ctx.workspace, "deep/er/a.txt");
  expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
  expect((await stat(path)).mode & 0o7777).toBe(plan.files?.[0]?.mode);
});

test("a file that appears after the plan is not overwritten, nor do new folders stay", async () => {
  const ctx = contextOf(await tempFolder());
  const plan = await planOf(write, asked("ours"), ctx);
  await writeFile(join(ctx.workspace, "a.txt"), "theirs");
  expect((await run(write, asked("ours"), { ...ctx, plan })).metadata).toEqual({ code: "STALE", drifted: true });
  expect(await readFile(join(ctx.workspace, "a.txt"), "utf8")).toBe("theirs");
  const late = createWriteFileTool({
    beforeRename: () => {
      throw new Error("stop");
    },
  });
  await expect(run(late, asked("x", "new/deep/a"), ctx)).rejects.toThrow("stop");
  expect(await readdir(ctx.workspace)).toEqual(["a.txt"]);
});

test("a file that this session never read is replaced with a warning", async () => {
  const ctx = contextOf(await tempFolder());
  const path = join(ctx.workspace, "a.txt");
  await writeFile(path, "old\n");
  const seen = seenFiles();
  const plan = async () => (await planOf(write, asked("new\n"), { ...ctx, seen })).warnings;
  expect(await plan()).toEqual(["the file exists, and this session never read it: all its content is replaced"]);
  seen.note(path, sha256("older\n"));
  expect(await plan()).toEqual(["the file has changed since this session last read it"]);
  seen.note(path, sha256("old\n"));
  expect(await plan()).toBeUndefined();
  await run(write, asked("new\n"), { ...ctx, seen });
  expect(seen.last(path)).toBe(sha256("new\n"));
});

test("content that is there already is said to be, and not written", async () => {
  const ctx = contextOf(await tempFolder());
  const path = join(ctx.workspace, "a.txt");
  await writeFile(path, "same\n");
  const { ino } = await stat(path);
  const plan = await planOf(write, asked("same\n"), ctx);
  expect([plan.summary, plan.diff]).toEqual(["write a.txt (already has this content)", ""]);
  expect((await run(write, asked("same\n"), { ...ctx, plan })).output).toContain("already has this content");
  expect((await stat(path)).ino).toBe(ino);
});

test("CRLF, byte order mark and encoding of the file that was there are kept, and said", async () => {
  const ctx = contextOf(await tempFolder());
  const path = join(ctx.workspace, "a.txt");
  const over = async (old: Uint8Array, content: string) => {
    await writeFile(path, old);
    const plan = await planOf(write, asked(content), ctx);
    await run(write, asked(content), { ...ctx, plan });
    const file = plan.files?.[0];
    return {
      bytes: await readFile(path),
      said: plan.warnings ?? [],
      eol: file?.eol,
      bom: file?.bom,
      as: file?.encoding,
    };
  };
  const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
  expect(await over(Buffer.from("a\r\nb\r\n"), "x\ny\n")).toEqual({
    bytes: Buffer.from("x\r\ny\r\n"),
    said: ["the file has CRLF line endings: they are kept"],
    eol: "crlf",
    bom: false,
    as: "utf-8",
  });
  expect((await over(Buffer.from("a\r\nb\r\n"), "x\r\ny\n")).bytes).toEqual(Buffer.from("x\r\ny\n"));
  expect((await over(Buffer.from("a\r\nb\n"), "x\n")).bytes).toEqual(Buffer.from("x\n"));
  const marked = await over(Buffer.from("\uFEFFa\n"), "b\n");
  expect([marked.bytes, marked.bom, marked.said.length]).toEqual([Buffer.from("\uFEFFb\n"), true, 1]);
  expect((await over(Buffer.from("\uFEFFa\n"), "\uFEFFb\n")).bytes).toEqual(Buffer.from("\uFEFFb\n"));
  const wide = await over(utf16("\uFEFFa\n").swap16(), "é😀\n");
  expect([wide.bytes, wide.as]).toEqual([utf16("\uFEFFé😀\n").swap16(), "utf-16be"]);
  expect((await over(Buffer.from([0xe9, 0x0a]), "ü\n")).bytes).toEqual(Buffer.from([0xfc, 0x0a]));
  const beyond = await over(Buffer.from([0xe9, 0x0a]), "€\n");
  expect([beyond.bytes, beyond.as, beyond.said.length]).toEqual([Buffer.from("€\n"), "utf-8", 1]);
});

test("a binary file is replaced with a warning, and its content is not shown", async () => {
  const ctx = contextOf(await tempFolder());
  await writeFile(join(ctx.workspace, "a.txt"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
  const plan = await planOf(write, asked("text\n"), ctx);
  expect(plan.warnings).toEqual([
    "a.txt is not a text file: ELF program, 5 bytes: it is replaced as a whole, its content is not shown",
  ]);
  expect(plan.diff).toBe(
    "--- a/a.txt\n+++ b/a.txt\n\\ not shown: the old content is not text, 5 bytes\n@@ -0,0 +1,1 @@\n+text\n",
  );
});

test("what is no file is refused", async () => {
  const ctx = contextOf(await tempFolder());
  const ask = (path: string) => refusalOf(planOf(write, asked("x", path), ctx));
  await mkdir(join(ctx.workspace, "src"));
  await writeFile(join(ctx.workspace, "file"), "");
  await promisify(execFile)("mkfifo", [join(ctx.workspace, "pipe")]);
  expect((await ask("src")).code).toBe("IS_DIRECTORY");
  expect((await ask("new/")).code).toBe("IS_DIRECTORY");
  expect((await ask("file/below")).code).toBe("NOT_A_FILE");
  expect((await ask("pipe")).message).toContain("named pipe");
  expect((await refusalOf(planOf(write, asked("\udc00"), ctx))).code).toBe("ENCODING");
});

test("hard links are warned of", async () => {
  const ctx = contextOf(await tempFolder());
  await writeFile(join(ctx.workspace, "a.txt"), "a");
  await link(join(ctx.workspace, "a.txt"), join(ctx.workspace, "b.txt"));
  expect((await planOf(write, asked("x"), ctx)).warnings).toEqual([
    "the file has other names (hard links): they will keep the old content",
  ]);
});

test("a plan sees the files that earlier calls of the message will make", async () => {
  const ctx = contextOf(await tempFolder());
  const planning = { ...ctx, overlay: overlayOf(), seen: seenFiles() };
  await planOf(write, asked("one\n"), planning);
  const plan = await planOf(write, asked("two\n"), planning);
  expect(plan.files?.[0]).toMatchObject({ kind: "modify", before: sha256("one\n"), after: sha256("two\n") });
  expect([plan.summary, plan.warnings]).toEqual(["write a.txt (+1 -1)", undefined]);
});

test("writes through a link to its target inside, and not outside", async () => {
  const base = await tempFolder();
  const ctx = contextOf(join(base, "ws"));
  await mkdir(join(ctx.workspace, "real"), { recursive: true });
  await writeFile(join(base, "out"), "theirs");
  await writeFile(join(ctx.workspace, "real/a"), "old");
  await symlink("real/a", join(ctx.workspace, "link"));
  await symlink(join(base, "out"), join(ctx.workspace, "evil"));
  await run(write, asked("new", "link"), ctx);
  expect(await readFile(join(ctx.workspace, "real/a"), "utf8")).toBe("new");
  expect((await refusalOf(planOf(write, asked("x", "evil"), ctx))).code).toBe("OUTSIDE_WORKSPACE");
  expect(await readFile(join(base, "out"), "utf8")).toBe("theirs");
});

test("a file or folder that may not be written is refused while planning", async () => {
  const ws = await tempFolder();
  await writeFile(join(ws, "locked"), "x", { mode: 0o444 });
  await mkdir(join(ws, "closed"));
  await chmod(join(ws, "closed"), 0o555);
  await chmod(ws, 0o755);
  const home = (path: string): string => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  const child = `
    const { createWriteFileTool } = await import(${home("src/tools/files/write-file.ts")});
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const ctx = { workspace: ${JSON.stringify(ws)}, cwd: ${JSON.stringify(ws)}, signal: new AbortController().signal };
    for (const file_path of ["locked", "closed/new", "closed/deep/new"]) {
      await createWriteFileTool().plan({ file_path, content: "y" }, ctx).then(
        () => console.log("planned"), (error) => console.log(error.code));
    }`;
  const args = ["--import", "tsx", "--input-type=module", "-e", child];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split("\n")).toEqual(["EACCES", "EACCES", "EACCES"]);
});
