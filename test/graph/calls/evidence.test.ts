import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolRefusal } from "../../../src/core/codes.ts";
import type { FilePlan, Plan, Tool, ToolContext } from "../../../src/core/tool.ts";
import { evidenceOf } from "../../../src/graph/calls/evidence.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { calls, type Line, openStage, says } from "../../support/play.ts";
import { filePlan, shaOf } from "./file-plans.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A plan for one file; what lies there now is put there first, null for nothing. */
function file(name: string, now: string | null, before: string | null, after: string | null): FilePlan {
  const real = join(folder, name);
  if (now !== null) writeFileSync(real, now);
  return filePlan(name, real, before, after);
}

const planOf = (...files: FilePlan[]): Plan => ({ summary: "change", cwd: folder, files });
const neither = "the file on disk is neither as it was before nor as it was approved";

describe("what the bytes say of one file", () => {
  it.each([
    ["as approved", "new", "old", "new", { kind: "done" }],
    ["as before", "old", "old", "new", { kind: "not_done" }],
    ["there now", "new", null, "new", { kind: "done" }],
    ["not there yet", null, null, "new", { kind: "not_done" }],
    ["gone as approved", null, "old", null, { kind: "done" }],
    ["something else", "mine", "old", "new", { kind: "unclear", why: neither, done: [] }],
    ["gone though it was to change", null, "old", "new", { kind: "unclear", why: neither, done: [] }],
  ] as const)("%s", async (_name, now, before, after, expected) => {
    expect(await evidenceOf(planOf(file("a", now, before, after)))).toEqual(expected);
  });

  it("nothing where no file is named", async () => {
    const nothing = { kind: "unclear", why: "its plan names no file", done: [] };
    expect(await evidenceOf(undefined)).toEqual(nothing);
    expect(await evidenceOf(planOf())).toEqual(nothing);
  });

  it("that its folder is gone is no trouble of its own", async () => {
    const plan = planOf(file("a", null, null, "new"));
    rmSync(folder, { recursive: true });
    expect(await evidenceOf(plan)).toEqual({ kind: "not_done" });
  });
});

describe("what the bytes say of several files", () => {
  it("names those that are as approved, but none that did not change", async () => {
    const [first, second] = [file("a", "new", "old", "new"), file("b", "old", "old", "new")];
    const same = file("c", "same", "same", "same");
    expect(await evidenceOf(planOf(first, second, same))).toEqual({ kind: "partly", done: [first] });
    const other = file("d", "mine", "old", "new");
    expect(await evidenceOf(planOf(first, other))).toEqual({ kind: "unclear", why: neither, done: [first] });
    expect(await evidenceOf(planOf(second, other))).toEqual({ kind: "unclear", why: neither, done: [] });
  });

  it("done only where all are, not done only where none is", async () => {
    const both = (now: string) => planOf(file("a", now, "old", "new"), file("b", now, "old", "new"));
    expect(await evidenceOf(both("new"))).toEqual({ kind: "done" });
    expect(await evidenceOf(both("old"))).toEqual({ kind: "not_done" });
  });
});

it("bytes that somebody saved in the last instant are kept, and told, whatever else lies there", async () => {
  const plan = planOf(file("a", "new", "old", "new"), file("b", "old", "old", "new"));
  const [first] = plan.files ?? [];
  const aside = join(folder, `.holdfast-2147483646-0123456789abcdef.${shaOf("old")}.old`);
  writeFileSync(aside, "their save");
  const second = join(folder, `.holdfast-2147483645-0123456789abcdef.${shaOf("old")}.old`);
  writeFileSync(second, "another save");
  const one = { kind: "unclear", why: expect.stringContaining(aside) as unknown, done: [] };
  expect(await evidenceOf({ ...plan, files: plan.files?.slice(0, 1) ?? [] })).toEqual(one);
  const evidence = await evidenceOf(plan);
  expect(evidence).toMatchObject({ kind: "unclear", done: [first] });
  const why = "why" in evidence ? evidence.why : "";
  expect([aside, second].map((path) => why.includes(path))).toEqual([true, true]);
  expect(why).toMatch(/^what another program saved is kept in \S+, \S+$/);
});

describe("a tool that failed in a way it did not foresee", () => {
  const write = calls(["put", { file_path: "b.txt", content: "new\n" }]);
  const lamp = new Error("the lamp went out");

  /** write_file under another name, which does this in the place of its effect and then breaks. */
  async function breakWriting(
    instead: (real: () => Promise<unknown>, at: string) => Promise<unknown>,
    { error = lamp, lines = [write, says("Well.")] }: { error?: Error; lines?: Line[] } = {},
  ) {
    const tool = createWriteFileTool();
    const at = { path: "" };
    const put: Tool = {
      ...tool,
      name: "put",
      execute: async (args: unknown, ctx: ToolContext) => {
        await instead(() => Promise.resolve(tool.execute(args, ctx)), at.path);
        throw error;
      },
    };
    const stage = await openStage({ tools: [put], lines, files: { "b.txt": "old\n" }, mode: "accept-edits" });
    at.path = stage.path("b.txt");
    const life = await stage.begin("write");
    return { stage, life };
  }

  it("is done where the bytes are those approved, and the trouble is told", async () => {
    const { stage, life } = await breakWriting((real) => real());
    expect(life.call("c1")).toMatchObject({
      status: "success",
      by: { actor: "recovery", rule: "evidence" },
      result: { metadata: { path: stage.path("b.txt"), sha: shaOf("new\n") } },
    });
    expect(stage.observation()).toContain("the lamp went out");
    expect(life.of("recovery_requested")).toEqual([]);
  });

  it("leaves bytes that the session knows, as after a write of its own", async () => {
    const lines = [
      calls(["read_file", { file_path: "b.txt" }]),
      write,
      calls(["edit_file", { file_path: "b.txt", old_string: "new", new_string: "newer" }]),
      says("Well."),
    ];
    const { stage, life } = await breakWriting(async (_, path) => writeFileSync(path, "new\n"), { lines });
    expect(["c1", "c2", "c3"].map((id) => life.call(id).status)).toEqual(["success", "success", "success"]);
    expect(stage.text("b.txt")).toBe("newer\n");
  });

  it("is an error where nothing happened", async () => {
    const { stage, life } = await breakWriting(async () => undefined);
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "FAILED" });
    expect(stage.text("b.txt")).toBe("old\n");
    expect(life.last("turn_ended").reason).toBe("done");
  });

  it("is the person's to settle where the bytes are neither, with what went wrong, whatever they are later", async () => {
    const { stage, life } = await breakWriting(async (_, path) => writeFileSync(path, "half"));
    const note = "it failed while it ran: the lamp went out";
    expect(life.call("c1")).toMatchObject({ status: "interrupted", ended: { why: "unclear", note } });
    expect(life.last("recovery_requested").calls).toMatchObject([{ callId: "c1" }]);
    await stage.put("b.txt", "old\n");
    await life.session.submit("never mind");
    await life.session.settled();
    expect(life.call("c1")).toMatchObject({
      status: "cancelled",
      attempt: 1,
      ended: { why: "superseded", unknown: true, note },
    });
  });

  it("because its device failed is judged by the bytes too, and is an error where they cannot be read", async () => {
    const error = new ToolRefusal("EIO", "b.txt failed with an input/output error of the device");
    const { life: done } = await breakWriting((real) => real(), { error });
    expect(done.call("c1")).toMatchObject({ status: "success", by: { actor: "recovery", rule: "evidence" } });
    const unreadable = async (_: unknown, path: string) => {
      rmSync(path);
      mkdirSync(path);
    };
    const { life } = await breakWriting(unreadable, { error });
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "EIO", errorMsg: error.message });
    expect(life.of("recovery_requested")).toEqual([]);
  });
});
