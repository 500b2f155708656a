import { existsSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { KeptOutputs } from "../../../../src/core/kept-outputs.ts";
import type { ExecuteOptions } from "../../../../src/graph/calls/execute-tool.ts";
import { pidIn, runs } from "../../../process/support.ts";
import { stoppedTime, timeOfTheTest } from "../../../support/time-limit.ts";
import { keptInMemory, shellStage } from "../support.ts";

const server =
  "exec 2>/dev/null; trap 'echo bye; exit 7' TERM; echo up; echo $$ > pid; while :; do sleep 0.05; [ -e ping ] && echo pong && rm ping; done";

/** So many turns of the event loop: what is in a pipe by then has been read. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

test("a job runs on after its call, is read from where one left off, and is stopped by its name", async () => {
  const { run, call, path, outputs } = shellStage();
  const time = stoppedTime();
  const starting = run(server, { background: true });
  while (!existsSync(path("pid"))) await wait(10); // to poll would let time pass
  const looksOn = Promise.race([starting, turns(5).then(() => "looks on")]);
  time.pass(250);
  expect(await looksOn).toBe("looks on");
  time.pass(250);
  const started = await starting;
  time.goOn();
  const pid = await pidIn(path("pid"));
  expect(started).toMatchObject({ metadata: { job: "c1" } });
  expect(started.output).toMatch(
    /^up\n\(runs in the background as c1; shell_output \{"id": "c1", "since": 3\} reads on\)$/,
  );
  expect(outputs.of("c1")?.job).toBe("running");
  await run("touch ping; while [ -e ping ]; do sleep 0.05; done");
  const read = () => call("shell_output", { id: "c1", since: 3 });
  await expect.poll(read).toMatchObject({ output: "pong\n(it runs; go on with since=8)", metadata: { next: 8 } });
  expect(runs(pid)).toBe(true);
  expect(await call("shell_stop", { id: "c1" })).toMatchObject({
    output: "up\npong\nbye\n(stopped, exit code 7)",
    metadata: { job: "c1", exitCode: 7 },
  });
  expect(runs(pid)).toBe(false);
  expect((await call("shell_output", { id: "c1", since: 8 })).output).toBe("bye\n(exit code 7)");
  expect((await call("shell_stop", { id: "c1" })).output).toContain("it had ended before: exit code 7");
  expect(outputs.of("c1")?.job).toBe("ended");
  expect((await call("read_file", { file_path: "call:c1", offset: 3 })).output).toContain("bye\n     4\t(exit code 7)");
});

test("what cannot start is told at once; a job that nobody started is not there", async () => {
  const { run, call } = shellStage();
  stoppedTime(); // it ends before the look
  const { output } = await run("no-such-program", { background: true });
  expect(output).toMatch(/command not found\n\(it has ended already: exit code 127\)$/);
  expect(await call("shell_output", { id: "c9" })).toMatchObject({
    error: 'there is no background job "c9": there are c1',
    metadata: { code: "NOT_FOUND" },
  });
  expect(await call("shell_stop", { id: "1" })).toMatchObject({ metadata: { code: "NOT_FOUND" } });
});

test("jobs end with their session, and their end is kept", async () => {
  const { run, path, tools, outputs } = shellStage();
  await run(server, { background: true });
  const pid = await pidIn(path("pid"));
  for (const tool of tools) await tool.dispose?.();
  expect(runs(pid)).toBe(false);
  expect(Buffer.from(outputs.of("c1")?.bytes ?? []).toString()).toBe(
    "up\nbye\n(ended with its session: exit code 7)\n",
  );
  expect(outputs.all.get("c1")?.job).toBe("lost");
});

test("what had ended by itself, or was stopped before, is not lost with its session", async () => {
  const { run, call, tools, outputs } = shellStage();
  await run("exit 3", { background: true });
  await run(server, { background: true });
  await expect.poll(() => outputs.of("c1")?.job).toBe("ended");
  await call("shell_stop", { id: "c2" });
  for (const tool of tools) await tool.dispose?.();
  expect([outputs.all.get("c1")?.job, outputs.all.get("c2")?.job]).toEqual(["ended", "ended"]);
});

describe("a command that is sent to the background", () => {
  /** Runs until it is sent there; the person wants it once it has told its process. */
  function sent(more: object = {}, given: Partial<ExecuteOptions> = {}, command = server) {
    const stage = shellStage();
    const offers: (() => void)[] = [];
    const mayGoAside = (): Promise<void> => new Promise((resolve) => void offers.push(resolve));
    /** Once it is offered: it may run before. */
    const send = async (): Promise<void> => {
      await expect.poll(() => offers.length).toBeGreaterThan(0);
      offers.shift()?.();
    };
    const ended = stage.run(command, more, { mayGoAside, ...given });
    const pid = (): Promise<number> => pidIn(stage.path("pid"));
    return { ...stage, ended, pid, send };
  }

  test("has no time limit that nobody named, and keeps the one that its call named", async () => {
    const time = timeOfTheTest();
    const [free, bound] = [sent(), sent({ timeout_ms: 60_000 })];
    const pids = [await free.pid(), await bound.pid()] as const;
    for (const one of [free, bound]) {
      await one.send();
      expect((await one.ended).output).toMatch(/^up\n\(the person sent it to the background, where it runs on as c1; /);
    }
    time.pass(61_000);
    await expect.poll(() => runs(pids[1])).toBe(false);
    const over = "stopped at its time limit, exit code 7";
    await expect.poll(() => bound.outputs.all.get("c1")?.job).toEqual({ over });
    time.pass(10 * 60_000);
    expect(runs(pids[0])).toBe(true);
    await free.call("shell_stop", { id: "c1" });
    expect(free.outputs.all.get("c1")?.job).toBe("ended");
  });

  test("stays where it is where that cannot be kept, says so, and may be sent again", async () => {
    const kept = keptInMemory();
    let isFull = true;
    const keep: KeptOutputs["keep"] = (...given) =>
      isFull ? Promise.reject(new Error("the disk is full")) : kept.keep(...given);
    const tips: (string | undefined)[] = [];
    const { ended, pid, send, tools } = sent(
      {},
      { outputs: { ...kept, keep }, progress: ({ tip }) => void tips.push(tip) },
    );
    await pid();
    await send();
    await expect.poll(() => tips.filter((tip) => tip !== undefined)).toHaveLength(1);
    isFull = false;
    await send();
    expect((await ended).output).toContain("the person sent it to the background");
    for (const tool of tools) await tool.dispose?.();
    expect(kept.all.get("c1")?.job).toBe("lost");
  });

  test("that ends while it is kept as a job tells how it ended, whole, and is none", async () => {
    const kept = keptInMemory();
    let go: () => void = () => undefined;
    const mayKeep = new Promise<void>((resolve) => {
      go = resolve;
    });
    const keep: KeptOutputs["keep"] = async (...given) => {
      if (given[2] === "running") await mayKeep;
      await kept.keep(...given);
    };
    const command = "echo $$ > pid; echo half; while [ ! -e done ]; do sleep 0.02; done; echo whole; exit 4";
    const { ended, pid, send, path, call } = sent({}, { outputs: { ...kept, keep } }, command);
    const number = await pid();
    await send();
    writeFileSync(path("done"), "");
    await expect.poll(() => runs(number)).toBe(false);
    await wait(600); // by then its pipes are closed in any case
    go();
    expect(await ended).toMatchObject({ output: "half\nwhole\n(exit code 4)", metadata: { exitCode: 4 } });
    expect(kept.all.get("c1")).toEqual({ bytes: Buffer.from("half\nwhole\n") });
    expect((await call("shell_output", { id: "c1" })).metadata).toMatchObject({ code: "NOT_FOUND" });
  });

  test("that ends while it is kept as a job tells how it ended, where it cannot be taken back that it was kept", async () => {
    const kept = keptInMemory();
    let go: () => void = () => undefined;
    const mayKeep = new Promise<void>((resolve) => {
      go = resolve;
    });
    const keep: KeptOutputs["keep"] = async (...given) => {
      if (given[2] !== "running") throw new Error("the disk is full");
      await mayKeep;
      await kept.keep(...given);
    };
    const command = "echo $$ > pid; echo half; while [ ! -e done ]; do sleep 0.02; done; exit 4";
    const { ended, pid, send, path } = sent({}, { outputs: { ...kept, keep } }, command);
    const number = await pid();
    await send();
    writeFileSync(path("done"), "");
    await expect.poll(() => runs(number)).toBe(false);
    await wait(600); // by then its pipes are closed in any case
    go();
    const { output, metadata } = await ended;
    expect([output, metadata]).toEqual(["half\n(exit code 4)", { exitCode: 4 }]);
  });

  test("is told as ended by recovery, where its call is recovered", async () => {
    const outputs = { ...keptInMemory(), attemptOf: () => 1, isRecovered: () => true };
    const { ended, pid, send } = sent({}, { outputs }, "echo up; echo $$ > pid; sleep 60");
    const number = await pid();
    await send();
    await ended;
    process.kill(-number, "SIGTERM");
    await expect.poll(() => outputs.all.get("c1")?.job).toEqual({ over: "ended by recovery of its call" });
    expect(Buffer.from(outputs.of("c1")?.bytes ?? []).toString()).toBe("up\n(ended by recovery of its call)\n");
  });

  test("is told as what it was where no signal ended it, though its call is recovered", async () => {
    const outputs = { ...keptInMemory(), attemptOf: () => 1, isRecovered: () => true };
    const command = "echo $$ > pid; while [ ! -e done ]; do sleep 0.02; done; exit 4";
    const { ended, pid, send, path } = sent({}, { outputs }, command);
    await pid();
    await send();
    await ended;
    writeFileSync(path("done"), "");
    await expect.poll(() => outputs.all.get("c1")?.job).toEqual({ over: "exit code 4" });
  });

  test("stays where it is where that cannot be kept, and tells its own end", async () => {
    const outputs = { ...keptInMemory(), keep: () => Promise.reject(new Error("the disk is full")) };
    const { ended, pid, send, path, tools } = sent(
      {},
      { outputs },
      `${server.replace("while :", "while [ ! -e done ]")}; exit 4`,
    );
    await pid();
    await send();
    await turns(20);
    writeFileSync(path("done"), "");
    expect(await ended).toMatchObject({ output: "up\n(exit code 4)", metadata: { exitCode: 4 } });
    for (const tool of tools) await tool.dispose?.();
  });

  test("is ended with its session, as any job", async () => {
    const { ended, pid, send, tools, outputs } = sent();
    const number = await pid();
    await send();
    await ended;
    for (const tool of tools) await tool.dispose?.();
    expect([runs(number), outputs.all.get("c1")?.job]).toEqual([false, "lost"]);
  });

  test("is told as what it was where it ended first, and is no job then", async () => {
    const { ended, send, outputs } = sent({}, {}, "echo whole");
    expect(await ended).toMatchObject({ output: "whole\n(exit code 0)" });
    await send();
    await turns(5);
    expect(outputs.all.has("c1")).toBe(false);
  });
});
