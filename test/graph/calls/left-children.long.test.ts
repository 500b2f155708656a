import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { pidIn, runs } from "../../process/support.ts";
import { builtProgram } from "../../support/built.ts";
import { runScript } from "../../support/child-agent.ts";
import { calls, openStage, type Stage, says } from "../../support/play.ts";

const id = "brave-otter-0001";
/** Ignores SIGTERM and never ends; each run writes a line when it begins. */
const stubborn = "trap '' TERM; echo run >> runs; echo $$ > pid; while :; do sleep 0.05; done";
const started: ChildProcess[] = [];

afterEach(() => {
  for (const one of started.splice(0)) one.kill("SIGKILL");
});

interface Other {
  pid: number;
  said(): string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
  kill(): Promise<unknown>;
}

/** Another agent, in a process of its own, that drives a session in the stage's store. */
async function startOther(stage: Stage, script: string): Promise<Other> {
  const program = await builtProgram("test/support/child-agent.ts");
  const args = [program, dirname(stage.database), stage.workspace, script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const kill = (): Promise<unknown> => {
    child.kill("SIGKILL");
    return ended;
  };
  return { pid: child.pid ?? 0, said: () => text, ended, kill };
}

/** So that nothing but recovery can end the child. Its agent is held, or it would start another watchdog. */
function killWatchdogs({ pid }: Other, child: number): void {
  process.kill(pid, "SIGSTOP");
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  for (const other of stdout.split("\n").map(Number)) if (other > 0 && other !== child) process.kill(other, "SIGKILL");
}

const stageOf = (script: string): Promise<Stage> =>
  openStage({ lines: [calls(["run_script", {}]), says("Done.")], tools: [runScript(script)] });
const runsOf = (stage: Stage): number => readFileSync(stage.path("runs"), "utf8").split("\n").length - 1;

describe.runIf(process.platform === "linux")("a child that outlived its agent", () => {
  test("is ended before its call is offered for retry, which says so; and is run again only when it is told to", async () => {
    const stage = await stageOf("echo run >> runs; echo again");
    const other = await startOther(stage, stubborn);
    const child = await pidIn(stage.path("pid"));
    killWatchdogs(other, child);
    await other.kill();
    expect(runs(child)).toBe(true);

    const life = await stage.resume(id);
    expect(runs(child)).toBe(false);
    const [asked] = life.last("recovery_requested").calls;
    expect(asked).toMatchObject({ toolName: "run_script", effect: "once", choices: ["retry", "done", "cancel"] });
    expect(asked?.known).toMatch(
      new RegExp(
        `^Outcome unknown: its process ended while it ran; it had started process ${child}, which was still running and was ended`,
      ),
    );
    expect(runsOf(stage)).toBe(1);

    expect(await life.session.recover({ session: life.session.id, call: asked?.callId ?? "" }, "retry")).toEqual({
      ok: true,
    });
    await life.session.settled();
    expect(runsOf(stage)).toBe(2);
    expect(stage.observation()).toBe("again\n");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0 });
  });

  test("is taken with the session from an agent that still lives, and that agent stops with 75", async () => {
    const stage = await stageOf("echo run >> runs; echo again");
    const other = await startOther(stage, stubborn);
    const child = await pidIn(stage.path("pid"));
    const life = await stage.resume(id, { takeOver: true });
    expect(runs(child)).toBe(false);
    expect(life.last("recovery_requested").calls[0]?.known).toContain(`process ${child}, which`);
    expect(await other.ended).toBe(0);
    const told = other
      .said()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(told.at(-2)).toMatchObject({
      type: "error",
      code: "SESSION_TAKEN",
      message: expect.stringContaining(`by process ${process.pid}`) as unknown,
    });
    expect(told.at(-1)).toMatchObject({ type: "turn_ended", reason: "failed", exitCode: 75 });
    expect(life.call("c1").status).toBe("interrupted");
    expect(runsOf(stage)).toBe(1);
  });
});

test("a call that is stopped ends its child, though it ignores SIGTERM, and says that it was cancelled", async () => {
  const stage = await stageOf(stubborn);
  const life = await stage.begin("run it", { running: true });
  const child = await pidIn(stage.path("pid"));
  await life.session.stop();
  expect(runs(child)).toBe(false);
  expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
  expect(life.journal().childrenOf("c1")).toMatchObject([{ pid: child }]);
});
