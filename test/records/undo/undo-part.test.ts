import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CallOf } from "../../../src/core/call.ts";
import { sha256 } from "../../../src/core/json.ts";
import { EffectStopped } from "../../../src/core/outcome.ts";
import type { FilePlan, Tool } from "../../../src/core/tool.ts";
import { sessionDiff } from "../../../src/records/session-diff.ts";
import { begins, succeeds } from "../../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../../support/play.ts";
import { approveAll, diffOf, edit, openRepeatable, undo, undoUntil } from "../../support/undone.ts";

/** A session whose undo of two files died after the first, gone on with. @param then what the files became meanwhile */
async function halfDone(then: Record<string, string> = {}): Promise<{ stage: Stage; next: Life }> {
  const repeatable = await openRepeatable();
  const { stage, id } = repeatable;
  const database = await repeatable.again();
  const { life: dead } = await undoUntil(repeatable, database, begins);
  expect(dead.call("c3").status).toBe("executing");
  await dead.close();
  for (const [file, text] of Object.entries({ "a.txt": "1\n", ...then })) await stage.put(file, text);
  return { stage, next: await stage.resume(id, { takeOver: true, database }) };
}

describe("an undo whose process dies between two files", () => {
  it("has another plan for the rest, which is asked about anew", async () => {
    const { stage, next } = await halfDone();
    const [asked] = next.last("approval_requested").calls;
    expect(asked).toMatchObject({
      plan: { summary: "take back calls c1, c2: remove b.txt (+0 -1)", files: [{ kind: "delete" }] },
      changed: { why: "part of it was done before its process ended" },
    });
    expect(existsSync(stage.path("b.txt"))).toBe(true);
    await approveAll(next);
    expect(existsSync(stage.path("b.txt"))).toBe(false);
    expect(next.call("c3")).toMatchObject({ status: "success", attempt: 2 });
  });

  it("is told after a no to the rest as partly done, and what was done counts", async () => {
    const { stage, next } = await halfDone();
    expect(diffOf(stage, next)).not.toContain("a.txt");
    await next.session.answer({ session: next.session.id, call: "c3" }, { decision: "deny", reason: "enough" });
    await next.session.settled();
    expect(next.call("c3")).toMatchObject({
      status: "cancelled",
      by: { actor: "person" },
      ended: { why: "denied", files: ["a.txt"] },
      reason: "enough",
    });
    expect(diffOf(stage, next)).toContain("b.txt");
    expect(diffOf(stage, next)).not.toContain("a.txt");
    await next.session.submit("go on");
    await next.session.settled();
    expect(stage.observation()).toBe("Partly done: a.txt was put back; the rest was not: denied by the person: enough");
    await undo(next, { calls: ["c3"] });
    await approveAll(next);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["2\n", "new\n"]);
    expect(diffOf(stage, next)).toContain("-1\n+2");
  });

  it("is told the same after a new message instead of an answer", async () => {
    const { stage, next } = await halfDone();
    await next.session.submit("something else");
    await next.session.settled();
    expect(stage.observation()).toMatch(/^Partly done: a\.txt was put back; the rest was not: the person sent a new/);
  });

  it("forgets neither file after a yes to the rest: both are in the diff and can be taken back", async () => {
    const { stage, next } = await halfDone();
    await approveAll(next);
    expect(next.call("c3")).toMatchObject({ status: "success" });
    expect(diffOf(stage, next)).toBe("");
    await next.session.submit("go on");
    await next.session.settled();
    expect(stage.observation()).toMatch(/Before that, a\.txt was put back\.$/);
    await undo(next, { calls: ["c3"] });
    expect(next.last("approval_requested").calls[0]?.plan.files).toHaveLength(2);
    await approveAll(next);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["2\n", "new\n"]);
  });

  it("and another program saves the second: what was put back counts, the rest is not known", async () => {
    const { stage, next } = await halfDone({ "b.txt": "mine\n" });
    expect(await next.session.recover({ session: next.session.id, call: "c3" }, "cancel")).toEqual({ ok: true });
    await next.session.settled();
    expect(next.call("c3")).toMatchObject({
      status: "cancelled",
      by: { actor: "person" },
      ended: { why: "given_up", unknown: true, note: expect.stringMatching(/^its process ended/), files: ["a.txt"] },
    });
    expect(diffOf(stage, next)).not.toContain("a.txt");
  });
});

it("an undo whose process dies after its last file is told of all of them, and each is read again before it is edited", async () => {
  const repeatable = await openRepeatable([calls(edit("1", "3")), says("Well.")]);
  const { stage, id } = repeatable;
  const database = await repeatable.again();
  const { life: dead } = await undoUntil(repeatable, database, succeeds, "before");
  expect([dead.call("c3").status, stage.text("a.txt"), existsSync(stage.path("b.txt"))]).toEqual([
    "executing",
    "1\n",
    false,
  ]);
  await dead.close();
  const next = await stage.resume(id, { takeOver: true, database });
  const call = next.call("c3");
  expect(call).toMatchObject({ status: "success", attempt: 1, by: { actor: "recovery", rule: "evidence" } });
  const { title, metadata } = (call as CallOf<"success">).result;
  expect(title).toBe("take back calls c1, c2: 2 files (+1 -2): a.txt, b.txt");
  expect(metadata).toEqual({
    diff: expect.stringMatching(/-2\n\+1\n.*b\.txt.*-new/s) as unknown,
    changes: {
      changes: [expect.objectContaining({ name: "a.txt" }), expect.objectContaining({ name: "b.txt" })],
      left: 0,
    },
    added: 1,
    removed: 2,
  });
  await next.session.submit("go on");
  await next.session.settled();
  expect(stage.observation(1)).toBe(
    "Done: the bytes on disk are those that were approved (seen after an interruption). a.txt, b.txt were put back. " +
      "Read these files again before you change them.",
  );
  expect(next.call("c4")).toMatchObject({ status: "error", errorCode: "STALE" });
});

describe("a call that stops between two files", () => {
  const fileOf = (stage: Stage, file: string) =>
    ({
      asked: file,
      real: stage.path(file),
      kind: "modify",
      before: sha256("1\n"),
      after: sha256("2\n"),
      mode: 0o644,
      eol: "lf",
      bom: false,
      encoding: "utf-8" as const,
      added: 1,
      removed: 1,
      hunks: [],
    }) satisfies FilePlan;

  /** A tool that puts "2" into both files, in this way. */
  function bothBy(run: (files: FilePlan[]) => void): { tool: Tool; on(stage: Stage): void } {
    let files: FilePlan[] = [];
    const both = (): string => {
      run(files);
      return "both";
    };
    const tool = toolOf("two", both, {
      effect: "file",
      plan: async (_, ctx) => {
        for (const { real } of files)
          ctx.overlay?.write(real, { before: Buffer.from("1\n"), after: Buffer.from("2\n") });
        return { summary: "two files", cwd: ctx.cwd, files };
      },
    });
    const on = (stage: Stage): void => {
      files = [fileOf(stage, "a.txt"), fileOf(stage, "b.txt")];
    };
    return { tool, on };
  }

  it("is an error, and what it changed before that is in the diff and can be taken back", async () => {
    const { tool, on } = bothBy(([first, ...rest]) => {
      writeFileSync(first?.real ?? "", "2\n");
      throw new EffectStopped("failed", "b.txt was saved", { changed: first === undefined ? rest : [first] });
    });
    const stage = await openStage({
      files: { "a.txt": "1\n", "b.txt": "1\n" },
      tools: [tool],
      mode: "full-auto",
      lines: [calls(["two", {}]), says("Done.")],
    });
    on(stage);
    const life = await stage.begin("go");
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "STALE", errorMsg: "b.txt was saved" });
    expect(
      sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace).map(({ path }) => path),
    ).toEqual(["a.txt"]);
    expect(diffOf(stage, life)).toContain("-1\n+2");
    await undo(life, { calls: ["c1"] });
    expect(life.call("c2")).toMatchObject({ status: "success" });
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["1\n", "1\n"]);
    expect(diffOf(stage, life)).toBe("");
  });

  it("after the last of them is done, tells of both, and leaves both known to whoever goes on with the session", async () => {
    const { tool, on } = bothBy((files) => {
      for (const { real } of files) writeFileSync(real, "2\n");
      throw new Error("the lamp went out");
    });
    const lines = [
      calls(["read_file", { file_path: "a.txt" }], ["read_file", { file_path: "b.txt" }]),
      calls(["two", {}]),
      says("Done."),
      calls(edit("2", "3", "a.txt"), edit("2", "3", "b.txt")),
      says("Well."),
    ];
    const files = { "a.txt": "1\n", "b.txt": "1\n" };
    const stage = await openStage({ files, tools: [tool], mode: "full-auto", lines });
    on(stage);
    const life = await stage.begin("go");
    expect(life.call("c3")).toMatchObject({
      status: "success",
      result: {
        output:
          "Done: the bytes on disk are those that were approved (seen after an interruption). a.txt, b.txt were changed.\n" +
          "But: the lamp went out",
        metadata: { files: ["a.txt", "b.txt"].map((name) => ({ path: stage.path(name), sha: sha256("2\n") })) },
      },
    });
    await life.close();
    const next = await stage.resume(life.session.id);
    await next.session.submit("edit both");
    await next.session.settled();
    expect(["c4", "c5"].map((id) => next.call(id).status)).toEqual(["success", "success"]);
  });
});
