import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createGrepTool } from "../../../src/tools/search/grep.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import { pidIn } from "../../process/support.ts";
import { timeOfTheTest } from "../../support/time-limit.ts";
import { tempTree } from "../temp-tree.ts";

const ripgrep = createGrepTool();

const grep = async (tool: Tool, workspace: string, args: object) => executeTool(tool, args, { workspace });

const files = {
  ".gitignore": "*.log\nbuild/\n",
  ".git/config": "foo",
  ".git/info/exclude": "private.txt\n",
  "node_modules/m/i.ts": "foo",
  "build/o.ts": "foo\n",
  "a.log": "foo",
  "private.txt": "foo",
  "a.ts": "foo\nbar\nfoo again\n",
  ".hidden": "foo\n",
  "src/.gitignore": "!build/\nsecret.ts\n",
  "src/b.ts": "x\nfoo\r\ny\nz\nw\nfoo",
  "src/secret.ts": "foo",
  "src/deep/secret.ts": "foo",
  "src/build/q.ts": "foo",
  "src.txt": "foo\n",
};

describe("grep", () => {
  const tool = ripgrep;
  const lines = async (workspace: string, args: object): Promise<string[]> => {
    const result = await grep(tool, workspace, args);
    if (result.error !== undefined) throw new Error(result.error);
    return result.output.split("\n");
  };
  const none = (pattern: string, where = "."): string[] => [
    `No match for ${pattern} in ${where} (ignored files are not searched).`,
  ];

  test("prints path:line:text by path and line; what git ignores is not searched", async () => {
    expect(await lines(tempTree(files), { pattern: "foo" })).toEqual([
      ".hidden:1:foo",
      "a.ts:1:foo",
      "a.ts:3:foo again",
      "src/b.ts:2:foo",
      "src/b.ts:6:foo",
      "src/build/q.ts:1:foo",
      "src.txt:1:foo",
    ]);
  });

  test("in a folder below, the pattern files above it still hold", async () => {
    const root = tempTree({ ...files, "src/c.log": "foo", "src/deep/ok.ts": "foo" });
    expect(await lines(root, { pattern: "foo", path: "src" })).toEqual([
      "src/b.ts:2:foo",
      "src/b.ts:6:foo",
      "src/build/q.ts:1:foo",
      "src/deep/ok.ts:1:foo",
    ]);
    expect(await lines(root, { pattern: "foo", path: "src/deep" })).toEqual(["src/deep/ok.ts:1:foo"]);
  });

  test("pattern files above the workspace do not hold", async () => {
    const outer = tempTree({ ".gitignore": "*\n", "ws/a.ts": "foo" });
    expect(await lines(join(outer, "ws"), { pattern: "foo" })).toEqual(["a.ts:1:foo"]);
  });

  test("an ignored folder or file that is asked for by name is searched", async () => {
    const root = tempTree(files);
    expect(await lines(root, { pattern: "foo", path: "build" })).toEqual(["build/o.ts:1:foo"]);
    expect(await lines(root, { pattern: "foo", path: "a.log" })).toEqual(["a.log:1:foo"]);
    expect(await lines(root, { pattern: "foo", path: "node_modules/m" })).toEqual(["node_modules/m/i.ts:1:foo"]);
  });

  test.each([
    ["*.ts", ["a.ts:1:foo", "a.ts:3:foo again", "src/b.ts:2:foo", "src/b.ts:6:foo", "src/build/q.ts:1:foo"]],
    ["*.{txt,log}", ["src.txt:1:foo"]],
    ["src/*.ts", ["src/b.ts:2:foo", "src/b.ts:6:foo"]],
    ["src/", ["src/b.ts:2:foo", "src/b.ts:6:foo", "src/build/q.ts:1:foo"]],
    ["!*.ts", [".hidden:1:foo", "src.txt:1:foo"]],
    ["build/**", none("foo")],
    ["-x", none("foo")],
  ])("include %s chooses files, and none that is ignored", async (include, wanted) => {
    expect(await lines(tempTree(files), { pattern: "foo", include })).toEqual(wanted);
  });

  test("include is relative to path", async () => {
    const root = tempTree({ "s[1]/a/x.ts": "foo", "a/x.ts": "foo", "s[1]/x.ts": "foo" });
    expect(await lines(root, { pattern: "foo", path: "s[1]", include: "a/*.ts" })).toEqual(["s[1]/a/x.ts:1:foo"]);
  });

  test("context is printed as path-line-text, groups apart", async () => {
    const root = tempTree({ "a.txt": "1\nfoo\n3\n4\n5\n6\nfoo\n8\nfoo", "b.txt": "foo" });
    expect(await lines(root, { pattern: "foo", context: 1 })).toEqual([
      "a.txt-1-1",
      "a.txt:2:foo",
      "a.txt-3-3",
      "--",
      "a.txt-6-6",
      "a.txt:7:foo",
      "a.txt-8-8",
      "a.txt:9:foo",
      "--",
      "b.txt:1:foo",
    ]);
    expect(await lines(root, { pattern: "foo", context: 1, max_results: 1 })).toEqual([
      "a.txt-1-1",
      "a.txt:2:foo",
      "a.txt-3-3",
      "(first 1 of 4 matching lines, by path and line; 3 left out: narrow the pattern, path or include)",
    ]);
  });

  test("case counts unless it is told not to", async () => {
    const root = tempTree({ "a.txt": "Foo\nfoo\nÄ\n" });
    expect(await lines(root, { pattern: "foo" })).toEqual(["a.txt:2:foo"]);
    expect(await lines(root, { pattern: "foo", ignore_case: true })).toEqual(["a.txt:1:Foo", "a.txt:2:foo"]);
    expect(await lines(root, { pattern: "(?i)foo" })).toHaveLength(2);
    expect(await lines(root, { pattern: "ä", ignore_case: true })).toEqual(["a.txt:3:Ä"]);
  });

  test.each([
    ["-e", ["a.txt:1:-e --files / x"]],
    ["--files", ["a.txt:1:-e --files / x"]],
    ["^-e", ["a.txt:1:-e --files / x"]],
    ["x$", ["a.txt:1:-e --files / x"]],
    ["interface{}", ["a.txt:2:interface{} (x)"]],
    ["(?=x)x", ["a.txt:1:-e --files / x", "a.txt:2:interface{} (x)"]],
    ["(?P<n>interf)", ["a.txt:2:interface{} (x)"]],
  ])("the pattern %s is a pattern, never an option", async (pattern, wanted) => {
    const root = tempTree({ "a.txt": "-e --files / x\r\ninterface{} (x)\n" });
    expect(await lines(root, { pattern })).toEqual(wanted);
  });

  test("no match is no error", async () => {
    expect(await lines(tempTree(files), { pattern: "nonesuch" })).toEqual(none("nonesuch"));
    expect(await lines(tempTree(), { pattern: "x" })).toEqual(none("x"));
  });

  test("what may not be read unasked is not searched, by whatever way it is asked for; one count says so", async () => {
    const root = tempTree({
      ".env": "KEY=s3cret\nKEY=s3cret\n",
      "app/.env.local": "KEY=s3cret",
      ".env.example": "KEY=s3cret",
    });
    symlinkSync(".env", join(root, "plain.txt"));
    expect(await lines(root, { pattern: "KEY", context: 2 })).toEqual([
      ".env.example:1:KEY=s3cret",
      "(2 files were not searched: reading them is not allowed unasked)",
    ]);
    for (const path of [".env", "plain.txt"])
      expect((await grep(tool, root, { pattern: "KEY", path })).output.split("\n")).toEqual([
        ...none("KEY", ".env"),
        "(1 file was not searched: reading it is not allowed unasked)",
      ]);
  });

  test("binary files are passed over; one that is asked for by name is told of, without its content", async () => {
    const root = tempTree({ bin: "foo\0foo\nfoo\n", late: `foo\n${"x".repeat(100_000)}\0`, "a.txt": "foo" });
    expect((await lines(root, { pattern: "foo" })).filter((line) => !line.startsWith("late"))).toEqual(["a.txt:1:foo"]);
    expect(await lines(root, { pattern: "foo", path: "bin" })).toEqual(["bin: binary file matches, content not shown"]);
  });

  test("UTF-16 with a byte order mark is text", async () => {
    const text = Buffer.from("\ufeffone\nföo\n", "utf16le");
    const root = tempTree({ "le.txt": text, "be.txt": Buffer.from(text).swap16() });
    expect(await lines(root, { pattern: "föo" })).toEqual(["be.txt:2:föo", "le.txt:2:föo"]);
  });

  test("a long line is cut around its match", async () => {
    const root = tempTree({
      "min.js": `${"é".repeat(5_000)}needle${"b".repeat(5_000)}\n`,
      "z.js": `needle${"c".repeat(400)}`,
    });
    const [first, second] = await lines(root, { pattern: "needle" });
    expect(first).toBe(`min.js:1:…${"é".repeat(100)}needle${"b".repeat(194)}…`);
    expect(second).toBe(`z.js:1:needle${"c".repeat(294)}…`);
  });

  test("a line of megabytes is cut too, wherever its match is", async () => {
    const far = "x".repeat(3_000_000);
    const root = tempTree({ "a.js": `1\n${far}needle${far}\n3\n`, "b.js": `needle${far}` });
    const [first = "", second = ""] = await lines(root, { pattern: "needle" });
    expect(first).toMatch(/^a\.js:2:…x{0,100}needlex{0,194}…$/);
    expect(second).toBe(`b.js:1:needle${"x".repeat(294)}…`);
  });

  test("results are capped, with a count of what was left out", async () => {
    const root = tempTree({ "a.txt": "foo\n".repeat(150), "b.txt": "foo\n".repeat(150) });
    const shown = await lines(root, { pattern: "foo" });
    expect(shown).toHaveLength(201);
    expect(shown.slice(199)).toEqual([
      "b.txt:50:foo",
      "(first 200 of 300 matching lines, by path and line; 100 left out: narrow the pattern, path or include)",
    ]);
    expect(await lines(root, { pattern: "foo", max_results: 300 })).toHaveLength(300);
  });

  test("of more than ten thousand matches the first by path are shown", async () => {
    const many = Object.fromEntries([..."edcba"].map((name) => [`${name}/x.txt`, "foo\n".repeat(4_000)]));
    const shown = await lines(tempTree(many), { pattern: "foo", max_results: 2 });
    expect(shown).toEqual([
      "a/x.txt:1:foo",
      "a/x.txt:2:foo",
      "(first 2 of more than 10,000 matching lines, by path and line: narrow the pattern, path or include)",
    ]);
  });

  test("the output stays within bounds whatever is asked for", async () => {
    const root = tempTree({ "a.txt": `${`foo${"x".repeat(400)}\n`.repeat(2_000)}` });
    const result = await grep(tool, root, { pattern: "foo", context: 10, max_results: 1_000 });
    expect(result.output.length).toBeLessThan(65_000);
    expect(result.output).toMatch(/\(first \d+ of 2,000 matching lines, .*left out/);
  });

  test("special files in the tree block nothing; one that is asked for is refused", async () => {
    const root = tempTree({ "a.txt": "foo" });
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("/dev/zero", join(root, "zero"));
    expect(await lines(root, { pattern: "foo" })).toEqual(["a.txt:1:foo"]);
    expect((await grep(tool, root, { pattern: "foo", path: "pipe" })).metadata).toEqual({ code: "NOT_A_FILE" });
  });

  test("links are not followed out of the workspace, nor within it", async () => {
    const outside = tempTree({ "secret.txt": "foo" });
    const root = tempTree({ "src/a.txt": "foo" });
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.txt"), join(root, "one.txt"));
    symlinkSync("src", join(root, "in"));
    expect(await lines(root, { pattern: "foo" })).toEqual(["src/a.txt:1:foo"]);
    for (const path of ["out", "one.txt", "out/secret.txt", "../", "/etc/passwd"])
      expect((await grep(tool, root, { pattern: "foo", path })).metadata).toEqual({ code: "OUTSIDE_WORKSPACE" });
  });

  test("an invalid pattern is refused in the engine's words", async () => {
    const result = await grep(tool, tempTree(files), { pattern: "(foo" });
    expect(result.metadata).toEqual({ code: "INVALID_REGEX" });
    expect(result.error).toMatch(/not a valid regular expression: .*(unclosed|unterminated) group/is);
  });

  test.each([
    ["an empty pattern", { pattern: "" }, /pattern is empty/],
    ["a NUL", { pattern: "a\0" }, /NUL/],
    ["a pattern of a megabyte", { pattern: "a".repeat(1_000_000) }, /longer/],
    ["an empty include", { pattern: "a", include: "" }, /include is empty/],
    ["a bomb of braces", { pattern: "a", include: "{a,b}".repeat(200) }, /include/],
    ["too many results", { pattern: "a", max_results: 100_000 }, /at most 1000/],
    ["too much context", { pattern: "a", context: "99" }, /at most 10/],
  ])("refused: %s", async (_, args, message) => {
    const result = await grep(tool, tempTree(files), args);
    expect(result.metadata).toEqual({ code: "INVALID_ARGUMENT" });
    expect(result.error).toMatch(message);
  });

  test("names with line breaks and odd bytes stand on one line", async () => {
    const root = tempTree({ "a\nb.txt": "foo", "c:1:d.txt": "foo" });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), "nothing here");
    expect(await lines(root, { pattern: "foo" })).toEqual(['"a\\nb.txt":1:foo', "c:1:d.txt:1:foo"]);
  });

  test("aborted it is CANCELLED", async () => {
    const stop = new AbortController();
    const running = executeTool(tool, { pattern: "foo" }, { workspace: tempTree(files), signal: stop.signal });
    stop.abort();
    expect((await running).metadata).toEqual({ code: "CANCELLED" });
  });

  test("ten searches at once do not disturb each other", async () => {
    const root = tempTree(files);
    const all = await Promise.all(Array.from({ length: 10 }, () => lines(root, { pattern: "foo", path: "src" })));
    expect(new Set(all.map(String)).size).toBe(1);
  });
});

test.each(["TIMEOUT", "CANCELLED"])("a search program that does not end is killed and reaped: %s", async (code) => {
  const root = tempTree({ "rg.sh": '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec /bin/sleep 600\n' });
  chmodSync(join(root, "rg.sh"), 0o755);
  const stop = new AbortController();
  const time = timeOfTheTest();
  const tool = createGrepTool({ rgPath: join(root, "rg.sh"), timeoutMs: 60_000 });
  const running = executeTool(tool, { pattern: "foo" }, { workspace: root, signal: stop.signal });
  const pid = await pidIn(join(root, "pid"));
  if (code === "CANCELLED") stop.abort();
  else time.pass(60_000);
  expect((await running).metadata).toEqual({ code });
  expect(existsSync(`/proc/${pid}`)).toBe(false); // nor does it wait to be reaped
});

test.each([
  ["may not be executed", "#!/bin/sh\n", 0o644],
  ["is no program", "\u007fELF garbage", 0o755],
  ["is another program", "#!/bin/sh\necho '{\"type\":'\necho hello\n", 0o755],
  ["dies of a signal at once", "#!/bin/sh\nkill -SEGV $$\n", 0o755],
])("a search program that %s is told of, with what mends it", async (_, content, mode) => {
  const root = tempTree({ "bin/rg": content, "a.txt": "foo" });
  chmodSync(join(root, "bin/rg"), mode);
  const result = await grep(createGrepTool({ rgPath: join(root, "bin/rg") }), root, { pattern: "foo" });
  expect(result.metadata).toEqual({ code: "FAILED" });
  expect(result.error).toMatch(
    /^ripgrep, by which files are searched, is not installed here( \([\s\S]+\))?[.] A person has to install again/,
  );
});

test("a search program gets so much memory and no more; that it needed more is said", async () => {
  const root = tempTree({ rg: '#!/bin/sh\nulimit -v > "$(dirname "$0")/bound"\nkill -ABRT $$\n' });
  chmodSync(join(root, "rg"), 0o755);
  const result = await grep(createGrepTool({ rgPath: join(root, "rg") }), root, { pattern: "foo" });
  expect(result.metadata).toEqual({ code: "FAILED" });
  expect(result.error).toMatch(/^the search needed more than 2000 MB of memory and was stopped: narrow path/);
  if (process.platform === "linux")
    expect(readFileSync(join(root, "bound"), "utf8")).toBe(`${limits.grepMemory.most / 1024}\n`);
});

test("a search program that fails is told of, not taken for no match", async () => {
  const root = tempTree({ rg: "#!/bin/sh\necho 'rg: out of luck' >&2\nexit 2\n" });
  chmodSync(join(root, "rg"), 0o755);
  const result = await grep(createGrepTool({ rgPath: join(root, "rg") }), root, { pattern: "foo" });
  expect(result.metadata).toEqual({ code: "FAILED" });
  expect(result.error).toContain("out of luck");
});

test.each([
  ["alone", "rg: ./a.txt: secret: No such file or directory\\n"],
  ["a regex by its name", "rg: ./regex: secret\\n"],
  ["with a line's end in it", "rg: ./a\\nsecret: No such file or directory\\n"],
  ["behind other words", "rg: out of luck\\nrg: ./a\\nrg: secret\\n"],
])("what a failed search program says of a file is not told: %s", async (_, said) => {
  const root = tempTree({ rg: `#!/bin/sh\nprintf '${said}' >&2\nexit 2\n` });
  chmodSync(join(root, "rg"), 0o755);
  const result = await grep(createGrepTool({ rgPath: join(root, "rg") }), root, { pattern: "foo" });
  expect(result.metadata).toEqual({ code: "FAILED" });
  expect(result.error).toMatch(
    /^the search (did not come to its end: .*: search again|failed \(exit 2\): out of luck)$/,
  );
});

test("ripgrep says which glob it cannot read", async () => {
  const result = await grep(ripgrep, tempTree(files), { pattern: "foo", include: "[" });
  expect(result.metadata).toEqual({ code: "INVALID_ARGUMENT" });
  expect(result.error).toMatch(/include: .*'\['/);
});

test("a plan names what is searched", async () => {
  const root = tempTree(files);
  const plan = await ripgrep.plan?.({ pattern: "x", path: "src" }, createToolContext({ workspace: root }));
  expect(plan?.reads).toEqual([{ asked: "src", real: join(root, "src") }]);
});
