import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Tool } from "../../src/core/tool.ts";
import { createEditFileTool } from "../../src/tools/files/edit-file.ts";
import { calls, openStage, says } from "../support/play.ts";

const change = calls(["change", { file_path: "a.txt", old_string: "1", new_string: "2" }]);

/** edit_file under another name, with something that happens at its first instants of `plan` or `execute`. */
function editing(at: { plan?: () => void; execute?: () => void }, more: Partial<Tool> = {}): Tool {
  const edit = createEditFileTool();
  return {
    ...edit,
    ...more,
    name: "change",
    plan: async (args, ctx) => {
      const plan = await edit.plan?.(args, ctx);
      if (plan === undefined) throw new Error("edit_file has no plan");
      at.plan?.();
      return plan;
    },
    execute: (args, ctx) => {
      at.execute?.();
      return edit.execute(args, ctx);
    },
  };
}

it("asks again when the file changes between the approval and the start", async () => {
  const file = { path: "" };
  let plans = 0;
  const tool = editing({
    plan: () => {
      plans += 1;
    },
  });
  const stage = await openStage({ files: { "a.txt": "1\n" }, tools: [tool], lines: [change, says("Done.")] });
  file.path = stage.path("a.txt");
  const life = await stage.begin("change");
  const [asked] = life.last("approval_requested").calls;
  writeFileSync(file.path, "mine 1\n");
  expect(
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: asked?.digest ?? "" },
    ),
  ).toEqual({ ok: true });
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("mine 1\n");
  const [again] = life.last("approval_requested").calls;
  expect(again?.changed).toMatchObject({ from: asked?.digest, to: again?.digest, before: asked?.plan });
  expect(life.call("c1")).toMatchObject({ status: "awaiting_approval", attempt: 1 });
  await life.session.answer(
    { session: life.session.id, call: "c1" },
    { decision: "approve", digest: again?.digest ?? "" },
  );
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("mine 2\n");
  expect(plans, "once as asked, once as asked again").toBe(2);
});

it("asks again when the file changes in the last instant before the effect, and spends no approval on it", async () => {
  const file = { path: "", drifts: 1 };
  const tool = editing({
    execute: () => {
      if (file.drifts-- > 0) writeFileSync(file.path, "mine 1\n");
    },
  });
  const stage = await openStage({ files: { "a.txt": "1\n" }, tools: [tool], lines: [change, says("Done.")] });
  file.path = stage.path("a.txt");
  const life = await stage.begin("change");
  const [asked] = life.last("approval_requested").calls;
  await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("mine 1\n");
  expect(life.last("approval_requested").calls[0]?.changed?.from).toBe(asked?.digest);
  expect(life.call("c1")).toMatchObject({ status: "awaiting_approval", attempt: 2 });
  await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("mine 2\n");
  expect(life.call("c1")).toMatchObject({ status: "success", attempt: 2 });
});

it("runs by itself again what policy alone allowed, three times at the most", async () => {
  const file = { path: "", drifts: Number.POSITIVE_INFINITY, runs: 0 };
  const tool = editing(
    {
      execute: () => {
        file.runs += 1;
        if (file.drifts-- > 0) writeFileSync(file.path, `mine 1 ${"x".repeat(file.runs)}\n`);
      },
    },
    { risk: "low" },
  );
  const stage = await openStage({
    files: { "a.txt": "1\n", "b.txt": "" },
    tools: [tool],
    lines: [change, change, says("Done.")],
  });
  file.path = stage.path("a.txt");
  const life = await stage.begin("change");
  expect(life.of("approval_requested")).toEqual([]);
  expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "STALE", attempt: 4 });
  expect(file.runs).toBe(8);
  expect(stage.text("a.txt")).toBe("mine 1 xxxxxxxx\n");

  file.drifts = 2;
  const other = await stage.begin("change again");
  expect(other.call("c1")).toMatchObject({ status: "success", attempt: 3 });
  expect(stage.text("a.txt")).toMatch(/^mine 2 /);
});

it("tells the model when what was approved can no longer be done", async () => {
  const stage = await openStage({
    files: { "a.txt": "1\n" },
    lines: [calls(["edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" }]), says("I see.")],
  });
  const life = await stage.begin("change");
  await stage.put("a.txt", "nothing of it is left\n");
  await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
  await life.session.settled();
  expect(stage.text("a.txt")).toBe("nothing of it is left\n");
  expect(stage.observation()).toMatch(/^Error NOT_FOUND: /);
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { error: 1 } });
});
