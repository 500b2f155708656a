import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import type { FilePlan, Plan, Tool, ToolContext } from "../../../src/core/tool.ts";
import { evidenceOf } from "../../../src/graph/calls/evidence.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { calls, openStage, says } from "../../support/play.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const shaOf = (text: string | null) => (text === null ? null : sha256(Buffer.from(text)));

/** A plan for one file; what lies there now is put there first, null for nothing. */
function file(name: string, now: string | null, before: string | null, after: string | null): FilePlan {
  const real = join(folder, name);
  if (now !== null) writeFileSync(real, now);
  return {
    ...{ asked: name, real, before: shaOf(before), after: shaOf(after), added: 1, removed: 1, hunks: [] },
    ...{ kind: before === null ? "new" : after === null ? "delete" : "modify" },
    ...{ mode: 0o644, eol: "lf", bom: false, encoding: "utf-8" },
  } as FilePlan;
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
  const evidence = await evidenceOf(plan);
  expect(evidence).toMatchObject({ kind: "unclear", done: [first] });
  const why = "why" in evidence ? evidence.why : "";
  expect([aside, second].map((path) => why.includes(path))).toEqual([true, true]);
  expect(why).toMatch(/^what another program saved is kept in \S+, \S+$/);
});

describe("a tool that failed in a way it did not foresee", () => {
  const write = calls(["put", { file_path: "b.txt", content: "new\n" }]);

  /** write_file under another name, which does this in the place of its effect and then breaks. */
  async function breakWriting(instead: (real: () => Promise<unknown>, at: string) => Promise<unknown>) {
    const tool = createWriteFileTool();
    const at = { path: "" };
    const put: Tool = {
      ...tool,
      name: "put",
      execute: async (args: unknown, ctx: ToolContext) => {
        await instead(() => Promise.resolve(tool.execute(args, ctx)), at.path);
        throw new Error("the lamp went out");
      },
    };
    const stage = await openStage({ tools: [put], lines: [write, says("Well.")], files: { "b.txt": "old\n" } });
    at.path = stage.path("b.txt");
    const life = await stage.begin("write");
    await life.session.answer("c1", { decision: "approve" });
    await life.session.settled();
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

  it("is an error where nothing happened", async () => {
    const { stage, life } = await breakWriting(async () => undefined);
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "FAILED" });
    expect(stage.text("b.txt")).toBe("old\n");
    expect(life.last("turn_ended").reason).toBe("done");
  });

  it("is the person's to settle where the bytes are neither, with what went wrong", async () => {
    const { life } = await breakWriting(async (_, path) => writeFileSync(path, "half"));
    expect(life.call("c1")).toMatchObject({
      status: "interrupted",
      ended: { why: "unclear", note: "it failed while it ran: the lamp went out" },
    });
    expect(life.last("recovery_requested").calls).toMatchObject([{ callId: "c1" }]);
  });
});
