import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChildNote } from "../../src/core/child.ts";
import { createMasking } from "../../src/core/secrets/masking.ts";
import type { ToolContext } from "../../src/core/tool.ts";
import { createCappedOutput, textOfOutput } from "../../src/process/capped-output.ts";
import { type ChildEnd, type ChildSpec, runChild, startChild } from "../../src/process/run-child.ts";
import { builtProgram } from "../support/built.ts";
import { timeOfTheTest } from "../support/time-limit.ts";
import { endLater, pidIn, runs, tempFolder } from "./support.ts";

const PATH = process.env["PATH"] ?? "";
type Ctx = Pick<ToolContext, "signal" | "noteChild">;

function run(spec: Partial<ChildSpec> & Pick<ChildSpec, "program">, ctx: Partial<Ctx> = {}): Promise<ChildEnd> {
  const { signal = new AbortController().signal } = ctx;
  return runChild({ args: [], cwd: tempFolder(), env: { PATH }, graceMs: 200, ...spec }, { ...ctx, signal });
}
const sh = (script: string, more: Partial<ChildSpec> = {}, ctx: Partial<Ctx> = {}): Promise<ChildEnd> =>
  run({ program: "sh", args: ["-c", script], ...more }, ctx);

describe("a child", () => {
  test("gets its arguments as they are, its own environment and nothing on stdin", async () => {
    const args = ["-c", 'printf "%s|" "$@"; cat; env', "sh", "a b", "$HOME", "", "--", "x'y"];
    const end = await run({ program: "sh", args, env: { PATH, ONLY: "this" } });
    expect(end).toMatchObject({ how: "exit", code: 0, signal: null, left: "nothing" });
    const said = textOfOutput(end.stdout);
    expect(said).toMatch(/^a b\|\$HOME\|\|--\|x'y\|/);
    expect(said).toContain("ONLY=this");
    expect(said).not.toContain("HOME=/");
  });

  test("leads a session of its own, without a terminal and without the pipe it waited at", async () => {
    const end = await sh("echo $$ $(cut -d' ' -f5,6 /proc/$$/stat); [ -e /proc/$$/fd/3 ] && echo open || echo closed");
    const [who, pipe] = textOfOutput(end.stdout).trim().split("\n");
    const [pid, group, session] = (who ?? "").split(" ");
    expect([group, session]).toEqual([pid, pid]);
    expect(pipe).toBe("closed");
  });

  test("gets no descriptor that whoever started the agent left open", async () => {
    const parent = await builtProgram("test/process/parent.ts");
    const cwd = tempFolder();
    const left = openSync(join(cwd, "left"), "w");
    // All from 3 to 251, 5 and 251 among them; the agent itself has them, or the test would show nothing.
    const stdio = Array.from({ length: 252 }, (_, at) => (at === 1 ? "pipe" : at > 2 ? left : "ignore") as "pipe");
    const script =
      "for fd in /proc/$PPID/fd/*; do [ $fd -ef left ] && n=$((n + 1)); done; echo agent $n > agent; ls /proc/self/fd > fds";
    const agent = spawn(process.execPath, [parent, cwd, script, join(cwd, "note")], { stdio });
    await new Promise((resolve) => agent.once("exit", resolve));
    closeSync(left);
    expect(readFileSync(join(cwd, "agent"), "utf8")).toMatch(/^agent 2\d\d$/m);
    // The last is that of the list itself.
    expect(readFileSync(join(cwd, "fds"), "utf8").trim().split("\n")).toEqual(["0", "1", "2", "3"]);
  });

  test("says what a value may begin with once it says no more for now, and no value", async () => {
    let heard = "";
    const child = await startChild(
      {
        program: "sh",
        args: ["-c", "printf 127.0.0.1:8080; read go; printf '%s' 0-secret-; read go; echo of-it"],
        cwd: tempFolder(),
        env: { PATH },
        reads: true,
        masking: createMasking([{ name: "TOKEN", value: "0-secret-of-it" }]),
        onOutput: (chunk, from) => {
          if (from === "stdout") heard += chunk.toString();
        },
      },
      { signal: new AbortController().signal },
    );
    await expect.poll(() => heard).toBe("127.0.0.1:8080");
    child.input?.write("\n\n");
    expect(textOfOutput((await child.ended).stdout)).toBe("127.0.0.1:8080<secret>TOKEN</secret>\n");
  });

  test("ends with its own code, or by its own signal", async () => {
    const end = await sh("echo out; echo err >&2; exit 7");
    expect([end.code, textOfOutput(end.stdout), textOfOutput(end.stderr)]).toEqual([7, "out\n", "err\n"]);
    expect(await sh("kill -9 $$")).toMatchObject({ how: "exit", code: null, signal: "SIGKILL" });
  });

  test("that says too much is heard at its beginning and its end, and ends all the same", async () => {
    let heard = 0;
    const script = "echo first; head -c 3000000 /dev/zero; echo; echo last";
    const onOutput = (chunk: Buffer): void => {
      heard += chunk.length;
    };
    const { stdout, code } = await sh(script, { maxOutputBytes: 100, onOutput });
    expect(code).toBe(0);
    expect([stdout.head.length, stdout.tail.length, stdout.omitted + 100]).toEqual([50, 50, heard]);
    const text = textOfOutput(stdout);
    expect(text.startsWith("first\n")).toBe(true);
    expect(text).toContain(`[${heard - 100} bytes left out]`);
    expect(text.endsWith("last\n")).toBe(true);
  });

  test.each([
    ["that is nowhere", "no-such-program-of-holdfast", {}],
    ["that may not be run", "/etc/passwd", {}],
    ["that is a folder", "/tmp", {}],
    ["with no name", "", {}],
    ["whose folder is gone", "sh", { cwd: "/nowhere/at/all" }],
  ])("%s is refused before anything is started", async (_name, program, more) => {
    const notes: ChildNote[] = [];
    const noteChild = async (note: ChildNote): Promise<void> => void notes.push(note);
    await expect(run({ program, ...more }, { noteChild })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(notes).toEqual([]);
  });

  test("does nothing before it is known who it is, and nothing at all where that cannot be kept", async () => {
    const cwd = tempFolder();
    const file = join(cwd, "done");
    let there: boolean | undefined;
    let kept: ChildNote | undefined;
    const keep = async (note: ChildNote): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      there = existsSync(file);
      kept = note;
    };
    await sh("echo $$ > done", { cwd }, { noteChild: keep });
    expect(there).toBe(false);
    expect(Number(readFileSync(file, "utf8"))).toBe(kept?.pid);

    const fail = async (note: ChildNote): Promise<void> => {
      kept = note;
      throw new Error("the disk is full");
    };
    await expect(sh("echo x > never", { cwd }, { noteChild: fail })).rejects.toThrow("the disk is full");
    expect([existsSync(join(cwd, "never")), runs(kept?.pid ?? 0)]).toEqual([false, false]);
  });
});

describe("a child is ended with all it started", () => {
  const stubborn =
    "trap '' TERM; (trap '' TERM; echo $$ > inner; while :; do sleep 0.05; done) & echo $$ > outer; wait; wait";

  test.each(["timeout", "aborted"] as const)("%s, though it ignores SIGTERM", async (how) => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const time = timeOfTheTest();
    const limit = how === "timeout" ? { timeoutMs: 60_000 } : {};
    const ending = sh(stubborn, { cwd, ...limit }, { signal: stop.signal });
    const [outer] = await Promise.all([pidIn(join(cwd, "outer")), pidIn(join(cwd, "inner"))]);
    if (how === "aborted") stop.abort();
    else time.pass(60_000);
    expect(await ending).toMatchObject({ how, code: null, signal: "SIGKILL" });
    expect(runs(outer)).toBe(false);
  });

  test("also what left its group and session, and has nothing of its environment", async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const away = "env -i PATH=$PATH setsid sh -c 'echo $$ > away; exec sleep 1000' & echo $$ > me; wait";
    const ending = sh(away, { cwd }, { signal: stop.signal });
    const [pid] = await Promise.all([pidIn(join(cwd, "away")), pidIn(join(cwd, "me"))]);
    stop.abort();
    expect(await ending).toMatchObject({ how: "aborted" });
    expect(runs(pid)).toBe(false);
  });

  test("by SIGTERM where that is enough: it may tidy up", async () => {
    const stop = new AbortController();
    const cwd = tempFolder();
    const script = "trap 'echo tidy; exit 9' TERM; echo $$ > me; while :; do sleep 0.05; done";
    const ending = sh(script, { cwd, graceMs: 10_000 }, { signal: stop.signal });
    await pidIn(join(cwd, "me"));
    stop.abort();
    const end = await ending;
    expect(end).toMatchObject({ how: "aborted", code: 9 });
    expect(textOfOutput(end.stdout)).toBe("tidy\n");
  });

  test("when it ended itself and left something running", async () => {
    const cwd = tempFolder();
    const end = await sh("sleep 1000 & echo $! > left; echo done", { cwd });
    expect(end).toMatchObject({ how: "exit", code: 0, left: "ended" });
    expect(textOfOutput(end.stdout)).toBe("done\n");
    expect(runs(await pidIn(join(cwd, "left")))).toBe(false);
  });

  test("and a stopped one too", async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const ending = sh("echo $$ > me; kill -STOP $$; echo on", { cwd }, { signal: stop.signal });
    const pid = await pidIn(join(cwd, "me"));
    stop.abort();
    expect(await ending).toMatchObject({ how: "aborted", signal: "SIGKILL" });
    expect(runs(pid)).toBe(false);
  });

  test("and is never started where it was aborted before", async () => {
    const cwd = tempFolder();
    const signal = AbortSignal.abort(new Error("no more"));
    await expect(sh("echo x > done", { cwd }, { signal })).rejects.toThrow("no more");
    const stop = new AbortController();
    const noteChild = async (): Promise<void> => stop.abort(new Error("no more now"));
    await expect(sh("echo x > done", { cwd }, { signal: stop.signal, noteChild })).rejects.toThrow("no more now");
    expect(existsSync(join(cwd, "done"))).toBe(false);
  });

  test("but one that left group and session is not waited for", async () => {
    const cwd = tempFolder();
    const end = await sh("setsid sh -c 'echo $$ > away; exec sleep 1000' & while [ ! -s away ]; do sleep 0.02; done", {
      cwd,
    });
    expect(end).toMatchObject({ how: "exit", code: 0 });
    endLater(await pidIn(join(cwd, "away")));
  });
});

describe("output", () => {
  test("comes merged in the order in which it was written, where that is wanted", async () => {
    const end = await sh("for i in 1 2 3; do echo out$i; echo err$i >&2; done", { merged: true });
    expect(textOfOutput(end.stdout)).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
    expect(textOfOutput(end.stderr)).toBe("");
  });

  test("through the pipe for reports is kept apart, and is no descriptor of other children", async () => {
    const end = await sh("echo report >&4; echo out", { reports: true });
    expect([end.report, textOfOutput(end.stdout)]).toEqual(["report\n", "out\n"]);
    expect((await sh("(echo x >&4) 2>/dev/null || echo none")).report).toBe("");
  });

  test("can be read from any byte on, past what was left out too", () => {
    const keeper = createCappedOutput(8);
    for (const part of ["abc", "defgh", "ijklmnop"]) keeper.add(Buffer.from(part));
    const since = (offset: number): string => {
      const { head, omitted, tail } = keeper.since(offset);
      return `${head}|${omitted}|${tail}`;
    };
    expect([0, 2, 4, 7, 12, 14, 16].map(since)).toEqual([
      ...["abcd|8|mnop", "cd|8|mnop", "|8|mnop", "|5|mnop", "|0|mnop", "|0|op", "|0|"],
    ]);
    expect(keeper.size()).toBe(16);
  });
});
