import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { heldSpeech } from "../support/held-speech.ts";
import { calls, openStage, says } from "../support/play.ts";

test("a command line of the person runs unasked as theirs, and the model reads of it with the next message", async () => {
  const stage = await openStage({ lines: [says("Hello."), says("I see.")] });
  const life = await stage.begin("hi");
  expect(await life.session.runCommand("echo mine | tee mine.txt; exit 3")).toEqual({ ok: true });
  await life.session.settled();
  expect(stage.text("mine.txt")).toBe("mine\n");
  expect(life.call("c1")).toMatchObject({
    toolName: "run_command",
    status: "success",
    by: { actor: "person" },
    result: { output: "mine\n(exit code 3)", metadata: { exitCode: 3 } },
  });
  expect(life.of("approval_requested")).toEqual([]);
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0 });
  expect(stage.requests).toHaveLength(1);
  await life.session.submit("and now?");
  await life.session.settled();
  expect(stage.observation()).toBe("mine\n(exit code 3)");
  expect(stage.requests.at(-1)?.messages.map((message) => message.content)).toContain(
    "!echo mine | tee mine.txt; exit 3",
  );
  expect(stage.requests.at(-1)?.tools.map(({ name }) => name)).not.toContain("run_command");
});

test("what policy denies is not run for them either", async () => {
  const stage = await openStage({ lines: [says("Hello.")] });
  const life = await stage.begin("hi", { mode: "read-only" });
  await life.session.runCommand("touch ran");
  await life.session.settled();
  expect(life.call("c1")).toMatchObject({ status: "cancelled", ended: { why: "policy" } });
  expect(existsSync(stage.path("ran"))).toBe(false);
});

test("while the agent works it waits for nobody: it is refused, and says so", async () => {
  const stage = await openStage({ lines: [{ text: "slow", delayMs: 600_000, chunks: 3 }] });
  const life = await stage.begin("hi", { running: true });
  await life.until(({ type }) => type === "text_delta");
  expect(await life.session.runCommand("true")).toEqual({
    ok: false,
    message: "the agent is working: stop it, or wait",
  });
  await life.session.stop();
});

test("it does not come before a message that waits: that is gone on with first", async () => {
  const { wrapModel, goOn } = heldSpeech();
  const stage = await openStage({ lines: [says("Hello."), says("Second.")], wrapModel });
  const first = await stage.begin("hi", { running: true });
  await first.until(({ type }) => type === "text_delta");
  await first.session.submit("second");
  const closed = first.close();
  goOn();
  await closed;
  const life = await stage.resume(first.session.id, { still: true });
  expect(await life.session.runCommand("touch ran")).toEqual({
    ok: false,
    message: "your last message has not been answered yet: continue the session first",
  });
  expect(life.journal().turns()).toMatchObject([{ text: "hi" }, { text: "second", state: "queued" }]);
});

test("ending a job is a turn of one call of the person's, not asked about; the model reads of it with the next message", async () => {
  const stage = await openStage({
    lines: [calls(["shell", { command: "echo up; sleep 600", background: true }]), says("Serving."), says("I see.")],
    mode: "full-auto",
  });
  const life = await stage.begin("serve", { mode: "full-auto" });
  life.session.setMode("ask");
  expect(await life.session.stopJob({ session: life.session.id, call: "c1" })).toEqual({ ok: true });
  await life.session.settled();
  expect(life.call("c2")).toMatchObject({
    toolName: "stop_job",
    status: "success",
    result: { output: expect.stringMatching(/up\n\(stopped, /), metadata: { job: "c1" } },
  });
  expect(life.of("approval_requested")).toEqual([]);
  expect(life.journal().outputOf("c1")?.job).toBe("ended");
  await life.session.submit("and now?");
  await life.session.settled();
  expect(stage.observation()).toMatch(/\(stopped, /);
  expect(stage.requests.at(-1)?.tools.map(({ name }) => name)).not.toContain("stop_job");
});

test("what is no job, or one of another session, is not ended, and says so", async () => {
  const stage = await openStage({ lines: [says("Hello.")] });
  const life = await stage.begin("hi");
  expect(await life.session.stopJob({ session: "other-one-1", call: "c1" })).toEqual({
    ok: false,
    message: `other-one-1:c1 is no job of session ${life.session.id}, which is the one that is driven here`,
  });
  expect(await life.session.stopJob({ session: life.session.id, call: "c9" })).toEqual({ ok: true });
  await life.session.settled();
  expect(life.call("c1")).toMatchObject({ toolName: "stop_job", status: "error", errorCode: "NOT_FOUND" });
});
