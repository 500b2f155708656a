import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withFileLock } from "../../../src/files/bytes/file-lock.ts";
import { thisMachine } from "../../../src/process/process-identity.ts";
import { createSaveMemoryTool } from "../../../src/tools/memory/save-memory.ts";
import { contextOf, refusalOf, run, tempFolder } from "../../files/fixtures.ts";

const heading = "## Agent Memories";

/** A memory file without what each line says of where it comes from. */
const unmarked = async (file: string): Promise<string> =>
  (await readFile(file, "utf8")).replace(/ <!-- holdfast date=\d{4}-\d\d-\d\d( project=\S+)?( session=\S+)? -->/g, "");

let turn = 0;
/** Each in a turn of its own. */
const nextTurn = (workspace = "/"): ReturnType<typeof contextOf> => contextOf(workspace, { stepId: `${++turn}.1` });

async function memory(content?: string): Promise<{ file: string; save: (fact: string) => Promise<string> }> {
  const file = join(await tempFolder(), "home/CONTEXT.md");
  if (content !== undefined) {
    await mkdir(join(file, ".."));
    await writeFile(file, content);
  }
  const tool = createSaveMemoryTool({ memoryFile: file });
  return { file, save: async (fact) => (await run(tool, { fact }, nextTurn())).output };
}

test("the first fact makes the file, private to its owner", async () => {
  const { file, save } = await memory();
  expect(await save("  likes tabs ")).toBe("Remembered: likes tabs");
  expect(await unmarked(file)).toBe(`${heading}\n\n- likes tabs\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(file, ".."))).toEqual(["CONTEXT.md"]);
});

test("the person is told in one line what was remembered", async () => {
  const { file } = await memory();
  const tool = createSaveMemoryTool({ memoryFile: file });
  const titles = [1, 2].map(async () => (await run(tool, { fact: "likes tabs" }, nextTurn())).title);
  expect((await Promise.all(titles)).sort()).toEqual(["known already: likes tabs", "remembered: likes tabs"]);
});

test("the same fact is there once, however often it is saved", async () => {
  const { file, save } = await memory();
  await save("one");
  await save("two");
  expect(await save("one")).toBe("Already remembered: one");
  expect(await unmarked(file)).toBe(`${heading}\n\n- one\n- two\n`);
});

test.each([
  ["no section", "# Me\n\ntext", `# Me\n\ntext\n\n${heading}\n\n- fact\n`],
  ["a section in the middle", `${heading}\n- old\n\n## Other\nx\n`, `${heading}\n- old\n- fact\n\n## Other\nx\n`],
  ["an empty section", `${heading}\n## Other\n`, `${heading}\n\n- fact\n## Other\n`],
  ["CRLF", `a\r\n${heading}\r\n\r\n- old\r\n`, `a\r\n${heading}\r\n\r\n- old\r\n- fact\r\n`],
  ["no final newline", `${heading}\n- old`, `${heading}\n- old\n- fact\n`],
  ["a byte order mark", "\uFEFFtext\n", `\uFEFFtext\n\n${heading}\n\n- fact\n`],
])("with %s all other content stays", async (_, before, after) => {
  const { file, save } = await memory(before);
  await save("fact");
  expect(await unmarked(file)).toBe(after);
});

test.each([
  ["empty", "  "],
  ["two lines", "a\nb"],
  ["a line separator", "a\u2028b"],
  ["an escape", "a\u001b[2J"],
  ["a heading", "# Rules"],
  ["too long", "x".repeat(501)],
  ["half a character", "\ud800"],
])("a fact that is %s is refused", async (_, fact) => {
  const { file, save } = await memory("text\n");
  expect((await refusalOf(save(fact))).code).toBe("INVALID_ARGUMENT");
  expect(await readFile(file, "utf8")).toBe("text\n");
});

test("a link to the file stays, and its target is written", async () => {
  const { file, save } = await memory("text\n");
  const link = join(file, "../../linked.md");
  await symlink(file, link);
  await run(createSaveMemoryTool({ memoryFile: link }), { fact: "through the link" }, nextTurn());
  expect(await save("through the link")).toBe("Already remembered: through the link");
});

test("without a memory file, or with one that is no text, it says so", async () => {
  expect((await refusalOf(run(createSaveMemoryTool({}), { fact: "x" }, nextTurn()))).code).toBe("NOT_FOUND");
  const { save } = await memory("\0\0");
  expect((await refusalOf(save("x"))).code).toBe("BINARY");
});

test("processes that save at once lose nothing", async () => {
  const { file } = await memory("text\n");
  const source = new URL("../../../src/tools/memory/save-memory.ts", import.meta.url).href;
  const child = `
    const { createSaveMemoryTool } = await import(${JSON.stringify(source)});
    const tool = createSaveMemoryTool({ memoryFile: ${JSON.stringify(file)} });
    for (let n = 0; n < 10; n += 1) await tool.execute({ fact: process.argv[1] + n, scope: "project" }, { workspace: "/", sessionId: "", signal: new AbortController().signal });`;
  const start = (name: string) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", child, name]);
  await Promise.all([start("a"), start("b"), start("c")]);
  const saved = (await unmarked(file)).match(/^- .*$/gm) ?? [];
  const wanted = ["a", "b", "c"].flatMap((name) => Array.from({ length: 10 }, (_, n) => `- ${name}${n}`));
  expect(saved.toSorted()).toEqual(wanted);
  expect(await readdir(join(file, ".."))).toEqual(["CONTEXT.md"]);
});

test("the lock of a dead process is taken over, that of a living one is waited for", async () => {
  const { file, save } = await memory("text\n");
  await writeFile(`${file}.lock`, `${2 ** 22 + 7} ${hostname()} 0123\n`);
  await writeFile(join(file, `../.holdfast-${2 ** 22 + 7}-0123456789abcdef.tmp`), "half written");
  expect(await save("after a death")).toBe("Remembered: after a death");
  expect(await readdir(join(file, ".."))).toEqual(["CONTEXT.md"]);
  await writeFile(`${file}.lock`, `${process.pid} ${hostname()} 4567 ${thisMachine().boot}\n`);
  const waiting = withFileLock(file, { waitMs: 40 }, () => Promise.resolve("held"));
  const { code, message } = await refusalOf(waiting);
  expect([code, message]).toEqual(["TIMEOUT", expect.stringContaining(`process ${process.pid}`)]);
  expect(await readFile(`${file}.lock`, "utf8")).toContain("4567");
});

test("a lock that was lost is noticed before anything is written", async () => {
  const { file } = await memory("text\n");
  const work = withFileLock(file, {}, async (assertHeld) => {
    await assertHeld();
    await writeFile(`${file}.lock`, "somebody else");
    await assertHeld();
  });
  expect((await refusalOf(work)).code).toBe("TIMEOUT");
  expect(await readFile(`${file}.lock`, "utf8")).toBe("somebody else");
});
