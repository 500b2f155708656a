import { realpathSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { NotBegun } from "../../../src/core/outcome.ts";
import { ToolProcess } from "../../../src/tools/own/tool-process.ts";
import { tempTree } from "../temp-tree.ts";

it("a tool that is stopped while its process is noted was asked for nothing", async () => {
  const process = new ToolProcess({
    ...{ workspace: realpathSync(tempTree()), env: {}, settings: {} },
    bytes: { files: {}, open: [], closed: [] },
  });
  onTestFinished(() => process.close());
  const stop = new AbortController();
  const asked = process.ask(
    { do: "release", tool: { file: "/none", index: 0 }, callId: "c1" },
    { signal: stop.signal, starting: async () => stop.abort(new Error("left")) },
  );
  await expect(asked).rejects.toBeInstanceOf(NotBegun);
});
