import { chmod, mkdir, readFile, rename, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ToolRefusal } from "../../../src/core/codes.ts";
import { sha256 } from "../../../src/core/json.ts";
import type { ToolContext } from "../../../src/core/tool.ts";
import { changesOf } from "../../../src/files/diff/diff-text.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createEditFileTool } from "../../../src/tools/files/edit-file.ts";
import {
  contextOf,
  leftovers,
  overlayOf,
  planOf,
  refusalOf,
  run,
  seenFiles,
  tempFolder,
} from "../../files/fixtures.ts";

const edit = createEditFileTool();

async function fileOf(content: string | Uint8Array): Promise<{ path: string; ctx: ToolContext }> {
  const ws = await tempFolder();
  await writeFile(join(ws, "a.txt"), content);
  return { path: join(ws, "a.txt"), ctx: contextOf(ws) };
}

type Change = { old_string: string; new_string: string; mode?: string; replace_all?: boolean };
const asked = (change: Change): object => ({ file_path: "a.txt", ...change });

/** The file's bytes, as latin1, after one edit. */
async function edited(content: string | Uint8Array, change: Change): Promise<string> {
  const { path, ctx } = await fileOf(content);
  await run(edit, asked(change), ctx);
  return readFile(path, "latin1");
}

async function refused(content: string | Uint8Array, change: Change): Promise<{ code: string; message: string }> {
  const { path, ctx } = await fileOf(content);
  const refusal = await refusalOf(planOf(edit, asked(change), ctx));
  expect(await readFile(path)).toEqual(Buffer.from(content));
  return refusal;
}

test("plans what it does, and does it", async () => {
  const { path, ctx } = await fileOf("one\ntwo\nthree\n");
  const request = asked({ old_string: "two", new_string: "2" });
  const plan = await planOf(edit, request, ctx);
  const lines = [
    { kind: " ", text: "one" },
    { kind: "-", text: "two" },
    { kind: "+", text: "2" },
    { kind: " ", text: "three" },
  ];
  expect(plan).toEqual({
    summary: "edit a.txt (+1 -1)",
    cwd: ctx.cwd,
    diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    files: [
      {
        asked: "a.txt",
        real: path,
        kind: "modify",
        before: sha256("one\ntwo\nthree\n"),
        after: sha256("one\n2\nthree\n"),
        mode: 0o644,
        eol: "lf",
        bom: false,
        encoding: "utf-8",
        added: 1,
        removed: 1,
        hunks: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines }],
      },
    ],
  });
  expect(await readFile(path, "utf8")).toBe("one\ntwo\nthree\n");
  const seen = seenFiles();
  const result = await run(edit, request, { ...ctx, plan, seen });
  expect(result.output).toBe("a.txt: replaced text at line 2 (+1 -1)");
  const changes = { changes: changesOf(plan), left: 0 };
  expect(result.metadata).toEqual({
    diff: plan.diff,
    changes,
    added: 1,
    removed: 1,
    path,
    sha: sha256("one\n2\nthree\n"),
  });
  expect(await readFile(path, "utf8")).toBe("one\n2\nthree\n");
  expect(seen.last(path)).toBe(sha256("one\n2\nthree\n"));
});

test("dollar signs in an exact edit are text", async () => {
  expect(await edited("a b c", { old_string: "b", new_string: "$& $1 $$ $` $'" })).toBe("a $& $1 $$ $` $' c");
});

const crlf = "one\r\ntwo\r\nthree\r\n";

test.each<[string, string | Uint8Array, Change, string]>([
  ["CRLF", crlf, { old_string: "one\ntwo\n", new_string: "1\n2\n2b\n" }, "1\r\n2\r\n2b\r\nthree\r\n"],
  ["CRLF named by the model", crlf, { old_string: "two\r\n", new_string: "2\r\n" }, "one\r\n2\r\nthree\r\n"],
  ["CRLF to LF on purpose", crlf, { old_string: "two\r\n", new_string: "two\n" }, "one\r\ntwo\nthree\r\n"],
  ["mixed endings", "a\r\nb\nc\r\n", { old_string: "a\nb\nc", new_string: "A\nb\nC" }, "A\r\nb\nC\r\n"],
  ["mixed, a line added", "a\r\nb\nc\n", { old_string: "a", new_string: "a\nx" }, "a\r\nx\r\nb\nc\n"],
  ["mixed, after an LF line", "a\r\nb\nc", { old_string: "b", new_string: "b\nx" }, "a\r\nb\nx\nc"],
  ["bare CR", "a\rb\rc\r", { old_string: "b\nc", new_string: "B\nx\nc" }, "a\rB\rx\rc\r"],
  ["a CR within LF lines", "a\rb\nc\n", { old_string: "c", new_string: "C" }, "a\rb\nC\n"],
  ["no final newline", "a\nb", { old_string: "a", new_string: "A" }, "A\nb"],
  ["a final newline given", "a\nb", { old_string: "b", new_string: "b\n" }, "a\nb\n"],
  ["lines deleted", crlf, { old_string: "two\n", new_string: "" }, "one\r\nthree\r\n"],
])("%s is kept byte for byte", async (_, content, change, after) => {
  expect(await edited(content, change)).toBe(after);
});

test("byte order marks and encodings are kept byte for byte", async () => {
  const bytes = (...parts: (string | number[])[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part))));
  const change = { old_string: "é\nb", new_string: "é\nü" };
  const after = async (content: Uint8Array): Promise<Buffer> => Buffer.from(await edited(content, change), "latin1");
  const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
  const bom = [0xef, 0xbb, 0xbf];
  expect(await after(bytes(bom, "é\r\nb😀\r\n"))).toEqual(bytes(bom, "é\r\nü😀\r\n"));
  expect(await after(utf16("\uFEFFé\r\nb😀"))).toEqual(utf16("\uFEFFé\r\nü😀"));
  expect(await after(utf16("\uFEFFé\nb😀").swap16())).toEqual(utf16("\uFEFFé\nü😀").swap16());
  expect(await after(Buffer.concat([utf16("\uFEFFé\nb"), Buffer.from([0x41])]))).toEqual(
    Buffer.concat([utf16("\uFEFFé\nü"), Buffer.from([0x41])]),
  );
  expect(await after(bytes([0xe9, 0x0a, 0x62, 0xff, 0x80]))).toEqual(bytes([0xe9, 0x0a, 0xfc, 0xff, 0x80]));
});

test("text that the encoding does not have is refused", async () => {
  const change = { old_string: "b", new_string: "€" };
  expect((await refused(Buffer.from([0xe9, 0x62]), change)).code).toBe("ENCODING");
  expect((await refused("ab", { old_string: "b", new_string: "\ud800" })).code).toBe("ENCODING");
});

test("characters beyond U+FFFF are never torn", async () => {
  const { path, ctx } = await fileOf("😀😁");
  await run(edit, asked({ old_string: "😀", new_string: "😂" }), ctx);
  expect(await readFile(path, "utf8")).toBe("😂😁");
  await run(edit, asked({ old_string: "😂😁", new_string: "😁" }), ctx);
  expect(await readFile(path, "utf8")).toBe("😁");
  await run(edit, asked({ old_string: ".", new_string: "[$&]", mode: "regex" }), ctx);
  expect(await readFile(path, "utf8")).toBe("[😁]");
});

test("refusals say which, and help", async () => {
  const change = (old_string: string, new_string = "x"): Change => ({ old_string, new_string });
  expect(await refused("a\nb\na\n", change("a"))).toEqual({
    code: "NOT_UNIQUE",
    message: "old_string matches 2 places (lines 1, 3): add lines around it until it is unique, or set replace_all",
  });
  expect((await refused("aaa", change("aa"))).code).toBe("NOT_UNIQUE");
  expect((await refused("a", change(""))).code).toBe("EMPTY_OLD");
  expect((await refused("a", change("a", "a"))).code).toBe("NO_CHANGE");
  expect((await refused("a\r\n", change("a\n", "a\r\n"))).code).toBe("NO_CHANGE");
  const { code, message } = await refused("const alpha = 1;\nconst beta = 2;\n", change("const alhpa = 1;"));
  expect(code).toBe("NOT_FOUND");
  expect(message).toContain("1: const alpha = 1;");
  expect((await refused("one\ntwo\n", change("     1\tone\n     2\ttwo"))).message).toContain("line numbers");
  expect((await refused("\tif (a)\n\t\tb();\n", change("if (a)\n    b();"))).message).toContain('mode "flexible"');
});

test("binary files and files that are not there are refused", async () => {
  expect(await refused(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), { old_string: "P", new_string: "x" })).toEqual({
    code: "BINARY",
    message: "a.txt is not a text file: PNG image, 6 bytes",
  });
  const { ctx } = await fileOf("x");
  const ask = (file_path: string) => refusalOf(planOf(edit, { file_path, old_string: "x", new_string: "y" }, ctx));
  expect(await ask("A.txt")).toEqual({ code: "NOT_FOUND", message: "A.txt does not exist. Did you mean a.txt?" });
  expect((await ask(".")).code).toBe("IS_DIRECTORY");
  expect((await ask("a.txt/b")).code).toBe("NOT_A_FILE");
  expect((await ask("../b")).code).toBe("OUTSIDE_WORKSPACE");
  await truncate(join(ctx.workspace, "a.txt"), 200_000_000);
  expect((await ask("a.txt")).code).toBe("TOO_LARGE");
});

test("replace_all replaces every match", async () => {
  const { ctx, path } = await fileOf("a\r\nb\na\n");
  const result = await run(edit, asked({ old_string: "a\n", new_string: "A\nA\n", replace_all: true }), ctx);
  expect(await readFile(path, "utf8")).toBe("A\r\nA\r\nb\nA\nA\n");
  expect(result.output).toBe("a.txt: replaced 2 places (lines 1, 3) (+4 -2)");
});

const flexible = (old_string: string, new_string: string): Change => ({ old_string, new_string, mode: "flexible" });

test.each<[string, string, Change, string]>([
  [
    "indentation",
    "class A {\n    run() {\n        go();\n    }\n}\n",
    flexible("run() {\n    go();\n}", "run() {\n    if (ok) {\n        go();\n    }\n}"),
    "class A {\n    run() {\n        if (ok) {\n            go();\n        }\n    }\n}\n",
  ],
  [
    "tabs for blanks",
    "f {\n\tif (a) {\n\t\tb();\n\t}\n}\n",
    flexible("    if (a) {\n        b();\n", "    if (a) {\n        b();\n            c();\n"),
    "f {\n\tif (a) {\n\t\tb();\n\t\t\tc();\n\t}\n}\n",
  ],
  [
    "tabs for blanks, where the request begins less deep,",
    "f {\n\t\tif (a) {\n\t\t\tb();\n\t\t}\n}\n",
    flexible("if (a) {\n  b();\n}", "if (a) {\n  b();\n  if (c) {\n    d();\n  }\n}"),
    "f {\n\t\tif (a) {\n\t\t\tb();\n\t\t\tif (c) {\n\t\t\t\td();\n\t\t\t}\n\t\t}\n}\n",
  ],
  [
    "the step of blanks",
    "f {\n    if (a) {\n        b();\n    }\n}\n",
    flexible("  if (a) {\n    b();\n  }", "  if (a) {\n    b(() => {\n      c();\n    });\n  }"),
    "f {\n    if (a) {\n        b(() => {\n            c();\n        });\n    }\n}\n",
  ],
  [
    "trailing blanks, of which those not touched stay",
    "a  \nb\t\nc \n",
    flexible("a\nb\nc", "a\nB\nc"),
    "a  \nB\nc \n",
  ],
  ["CRLF", "\ta \r\n\tb\r\n", flexible("a\nb\n", "a\nx\nb\n"), "\ta \r\n\tx\r\n\tb\r\n"],
  ["a deletion", "  a\n  b\n  c\n", flexible("b\n", ""), "  a\n  c\n"],
  [
    "all indentation, where the old lines are flat,",
    "class A:\n    def f(self):\n        if x:\n            go()\n        return 1\n",
    flexible("if x:\ngo()\nreturn 1", "if y:\ngo()\nreturn 2"),
    "class A:\n    def f(self):\n        if y:\n            go()\n        return 2\n",
  ],
  [
    "all indentation, where what is put in after a block's opening is in it,",
    "if x:\n    go()\n",
    flexible("if x:\ngo()", "if x:\nlook()\ngo()"),
    "if x:\n    look()\n    go()\n",
  ],
  [
    "all indentation, with new lines of a depth of their own,",
    "f {\n\tif (a) {\n\t\tb();\n\t}\n}\n",
    flexible("if (a) {\nb();\n}", "while (c) {\n  if (d) {\n    e();\n  }\n}"),
    "f {\n\twhile (c) {\n\t\tif (d) {\n\t\t\te();\n\t\t}\n\t}\n}\n",
  ],
  [
    "all indentation, with new lines as deep as the place's",
    "f\n        a\n            b\n",
    flexible("a\nb", "        c\n            d"),
    "f\n        c\n            d\n",
  ],
  ["all indentation, where the file is flat,", "a {\nb\n}\n", flexible("a {\n  b\n}", "a {\n  c\n}"), "a {\nc\n}\n"],
  [
    "blanks inside lines, where those not touched keep theirs,",
    "  x  =  1;\n  yy\t=  2;\n  z = 3;\n",
    flexible("x = 1;\nyy = 2;\nz = 3;", "x = 1;\nyy = 4;\nz = 3;"),
    "  x  =  1;\n  yy = 4;\n  z = 3;\n",
  ],
])("flexible: %s may differ", async (_, content, change, after) => {
  expect(await edited(content, change)).toBe(after);
});

test("flexible accepts nothing but white space, one place only, and no other nesting", async () => {
  expect((await refused("  foo(a)\n", flexible("foo( a )", "x"))).code).toBe("NOT_FOUND");
  expect((await refused("  foo()\n    foo()\n", flexible("\tfoo()", "x"))).code).toBe("NOT_UNIQUE");
  expect((await refused("if a:\n    b\nc\n", flexible("if a:\n    b\n    c", "x"))).code).toBe("NOT_FOUND");
  expect((await refused("a\n  \n", flexible(" \n\t", "x"))).code).toBe("NOT_FOUND");
  expect((await refused("a  b\n  a\tb\n", flexible("a b", "x"))).message).toMatch(
    /2 places \(lines 1, 2\): add lines around it until it is unique$/,
  );
  expect((await refused("a x\nb x\n", flexible("x", "y"))).code).toBe("NOT_UNIQUE");
  const both = { file_path: "a", old_string: "a", new_string: "b", mode: "flexible", replace_all: true };
  expect(await edit.validate?.(both, contextOf("/"))).toContain("replace_all");
});

const regex = (old_string: string, new_string: string, replace_all = false): Change => ({
  old_string,
  new_string,
  mode: "regex",
  replace_all,
});

test("patterns fill in groups", async () => {
  expect(await edited("key: value", regex("(\\w+): (?<v>\\w+)", "$2=$1 $<v> $$ $3 $0"))).toBe(
    "value=key value $ $3 $0",
  );
  expect(await edited("a1\r\na2\r\n", regex("^a(\\d)$", "b$1", true))).toBe("b1\r\nb2\r\n");
  expect(await edited("a-b", regex("a\\-b", "x"))).toBe("x");
});

test("patterns are refused in words", async () => {
  expect((await refused("a", regex("(", "x"))).code).toBe("INVALID_REGEX");
  expect((await refused("a", regex("x*", "y"))).code).toBe("EMPTY_MATCH");
  expect((await refused("ab", regex("[ab]", "x"))).code).toBe("NOT_UNIQUE");
  expect((await refused("a", regex("b", "x"))).code).toBe("NOT_FOUND");
  expect((await refused("a", regex("a", "$&"))).code).toBe("NO_CHANGE");
});

test("a catastrophic pattern is ended", async () => {
  const { ctx } = await fileOf(`${"a".repeat(60)}!`);
  const quick = createEditFileTool({ regexTimeoutMs: 100 });
  expect((await refusalOf(planOf(quick, asked(regex("^(a+)+$", "x")), ctx))).code).toBe("REGEX_TIMEOUT");
});

test("a pattern ends with the call", async () => {
  const { ctx } = await fileOf(`${"a".repeat(60)}!`);
  const stop = new AbortController();
  const slow = createEditFileTool({ regexTimeoutMs: 60_000 });
  const refusal = refusalOf(planOf(slow, asked(regex("^(a+)+$", "x")), { ...ctx, signal: stop.signal }));
  stop.abort();
  expect((await refusal).code).toBe("CANCELLED");
});

test("the mode of a file and the link to it stay", async () => {
  const { path, ctx } = await fileOf("a");
  await chmod(path, 0o751);
  await symlink("a.txt", join(ctx.workspace, "link"));
  await run(edit, { file_path: "link", old_string: "a", new_string: "b" }, ctx);
  expect(await readFile(path, "utf8")).toBe("b");
  expect((await stat(path)).mode & 0o7777).toBe(0o751);
});

const oneEdit = asked({ old_string: "old", new_string: "new" });

test("a file that changed since it was read is not edited", async () => {
  const { path, ctx } = await fileOf("old");
  const seen = seenFiles();
  seen.note(path, sha256("older"));
  expect((await refusalOf(planOf(edit, oneEdit, { ...ctx, seen }))).code).toBe("STALE");
  seen.note(path, sha256("old"));
  expect((await planOf(edit, oneEdit, { ...ctx, seen })).summary).toBe("edit a.txt (+1 -1)");
});

test("what earlier calls of the message will leave counts as seen", async () => {
  const { path, ctx } = await fileOf("old");
  const [seen, overlay] = [seenFiles(), overlayOf()];
  seen.note(path, sha256("old"));
  const planning = { ...ctx, seen, overlay };
  const first = await planOf(edit, oneEdit, planning);
  const next = asked({ old_string: "new", new_string: "newest" });
  const second = await planOf(edit, next, planning);
  expect(second.files?.[0]?.before).toBe(first.files?.[0]?.after);
  await run(edit, oneEdit, { ...ctx, seen, plan: first });
  await run(edit, next, { ...ctx, seen, plan: second });
  expect(await readFile(path, "utf8")).toBe("newest");
});

test("a plan that the disk has left behind is not applied", async () => {
  const { path, ctx } = await fileOf("old");
  const plan = await planOf(edit, oneEdit, ctx);
  await writeFile(path, "old and theirs");
  const result = await run(edit, oneEdit, { ...ctx, plan });
  expect(result.metadata).toEqual({ code: "STALE", drifted: true });
  expect(result.error).toContain("nothing was written");
  expect(await readFile(path, "utf8")).toBe("old and theirs");
});

test("other bytes than those of the plan are not applied, nor is a plan whose file has other permissions", async () => {
  const { path, ctx } = await fileOf("old");
  const plan = await planOf(edit, oneEdit, ctx);
  const planned = () => ({ before: Buffer.from("old"), after: Buffer.from("other") });
  expect((await run(edit, oneEdit, { ...ctx, plan, planned })).metadata).toEqual({ code: "STALE", drifted: true });
  await chmod(path, 0o600);
  expect((await run(edit, oneEdit, { ...ctx, plan })).metadata).toEqual({ code: "STALE", drifted: true });
  expect(await readFile(path, "utf8")).toBe("old");
});

test("a folder swapped for a link between plan and execution is not followed", async () => {
  const base = await tempFolder();
  const ws = join(base, "ws");
  for (const folder of ["ws/src", "ws/other", "outside"]) {
    await mkdir(join(base, folder), { recursive: true });
    await writeFile(join(base, folder, "a.txt"), "old");
  }
  const ctx = contextOf(ws);
  const request = { file_path: "src/a.txt", old_string: "old", new_string: "new" };
  const plan = await planOf(edit, request, ctx);
  await rename(join(ws, "src"), join(ws, "was"));
  await symlink(join(base, "outside"), join(ws, "src"));
  expect((await refusalOf(run(edit, request, { ...ctx, plan }))).code).toBe("OUTSIDE_WORKSPACE");
  await rename(join(ws, "src"), join(ws, "first-link"));
  await symlink(join(ws, "other"), join(ws, "src"));
  expect((await run(edit, request, { ...ctx, plan })).metadata).toEqual({ code: "STALE", drifted: true });
  for (const folder of ["ws/was", "ws/other", "outside"]) {
    expect(await readFile(join(base, folder, "a.txt"), "utf8")).toBe("old");
  }
});

test("the person's editor wins the race, and is not overwritten", async () => {
  const { path, ctx } = await fileOf("old");
  const racing = createEditFileTool({ beforeRename: () => writeFile(path, "theirs") });
  const result = await run(racing, oneEdit, ctx);
  expect(result.metadata).toEqual({ code: "STALE", raced: true });
  expect(await readFile(path, "utf8")).toBe("theirs");
  expect(await leftovers(ctx.workspace)).toEqual([]);
});

test("half of a character is not taken for text to replace, whoever asks", async () => {
  const { path, ctx } = await fileOf("a😀b");
  for (const old_string of ["a\ud83d", "\ude00b", "\ud83d"]) {
    for (const mode of ["exact", "flexible", "regex"]) {
      const change = { old_string, new_string: "x", mode };
      expect(await executeTool(edit, asked(change), { workspace: ctx.workspace })).toEqual({
        output: "",
        error:
          "edit_file: old_string holds half of a character beyond U+FFFF (a lone surrogate): give the whole character",
        metadata: { code: "INVALID_ARGUMENT" },
      });
      expect((await refused("a😀b", change)).code).toBe(mode === "regex" ? "NOT_FOUND" : "ENCODING");
    }
  }
  expect(await readFile(path, "utf8")).toBe("a😀b");
});

test("a pattern that cuts a character in two, or puts its halves elsewhere, is refused", async () => {
  const regex = (old_string: string, new_string: string) => refused("a😀b", { old_string, new_string, mode: "regex" });
  // `\-` is no pattern of unicode mode, so these see the two halves of the pair.
  expect((await regex("a.|\\-", "x")).code).toBe("ENCODING");
  expect((await regex("[^a]b|\\-", "x")).code).toBe("ENCODING");
  expect((await regex("(.)(.)b|\\-", "$2$1b")).code).toBe("ENCODING");
  expect((await regex("(.).b|\\-", "$1b")).code).toBe("ENCODING");
});

test("whatever an edit is asked to match, the bytes stay valid in the file's encoding", async () => {
  const text = "é😀\r\n😁x";
  const encodings = {
    "utf-8": Buffer.from(text, "utf8"),
    "utf-16le": Buffer.from(`\uFEFF${text}`, "utf16le"),
    "utf-16be": Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  };
  const ends = Array.from({ length: text.length + 1 }, (_, index) => index);
  const slices = new Set(ends.flatMap((from) => ends.slice(from + 1).map((to) => text.slice(from, to))));
  for (const [encoding, bytes] of Object.entries(encodings)) {
    const { path, ctx } = await fileOf(bytes);
    for (const old_string of slices) {
      for (const new_string of ["", `${old_string.slice(0, 1)}z`]) {
        const change = asked({ old_string, new_string, replace_all: true });
        await run(edit, change, ctx).catch((error: unknown) => expect(error).toBeInstanceOf(ToolRefusal));
        const written = await readFile(path);
        expect(() => new TextDecoder(encoding, { fatal: true }).decode(written)).not.toThrow();
        await writeFile(path, bytes);
      }
    }
  }
});

test("two edits at once: one is applied, the other is told", async () => {
  const { path, ctx } = await fileOf("one two");
  const requests = [asked({ old_string: "one", new_string: "1" }), asked({ old_string: "two", new_string: "2" })];
  const plans = await Promise.all(requests.map((request) => planOf(edit, request, ctx)));
  const results = await Promise.all(requests.map((request, i) => run(edit, request, { ...ctx, plan: plans[i]! })));
  const applied = results.filter(({ error }) => error === undefined).length;
  const content = await readFile(path, "utf8");
  expect(applied).toBeLessThan(2);
  expect(content).toBe(applied === 0 ? "one two" : results[0]?.error === undefined ? "1 two" : "one 2");
});

test("a plan names a folder for what it is", async () => {
  const { ctx } = await fileOf("x");
  const ask = (file_path: string) => refusalOf(planOf(edit, { file_path, old_string: "x", new_string: "y" }, ctx));
  expect((await ask("src/")).code).toBe("IS_DIRECTORY");
  expect((await ask(".")).code).toBe("IS_DIRECTORY");
});

test("a plan that is refused says which file it was about, so that policy can judge it all the same", async () => {
  const { ctx } = await fileOf("x");
  const refused = planOf(edit, { file_path: "a.txt", old_string: "z", new_string: "y" }, ctx);
  await expect(refused).rejects.toMatchObject({
    code: "NOT_FOUND",
    paths: [{ asked: "a.txt", real: join(ctx.workspace, "a.txt"), access: "write" }],
  });
});
