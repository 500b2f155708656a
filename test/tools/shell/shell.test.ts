import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../../src/core/progress.ts";
import { pidIn, runs } from "../../process/support.ts";
import { timeOfTheTest } from "../../support/time-limit.ts";
import { shellStage } from "./support.ts";

describe("a command", () => {
  test("tells its output as a terminal would show it, and how it ended, which is a success whatever it is", async () => {
    const { run } = shellStage();
    expect(await run("echo one; echo two >&2; echo three; exit 3")).toEqual({
      output: "one\ntwo\nthree\n(exit code 3)",
      display: "one\ntwo\nthree",
      title: expect.stringMatching(/^echo one; .*\(exit code 3, .* s\)$/),
      metadata: { exitCode: 3 },
    });
    expect(await run("printf x; kill -9 $$")).toMatchObject({
      output: "x\n(ended by SIGKILL)",
      metadata: { signal: "SIGKILL" },
    });
  });

  test("is what bash gets, byte for byte, also one that begins with a dash or has many lines", async () => {
    const { run } = shellStage();
    expect(await run("-c 'echo x'")).toMatchObject({ metadata: { exitCode: 127 } });
    expect(await run("x='a  b'\ncat <<'END' # ü\n$x `y` \\\nEND\nprintf '%s' \"$x\"")).toMatchObject({
      output: "$x `y` \\\na  b\n(exit code 0)",
    });
  });

  test("has nothing on stdin, no terminal, and no start file of a shell is read", async () => {
    const home = shellStage();
    writeFileSync(home.path(".bashrc"), "echo bashrc");
    writeFileSync(home.path("evil"), "echo evil");
    const evil = home.path("evil");
    const env = {
      ...process.env,
      HOME: home.workspace,
      BASH_ENV: evil,
      ENV: evil,
      "BASH_FUNC_true%%": "() { echo f; }",
    };
    const { run } = shellStage({ env });
    expect(
      await run("cat; true; tty; (: </dev/tty) 2>/dev/null || echo none; set -o | grep -c 'posix.*on'"),
    ).toMatchObject({
      output: "not a tty\nnone\n0\n(exit code 1)",
    });
  });

  test("runs in the workspace, or in the folder of it that the call names, and nowhere else", async () => {
    const { run, path, workspace } = shellStage();
    mkdirSync(path("a b"));
    writeFileSync(path("file"), "");
    expect(await run("pwd")).toMatchObject({ output: `${workspace}\n(exit code 0)` });
    expect(await run("pwd; cd /", { cwd: "a b" })).toMatchObject({ output: `${workspace}/a b\n(exit code 0)` });
    expect(await run("pwd", { cwd: "/tmp" })).toMatchObject({ metadata: { code: "OUTSIDE_WORKSPACE" } });
    expect(await run("pwd", { cwd: "nowhere" })).toMatchObject({ metadata: { code: "NOT_FOUND" } });
    expect(await run("pwd", { cwd: "file" })).toMatchObject({ metadata: { code: "NOT_A_FILE" } });
  });

  test("that takes too long is an error, with what it said until then, and nothing of it is left", async () => {
    const { run, path } = shellStage();
    const time = timeOfTheTest();
    const result = run("echo begun; echo $$ > pid; sleep 1000; echo done > late", { timeout_ms: 60_000 });
    const pid = await pidIn(path("pid"));
    time.pass(60_000);
    expect(await result).toMatchObject({
      output: "begun\n",
      error: "stopped after 60 s",
      metadata: { code: "TIMEOUT" },
    });
    expect(runs(pid)).toBe(false);
  });

  test("that is cancelled is an error, with what it said until then, and nothing of it is left", async () => {
    const { run, path } = shellStage();
    const stop = new AbortController();
    const result = run("echo begun; echo $$ > pid; sleep 1000", {}, { signal: stop.signal });
    const pid = await pidIn(path("pid"));
    stop.abort(new Error("the person"));
    expect(await result).toMatchObject({
      output: "begun\n",
      error: "stopped while it ran",
      metadata: { code: "CANCELLED" },
    });
    expect(runs(pid)).toBe(false);
  });

  test("leaves nothing running, and says so", async () => {
    const { run } = shellStage();
    const { output } = await run("sleep 1000 & echo $!");
    expect(output).toContain("(exit code 0)\n(what it had left running was ended");
    expect(runs(Number.parseInt(output, 10))).toBe(false);
  });

  test.runIf(process.platform === "linux").each([
    [
      "in a session of its own",
      'setsid sleep 1000 >/dev/null 2>&1 & echo $! > pid; until [ "$(ps -o sid= -p $!)" -eq $! ]; do sleep 0.05; done',
    ],
    [
      "a daemon, whose parents are gone",
      "setsid sh -c '(setsid sh -c \"echo \\$\\$ > pid; exec sleep 1000\" >/dev/null 2>&1 &)'; until [ -s pid ]; do sleep 0.05; done",
    ],
    [
      "one that keeps the output open",
      "(setsid sh -c 'echo $$ > pid; exec sleep 1000' &); until [ -s pid ]; do sleep 0.05; done",
    ],
  ])("that leaves a process which it cannot end says which: %s", async (_, command) => {
    const { run, path } = shellStage({ sandbox: "off" });
    const result = await run(command);
    const pid = await pidIn(path("pid"));
    expect(runs(pid)).toBe(true);
    expect(result.output).toContain(`still runs, beyond this call and this session: PID ${pid}; kill ends it)`);
  });

  test("whose processes have all ended says nothing of them", async () => {
    const { run } = shellStage({ sandbox: "off" });
    expect(await run("setsid --wait true; (setsid --wait sh -c 'echo a'); echo b")).toMatchObject({
      output: "a\nb\n(exit code 0)",
    });
  });

  test("tells its last words while it runs", async () => {
    const { run, path } = shellStage();
    const told: Progress[] = [];
    // It goes on once it was heard.
    const progress = (one: Progress): void => {
      told.push(one);
      writeFileSync(path("heard"), "");
    };
    await run("echo first; while ! [ -e heard ]; do sleep 0.05; done; echo second", {}, { progress });
    expect(told).toEqual([{ text: "first\n" }, { text: "first\nsecond\n" }]);
  });
});

describe("long output", () => {
  test("comes by its beginning and its end, in whole lines, and read_file has all of it by the call's name", async () => {
    const { run, call } = shellStage();
    const { output, display } = await run("seq 1 20000");
    expect(output.length).toBeLessThan(30_300);
    expect(display?.split("\n")).toEqual([
      "… 19,988 lines before",
      ...Array.from({ length: 12 }, (_, at) => `${19_989 + at}`),
    ]);
    expect(output).toMatch(/^1\n2\n3\n/);
    expect(output).toMatch(/\n19999\n20000\n\(exit code 0\)$/);
    const [, before, left, after] =
      /\n(\d+)\n\[([\d,]+) lines \([\d,]+ characters\) left out; read_file \{"file_path": "call:c1"\} shows all of it\]\n(\d+)\n/.exec(
        output,
      ) ?? [];
    expect(Number(after) - Number(before) - 1).toBe(Number(left?.replaceAll(",", "")));
    expect((await call("read_file", { file_path: "call:c1", offset: 12_345, limit: 2 })).output).toBe(
      " 12345\t12345\n 12346\t12346\n(lines 12345-12346 of 20000; go on with offset=12347)",
    );
  });

  test("is bounded whatever comes: what is between its first and last 4 MB is counted", async () => {
    const { run, outputs } = shellStage();
    await run("head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo end");
    const { bytes } = outputs.all.get("c1") ?? {};
    expect(bytes?.length).toBeLessThan(8_000_100);
    expect(Buffer.from(bytes ?? []).toString()).toMatch(/x\n\[42000005 bytes left out\]\nx+\nend\n$/);
  });

  test("of a call that this session does not have is not there, and a file of such a name is", async () => {
    const { call, path } = shellStage();
    expect(await call("read_file", { file_path: "call:c99" })).toMatchObject({ metadata: { code: "NOT_FOUND" } });
    writeFileSync(path("call:c99"), "a file\n");
    expect((await call("read_file", { file_path: "./call:c99" })).output).toContain("a file");
    expect(await call("read_file", { file_path: "call:c99" })).toMatchObject({ metadata: { code: "NOT_FOUND" } });
  });
});
