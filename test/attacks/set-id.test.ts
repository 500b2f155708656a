import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy } from "../../src/policy/types.ts";
import { createEditFileTool } from "../../src/tools/files/edit-file.ts";
import { createWriteFileTool } from "../../src/tools/files/write-file.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { calls, openStage, says } from "../support/play.ts";
import { approveAll, changed, undo, write } from "../support/undone.ts";
import { tempTree } from "../tools/temp-tree.ts";

const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
const modeOf = (path: string): number => statSync(path).mode & 0o7777;

const uses: [name: string, tool: ReturnType<typeof createWriteFileTool>, args: JsonObject][] = [
  ["a whole write", createWriteFileTool(), { file_path: "tool", content: "new\n" }],
  ["an edit", createEditFileTool(), { file_path: "tool", old_string: "old", new_string: "new" }],
];

describe("a file that runs as its owner or its group", () => {
  test.each(uses)("loses that by %s, which its plan says and an approval binds", async (_, tool, args) => {
    for (const mode of [0o4755, 0o2755, 0o6711, 0o2644]) {
      const workspace = tempTree({ tool: "old\n" });
      const path = join(workspace, "tool");
      chmodSync(path, mode);
      const made = await prepareCall(tool, args, createToolContext({ workspace }), policy);
      if (made.kind !== "ready") throw new Error(made.kind);
      expect(made.plan.files?.[0]?.mode).toBe(mode & 0o777);
      expect(made.plan.warnings?.join()).toContain("setuid, setgid");
      expect(await made.run(new AbortController().signal)).toMatchObject({ kind: "done" });
      expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new\n", mode & 0o777]);
    }
  });

  test("loses it too where it came to be so after it was planned; other bits that come drift", async () => {
    for (const [mode, wanted, after] of [
      [0o4644, "done", 0o644],
      [0o755, "drifted", 0o755],
    ] as const) {
      const workspace = tempTree({ tool: "old\n" });
      const path = join(workspace, "tool");
      chmodSync(path, 0o644);
      const made = await prepareCall(createWriteFileTool(), uses[0]?.[2], createToolContext({ workspace }), policy);
      if (made.kind !== "ready") throw new Error(made.kind);
      chmodSync(path, mode);
      expect((await made.run(new AbortController().signal)).kind).toBe(wanted);
      expect(modeOf(path)).toBe(after);
    }
  });

  test("keeps the bits that say who may read, write and run it, and the sticky one", async () => {
    for (const mode of [0o755, 0o640, 0o1755, 0o600]) {
      const workspace = tempTree({ tool: "old\n" });
      chmodSync(join(workspace, "tool"), mode);
      const made = await prepareCall(createWriteFileTool(), uses[0]?.[2], createToolContext({ workspace }), policy);
      if (made.kind !== "ready") throw new Error(made.kind);
      expect(made.plan.warnings ?? []).toEqual([]);
      await made.run(new AbortController().signal);
      expect(modeOf(join(workspace, "tool"))).toBe(mode);
    }
  });

  test("does not get it back by an undo", async () => {
    const stage = await openStage({ lines: [calls(write("tool", "new\n")), says("done")], files: { tool: "old\n" } });
    const life = await changed(stage);
    chmodSync(stage.path("tool"), 0o4755);
    await undo(life);
    const [call] = life.last("approval_requested").calls;
    expect(call?.plan.warnings?.join()).toContain("setuid, setgid");
    await approveAll(life);
    expect([stage.text("tool"), modeOf(stage.path("tool"))]).toEqual(["old\n", 0o755]);
    await life.close();
  });
});
