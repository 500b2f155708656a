import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChildNote } from "../../src/core/child.ts";
import { endLeftChild } from "../../src/process/process-group.ts";
import { standing, thisProcess } from "../../src/process/process-identity.ts";
import { builtProgram } from "../support/built.ts";
import { pidIn, runs, tempFolder } from "./support.ts";

const linux = process.platform === "linux";

/** A process of its own that runs `script` as its child, and the file in which it notes the child. */
async function start(script: string, hold = "") {
  const parent = await builtProgram("test/process/parent.ts");
  const cwd = tempFolder();
  const note = join(cwd, "note");
  const child = spawn(process.execPath, [parent, cwd, script, note, hold], { stdio: "ignore" });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  return {
    cwd,
    kill,
    pid: child.pid ?? 0,
    note: () => JSON.parse(readFileSync(note, "utf8")) as ChildNote,
    noteFile: note,
  };
}

const stubborn = "trap '' TERM; echo $$ > me; while :; do sleep 0.05; done";

/** So that nothing but recovery ends the child: the watchdog of a process is its other child. It is held, or it would start another. */
function killWatchdogs(parentPid: number, child: number): void {
  process.kill(parentPid, "SIGSTOP");
  for (const pid of watchdogsOf(parentPid, child)) process.kill(pid, "SIGKILL");
}

/** All of a process's children but this one, as far as they run. */
function watchdogsOf(parentPid: number, child: number): number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(parentPid)], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map(Number)
    .filter((one) => one > 0 && one !== child && runs(one));
}

describe.runIf(linux)("a child whose parent is killed", () => {
  test("is ended by its watchdog, though it ignores SIGTERM", async () => {
    const started = await start(stubborn);
    const pid = await pidIn(join(started.cwd, "me"));
    await started.kill();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  test("is ended though its watchdog was killed before: another one took its place", async () => {
    const started = await start(stubborn);
    const pid = await pidIn(join(started.cwd, "me"));
    const [first] = watchdogsOf(started.pid, pid);
    process.kill(first ?? 0, "SIGKILL");
    await expect.poll(() => watchdogsOf(started.pid, pid).filter((one) => one !== first).length).toBe(1);
    await started.kill();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  test("before it was let go does nothing", async () => {
    const started = await start("echo x > done", "hold");
    await expect.poll(() => existsSync(started.noteFile) && readFileSync(started.noteFile, "utf8") !== "").toBe(true);
    const { pid } = started.note();
    await started.kill();
    await expect.poll(() => runs(pid)).toBe(false);
    expect(existsSync(join(started.cwd, "done"))).toBe(false);
  });

  test("and whose watchdog is killed too is found by its note and ended, with what left its group", async () => {
    const away = "setsid sh -c 'echo $$ > away; exec sleep 1000' &";
    const started = await start(`${away} ${stubborn}`);
    const pids = [await pidIn(join(started.cwd, "me")), await pidIn(join(started.cwd, "away"))];
    killWatchdogs(started.pid, pids[0] ?? 0);
    await started.kill();
    const note = started.note();
    expect(note.pid).toBe(pids[0]);
    expect(pids.map(runs)).toEqual([true, true]);
    expect(await endLeftChild(note, 100)).toEqual({ kind: "ended" });
    expect(pids.map(runs)).toEqual([false, false]);
    expect(await endLeftChild(note)).toEqual({ kind: "gone" });
  });
});

describe.runIf(linux)("a process of the same number that is not the child", () => {
  test.each<[string, Partial<ChildNote>, { kind: string; why?: unknown }]>([
    ["began at another time", { started: "1" }, { kind: "gone" }],
    ["runs after the machine started anew", { boot: "another" }, { kind: "gone" }],
    ["runs elsewhere", { host: "elsewhere" }, { kind: "unsure", why: expect.stringContaining("on elsewhere") }],
    [
      "began when nobody could tell",
      { started: "" },
      { kind: "unsure", why: expect.stringContaining("another by now") },
    ],
  ])("is left alone where it %s", async (_name, change, fate) => {
    const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const gone = new Promise((resolve) => stranger.once("exit", resolve));
    try {
      const note = { ...thisProcess(), pid: stranger.pid ?? 0, mark: "none", ...change };
      expect(await endLeftChild(note, 50)).toEqual(fate);
      expect(runs(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill("SIGKILL");
      await gone;
    }
  });

  test("is known by where and when it began", () => {
    const here = thisProcess();
    expect(standing(here, here)).toBe("alive");
    expect(standing({ ...here, started: "1" }, here)).toBe("dead");
    expect(standing({ ...here, boot: "before" }, here)).toBe("dead");
    expect(standing({ ...here, host: "elsewhere" }, here)).toBe("elsewhere");
    expect(standing({ ...here, started: "" }, { ...here, started: "" })).toBe("alive");
  });
});
