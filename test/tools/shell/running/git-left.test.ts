import { execFileSync } from "node:child_process";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NotBegun } from "../../../../src/core/outcome.ts";
import { createToolContext } from "../../../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../../../support/needs.ts";
import { shellStage } from "../../../support/shell-stage.ts";
import { tempTree } from "../../temp-tree.ts";

const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];

/** Stopped as soon as so many processes have begun that listen to it; `begun` says how many did. */
function stopsAt(last: number) {
  const stop = new AbortController();
  const { signal } = stop;
  const listen = signal.addEventListener.bind(signal);
  let begun = 0;
  signal.addEventListener = (...given: Parameters<typeof listen>) => {
    listen(...given);
    begun += 1;
    if (begun === last) setImmediate(() => stop.abort(new Error("left")));
  };
  return { signal, begun: () => begun };
}

describeInSandbox("a command that shows what git keeps (needs bubblewrap)", () => {
  test("is not begun where it is stopped while git is asked once more what it would show", async () => {
    const workspace = realpathSync(tempTree());
    writeFileSync(join(workspace, "a.txt"), "one\n");
    for (const words of [
      ["init", "-q"],
      ["add", "a.txt"],
      [...identity, "commit", "-qm", "one"],
    ])
      execFileSync("git", words, { cwd: workspace });
    const command = "git show HEAD";
    const { tool, plan } = await shellStage(workspace, {
      ...{ rules: [], grants: [], mode: "ask", sealed: { roots: [] } },
    }).ready(command);
    expect(plan.commands).toMatchObject([{ objects: { count: 1 } }]);
    const runs = (signal: AbortSignal) => tool.execute({ command }, createToolContext({ workspace, plan, signal }));
    const whole = stopsAt(Number.POSITIVE_INFINITY);
    await runs(whole.signal);
    // The last one is the command itself.
    const looks = whole.begun() - 1;
    expect(looks).toBeGreaterThan(0);
    for (let look = 1; look <= looks; look += 1)
      await expect(runs(stopsAt(look).signal), `look ${look} of ${looks}`).rejects.toBeInstanceOf(NotBegun);
  });
});
