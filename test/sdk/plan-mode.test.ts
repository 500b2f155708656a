import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAgent, refOf } from "../../src/index.ts";
import { calls, says } from "../support/play.ts";
import { scripted } from "../support/thread-place.ts";

it("has createAgent plan, and goes on in the mode that the answer names; a resumed session plans while its plan waits", async () => {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "holdfast-sdk-")));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await writeFile(join(workspace, "a.txt"), "one\n");
  const lines = [
    calls(["present_plan", { plan: "Make it two.", goals: ["make it"] }]),
    calls(["edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }]),
    says("Done."),
  ];
  const model = scripted(lines, []);
  const agent = createAgent({ workspace, model });
  onTestFinished(() => agent.close());
  const session = agent.start({ mode: "plan" });
  await session.submit("mend it");
  await session.settled();
  expect(session.mode).toBe("plan");
  await session.close();
  const again = await agent.resume(session.id);
  expect(again.mode).toBe("plan");
  await again.proceed();
  for await (const event of again.events()) {
    if (event.type !== "approval_requested") continue;
    const [call] = event.calls;
    if (call === undefined) throw new Error("nothing waits");
    expect(call.arguments).toEqual({ plan: "Make it two.", goals: ["make it"] });
    const outcome = await again.answer(refOf(call), { decision: "approve", digest: call.digest, mode: "accept-edits" });
    expect(outcome).toEqual({ ok: true, mode: "accept-edits" });
    break;
  }
  await again.settled();
  expect([again.mode, await readFile(join(workspace, "a.txt"), "utf8")]).toEqual(["accept-edits", "two\n"]);
});
