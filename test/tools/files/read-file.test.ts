import { execFile } from "node:child_process";
import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createEditFileTool } from "../../../src/tools/files/edit-file.ts";
import { createReadFileTool } from "../../../src/tools/files/read-file.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { contextOf, refusalOf, run, seenFiles, tempFolder } from "../../files/fixtures.ts";

const read = createReadFileTool();

async function shown(
  content: string | Uint8Array,
  window: { offset?: number; limit?: number } = {},
): Promise<ToolResult> {
  const ws = await tempFolder();
  await writeFile(join(ws, "a.txt"), content);
  return run(read, { file_path: "a.txt", ...window }, contextOf(ws));
}

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("lines are numbered, and the file's hash is noted", async () => {
  const ws = await tempFolder();
  await writeFile(join(ws, "a.txt"), "one\ntwo\n");
  const seen = seenFiles();
  const result = await run(read, { file_path: "a.txt" }, contextOf(ws, { seen }));
  const sha = sha256("one\ntwo\n");
  expect(result).toEqual({
    output: "     1\tone\n     2\ttwo",
    title: "read a.txt (lines 1-2)",
    metadata: { path: join(ws, "a.txt"), lines: 2, total: 2, sha },
  });
  expect(seen.last(join(ws, "a.txt"))).toBe(sha);
});

test("what was left out is said, with how to go on", async () => {
  const first = await shown(numbers(10_431));
  expect(first.output.split("\n")).toHaveLength(2_001);
  expect(first.output.endsWith("\n(lines 1-2000 of 10431; go on with offset=2001)")).toBe(true);
  const window = await shown(numbers(10), { offset: 4, limit: 2 });
  expect(window.output).toBe("     4\tline 4\n     5\tline 5\n(lines 4-5 of 10; go on with offset=6)");
  const last = await shown(numbers(10), { offset: 10 });
  expect(last.output).toBe("    10\tline 10\n(lines 10-10 of 10)");
});

test("output is cut by bytes, at a line, and goes on from there", async () => {
  const wide = `${"é".repeat(500)}\n`.repeat(200);
  const result = await shown(wide);
  expect(Buffer.byteLength(result.output)).toBeLessThan(50_200);
  const next = /go on with offset=(\d+)\)$/.exec(result.output)?.[1];
  expect(Number(next)).toBe(Number(result.metadata?.["lines"]) + 1);
});

test("long lines are cut, and said to be", async () => {
  const result = await shown(`short\n${"x".repeat(3_000)}\n${"😀".repeat(1_999)}\n`);
  const [one, two, three, notice] = result.output.split("\n");
  expect(one).toBe("     1\tshort");
  expect(two).toBe(`     2\t${"x".repeat(2_000)}`);
  expect(three).toBe(`     3\t${"😀".repeat(1_000)}`);
  expect(notice).toBe("(cut to 2000 characters: line 2, 3)");
});

test("other line endings and encodings are read as text", async () => {
  expect((await shown("a\r\nb\r\n")).output).toBe("     1\ta\n     2\tb");
  expect((await shown("a\rb\r")).output).toBe("     1\ta\n     2\tb");
  expect((await shown("\uFEFFa")).output).toBe("     1\ta");
  expect((await shown(Buffer.from("\uFEFFé\n", "utf16le"))).output).toBe("     1\té");
  expect((await shown(Buffer.from("\uFEFFé\n", "utf16le").swap16())).output).toBe("     1\té");
  expect((await shown(Buffer.from([0x61, 0xe9]))).output).toBe("     1\taé");
  expect((await shown("\n\n")).output).toBe("     1\t\n     2\t");
});

test("an empty file is said to be empty, an offset past the end to be past it", async () => {
  expect((await shown("")).output).toBe("(the file is empty)");
  const { code, message } = await refusalOf(shown("a\nb\n", { offset: 3 }));
  expect([code, message]).toEqual(["INVALID_ARGUMENT", "a.txt has 2 lines: offset=3 is past its end"]);
});

test.each([
  ["a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 1]), "PNG image, 5 bytes"],
  ["NUL bytes", Buffer.from("text\0text"), "binary data, 9 bytes"],
  ["a NUL far inside", Buffer.from(`${"x".repeat(100_000)}\0`), "binary data, 100001 bytes"],
  ["control characters", Buffer.from([1, 2, 3, 4, 5, 0xff]), "binary data, 6 bytes"],
])("%s is binary, with kind and size", async (_, content, said) => {
  expect(await refusalOf(shown(content))).toEqual({ code: "BINARY", message: `a.txt is not a text file: ${said}` });
});

test("a missing file is named with those that may have been meant", async () => {
  const ctx = contextOf(await tempFolder());
  await mkdir(join(ctx.workspace, "src"));
  for (const name of ["index.ts", "index.tsx", "other.ts"]) await writeFile(join(ctx.workspace, "src", name), "");
  const ask = (file_path: string) => refusalOf(run(read, { file_path }, ctx));
  expect(await ask("src/index.js")).toEqual({
    code: "NOT_FOUND",
    message: "src/index.js does not exist. Did you mean src/index.ts or src/index.tsx?",
  });
  expect((await ask("nowhere/at/all")).message).toBe("nowhere/at/all does not exist.");
});

test("what is no regular file is refused at once and blocks nothing", async () => {
  const ctx = contextOf(await tempFolder());
  const at = (name: string): string => join(ctx.workspace, name);
  await promisify(execFile)("mkfifo", [at("pipe")]);
  await symlink("pipe", at("link-to-pipe"));
  const server = createServer().listen(at("socket"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  await mkdir(at("folder"));
  const refusals = await Promise.all(
    ["pipe", "link-to-pipe", "socket", "folder", "/dev/zero"].map((path) =>
      refusalOf(run(read, { file_path: path }, ctx)),
    ),
  );
  expect(refusals.map(({ code }) => code)).toEqual([
    "NOT_A_FILE",
    "NOT_A_FILE",
    "NOT_A_FILE",
    "IS_DIRECTORY",
    "OUTSIDE_WORKSPACE",
  ]);
});

test("a name that ends as a folder's is no file, as for the tools that write", async () => {
  const ws = await tempFolder();
  await writeFile(join(ws, "a.txt"), "one\n");
  const tools = [
    { tool: read, args: {} },
    { tool: createWriteFileTool(), args: { content: "two\n" } },
    { tool: createEditFileTool(), args: { old_string: "one", new_string: "two" } },
  ];
  for (const { tool, args } of tools) {
    expect(await executeTool(tool, { file_path: "a.txt/", ...args }, { workspace: ws })).toEqual({
      output: "",
      error: "a.txt/ names a folder, not a file",
      metadata: { code: "IS_DIRECTORY" },
    });
  }
});

async function largeFile(ws: string): Promise<void> {
  const handle = await open(join(ws, "large.log"), "w");
  await handle.writeFile(`${"é".repeat(40)}\r\n`.repeat(2_500));
  await handle.truncate(10_000_000_000);
  await handle.close();
}

test("ten gigabytes are read in constant memory", async () => {
  const ws = await tempFolder();
  await largeFile(ws);
  const child = `
    const { createReadFileTool } = await import(${JSON.stringify(new URL("../../../src/tools/files/read-file.ts", import.meta.url).href)});
    const ctx = { workspace: ${JSON.stringify(ws)}, cwd: ${JSON.stringify(ws)}, signal: new AbortController().signal, plan: ${JSON.stringify({ summary: "", cwd: ws, reads: [{ asked: "large.log", real: join(ws, "large.log") }] })} };
    const before = process.resourceUsage().maxRSS;
    const { output } = await createReadFileTool().execute({ file_path: "large.log", limit: 500 }, ctx);
    console.log(JSON.stringify({ grown: process.resourceUsage().maxRSS - before, notice: output.split("\\n").at(-1), lines: output.split("\\n").length }));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    child,
  ]);
  const { grown, notice, lines } = JSON.parse(stdout) as { grown: number; notice: string; lines: number };
  expect({ notice, lines }).toEqual({
    notice: "(lines 1-500 of more than 2500; go on with offset=501)",
    lines: 501,
  });
  // In kilobytes; the file is 150 times as large.
  expect(grown).toBeLessThan(64_000);
});

test("a call that is cancelled stops reading", async () => {
  const ws = await tempFolder();
  await largeFile(ws);
  const signal = AbortSignal.abort();
  const ask = run(read, { file_path: "large.log", offset: 1_000_000 }, contextOf(ws, { signal }));
  expect((await refusalOf(ask)).code).toBe("CANCELLED");
});

test("a large file whose lines end inside the counted part has an exact total", async () => {
  const content = "0123456789abcde\n".repeat(1_200_000);
  const result = await shown(content, { offset: 1_199_999 });
  expect(result.output).toBe("1199999\t0123456789abcde\n1200000\t0123456789abcde\n(lines 1199999-1200000 of 1200000)");
});

test("what a call said is read whole, part by part and never cut, though it is a single line", async () => {
  const items = Array.from({ length: 5_000 }, (_, n) => `item ${n} 🐙`);
  const said = JSON.stringify(items);
  const outputs = { of: () => ({ bytes: Buffer.from(said) }), keep: async () => undefined };
  const workspace = await tempFolder();
  let [offset, whole] = [1, ""];
  for (let read = 0; read < 9 && whole.length < said.length; read += 1) {
    const { output } = await executeTool(
      createReadFileTool(),
      { file_path: "call:c1", offset },
      { workspace, outputs },
    );
    expect(output.length).toBeLessThan(30_000);
    const lines = output.split("\n").flatMap((line) => /^ *\d+\t([\s\S]*)$/.exec(line)?.[1] ?? []);
    whole += lines.join("");
    offset += lines.length;
    expect(output).toContain("(lines of more than 2000 characters stand here in parts, each as a line)");
  }
  expect(whole).toBe(said);
  const short = { ...outputs, of: () => ({ bytes: Buffer.from(items.join("\n")) }) };
  const { output } = await executeTool(createReadFileTool(), { file_path: "call:c1" }, { workspace, outputs: short });
  expect(output.length).toBeLessThan(30_000);
  expect(output).toMatch(/\(lines 1-1000 of 5000; go on with offset=1001\)$/);
});
