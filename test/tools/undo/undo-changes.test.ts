import { link, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import type { ToolContext } from "../../../src/core/tool.ts";
import type { AppliedCall, UndoSource } from "../../../src/tools/undo/take-back.ts";
import { createUndoTool, type UndoOptions } from "../../../src/tools/undo/undo-changes.ts";
import { contextOf, leftovers, overlayOf, planOf, refusalOf, run, tempFolder } from "../../files/fixtures.ts";

type Content = string | Uint8Array | null;
const bytesOf = (content: Content) => (typeof content === "string" ? Buffer.from(content) : content);
const shaOf = (content: Content) => (content === null ? null : sha256(bytesOf(content) ?? ""));

/** A workspace whose files were changed by these calls, each [file, before, after], and are as the last one left them. */
async function left(...changes: [file: string, before: Content, after: Content][]) {
  const workspace = await tempFolder();
  const kept = new Map<string, Uint8Array>();
  const applied = changes.map(([file, before, after], i): AppliedCall => {
    for (const content of [before, after]) {
      const bytes = bytesOf(content);
      if (bytes !== null) kept.set(sha256(bytes), bytes);
    }
    const real = join(workspace, file);
    const [old, fresh] = [shaOf(before), shaOf(after)];
    const plan = { asked: file, real, kind: "modify", before: old, after: fresh, mode: 0o640 } as const;
    const form = { eol: "lf", bom: false, encoding: "utf-8" } as const;
    return { callId: `c${i + 1}`, files: [{ ...plan, ...form, added: 1, removed: 1, hunks: [] }] };
  });
  const put = async (file: string, content: Content): Promise<void> => {
    if (content === null) return rm(join(workspace, file), { force: true });
    await mkdir(join(workspace, file, ".."), { recursive: true });
    await writeFile(join(workspace, file), content);
  };
  for (const [file, , left] of changes) await put(file, left);
  const source: UndoSource = {
    applied: (ids) => applied.filter(({ callId }) => ids.includes(callId)),
    bytesOf: (sha) => kept.get(sha),
  };
  const ctx: ToolContext = contextOf(workspace);
  return {
    workspace,
    kept,
    ctx,
    put,
    args: { calls: applied.map(({ callId }) => callId) },
    tool: (options?: UndoOptions) => createUndoTool(source, options),
    read: (file: string) => readFile(join(workspace, file)),
    path: (file: string) => join(workspace, file),
  };
}

describe("a plan", () => {
  test("names each file once, whatever the number of calls on it, and its end is their beginning", async () => {
    const at = await left(["a.txt", "1\n", "2\n"], ["b.txt", null, "new\n"], ["a.txt", "2\n", "3\n"]);
    const overlay = overlayOf();
    const plan = await planOf(at.tool(), at.args, { ...at.ctx, overlay });
    expect(plan.summary).toBe("take back calls c1, c2, c3: 2 files (+1 -2)");
    expect(plan.files).toMatchObject([
      { asked: "a.txt", kind: "modify", before: sha256("3\n"), after: sha256("1\n") },
      { asked: "b.txt", kind: "delete", before: sha256("new\n"), after: null },
    ]);
    expect(overlay.read(at.path("b.txt"))).toBeNull();
    expect(Buffer.from(overlay.read(at.path("a.txt")) ?? []).toString()).toBe("1\n");
    expect(plan.diff).toContain("--- a/a.txt");
    expect(plan.diff).toContain("--- a/b.txt");
    expect(await planOf(at.tool(), at.args, at.ctx)).toEqual(plan);
  });

  test("joins what follows without a gap, and merges what does not", async () => {
    const at = await left(["a.txt", "a\n-\nb\n", "A\n-\nb\n"], ["a.txt", "A\n-\nb\n=\nc\n", "A\n-\nb\n=\nC\n"]);
    const plan = await planOf(at.tool(), at.args, at.ctx);
    expect(plan.warnings).toEqual(["a.txt has changed since: what call c1 changed is taken out, the rest stays"]);
    await run(at.tool(), at.args, at.ctx);
    expect((await at.read("a.txt")).toString()).toBe("a\n-\nb\n=\nc\n");
  });

  test("keeps encoding, line endings and byte order mark of what it merges", async () => {
    const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    const latin = (text: string) => Buffer.from(text, "latin1");
    const at = await left(
      ["a.txt", utf16("Ĉ1\r\n-\r\n2"), utf16("X\r\n-\r\n2")],
      ["b.txt", latin("\xe91\n-\n2\n"), latin("\xe9X\n-\n2\n")],
    );
    await at.put("a.txt", utf16("X\r\n-\r\n2 mine"));
    await at.put("b.txt", latin("\xe9X\n-\n2 \xfc\n"));
    await run(at.tool(), at.args, at.ctx);
    expect((await at.read("a.txt")).equals(utf16("Ĉ1\r\n-\r\n2 mine"))).toBe(true);
    expect((await at.read("b.txt")).equals(latin("\xe91\n-\n2 \xfc\n"))).toBe(true);
  });

  test("says that another name of the file keeps the present content", async () => {
    const at = await left(["a.txt", "1\n", "2\n"]);
    await link(at.path("a.txt"), at.path("other"));
    const plan = await planOf(at.tool(), at.args, at.ctx);
    expect(plan.warnings).toEqual(["a.txt has other names (hard links): they keep the present content"]);
  });
});

describe("a refusal", () => {
  const cases: [string, Content, Content, Content, string, string][] = [
    ["of a text that is gone", "1\n", "2\n", null, "STALE", "the file is gone since"],
    ["of a file that was made and changed", null, "1\n", "2\n", "STALE", "remove it yourself"],
    ["of a file that was removed and is there again", "1\n", null, "2\n", "STALE", "there is another one now"],
    ["of a binary file that has changed", "1\n", "\0\x01\x02", "\0\x01\x03", "STALE", "no text that could be merged"],
    ["of another encoding", "1\n-\n", "2\n-\n", Buffer.from([0xff, 0xfe, 0x32, 0]), "STALE", "encoding has changed"],
    ["of a change at the same place", "1\n", "2\n", "3\n", "STALE", "(line 1 now)"],
    ["of what is as before", "1\n", "2\n", "1\n", "NO_CHANGE", "is already as it was before call c1"],
  ];
  test.each(cases)("%s says why", async (_, before, after, now, code, says) => {
    const at = await left(["a.txt", before, after]);
    await at.put("a.txt", now);
    const refusal = await refusalOf(planOf(at.tool(), at.args, at.ctx));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(says);
    expect(refusal.message).toContain("a.txt");
  });

  test("of one file is a refusal of all", async () => {
    const at = await left(["a.txt", "1\n", "2\n"], ["b.txt", "1\n", "2\n"]);
    await at.put("b.txt", "mine\n");
    const result = await run(at.tool(), at.args, at.ctx).catch((error: Error) => error.message);
    expect(result).toContain("cannot be taken back from b.txt");
    expect((await at.read("a.txt")).toString()).toBe("2\n");
  });

  test("of bytes that are not kept any more names the file and the call", async () => {
    const at = await left(["a.txt", "1\n", "2\n"]);
    at.kept.clear();
    expect(await refusalOf(planOf(at.tool(), at.args, at.ctx))).toEqual({
      code: "NOT_FOUND",
      message: "the bytes of a.txt around call c1 are no longer kept, so it cannot be taken back",
    });
  });

  test("of a folder that leads elsewhere by now, in the plan already", async () => {
    const at = await left(["sub/a.txt", "1\n", "2\n"]);
    await rename(at.path("sub"), at.path("moved"));
    await symlink(at.path("moved"), at.path("sub"));
    expect(await refusalOf(planOf(at.tool(), at.args, at.ctx))).toMatchObject({ code: "STALE" });
    await rm(at.path("sub"));
    await symlink("/tmp", at.path("sub"));
    expect(await refusalOf(planOf(at.tool(), at.args, at.ctx))).toMatchObject({ code: "OUTSIDE_WORKSPACE" });
  });
});

describe("at apply", () => {
  test("a file that is not as planned stops it before anything is done", async () => {
    const at = await left(["a.txt", "1\n", "2\n"], ["b.txt", "1\n-\n-\n", "2\n-\n-\n"]);
    const plan = await planOf(at.tool(), at.args, at.ctx);
    await at.put("b.txt", "2\n-\nmine\n");
    const result = await run(at.tool(), at.args, { ...at.ctx, plan });
    expect(result).toMatchObject({ metadata: { code: "STALE", drifted: true } });
    expect((await at.read("a.txt")).toString()).toBe("2\n");
  });

  test("a save in the last instant is not lost, and what was done before it is told", async () => {
    const at = await left(["a.txt", "1\n", "2\n"], ["b.txt", null, "new\n"]);
    let files = 0;
    const beforeRename = async () => {
      files += 1;
      if (files === 2) await at.put("b.txt", "mine\n");
    };
    const result = await run(at.tool({ beforeRename }), at.args, at.ctx);
    expect(result.error).toBe(
      "b.txt was saved by another program at the same moment: its content was kept; only these were taken back: a.txt",
    );
    expect(result.metadata).toMatchObject({ code: "STALE", raced: true });
    expect((await at.read("a.txt")).toString()).toBe("1\n");
    expect((await at.read("b.txt")).toString()).toBe("mine\n");
    expect(await leftovers(at.workspace)).toEqual([]);
  });

  test("a save after the first file stops it, and what was done is named with its plan", async () => {
    const at = await left(["a.txt", "1\n", "2\n"], ["b.txt", "1\n", "2\n"]);
    const plan = await planOf(at.tool(), at.args, at.ctx);
    const beforeRename = () => at.put("b.txt", "mine\n");
    const result = await run(at.tool({ beforeRename }), at.args, { ...at.ctx, plan });
    expect(result.metadata).toEqual({ code: "STALE", filesDone: plan.files?.slice(0, 1) });
    expect((await at.read("a.txt")).toString()).toBe("1\n");
    expect((await at.read("b.txt")).toString()).toBe("mine\n");
  });

  test("a file that was removed comes back with its folder and its mode", async () => {
    const at = await left(["deep/er/a.sh", "#!/bin/sh\n", null]);
    await rm(at.path("deep"), { recursive: true, force: true });
    const result = await run(at.tool(), at.args, at.ctx);
    expect(result.title).toBe("took back call c1: deep/er/a.sh (+1 -0)");
    expect((await at.read("deep/er/a.sh")).toString()).toBe("#!/bin/sh\n");
    expect((await stat(at.path("deep/er/a.sh"))).mode & 0o777).toBe(0o640);
  });
});
