import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { endMarked, sleep } from "./background-jobs.ts";
import { builtProgram } from "./built.ts";
import { describeInTmux } from "./needs.ts";
import { openTmux } from "./tmux.ts";
import { processesOf } from "./under-way.ts";

/** A folder for what is temporary, of this test alone. */
function tempOf(...names: string[]): string {
  const root = mkdtempSync(join(tmpdir(), "holdfast-temp-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const temp = join(root, ...names);
  mkdirSync(temp, { recursive: true });
  vi.stubEnv("TMPDIR", temp);
  return temp;
}

/** A program that ends by nothing but a kill. */
function stubborn(seconds: number): { mark: string; command: string; args: string[] } {
  const mark = sleep(seconds);
  onTestFinished(() => endMarked(mark));
  return { mark, command: "sh", args: ["-c", `trap "" HUP TERM INT; ${mark}; :`] };
}

/** Whether the program has come to its sleep. */
const isIn = (mark: string): boolean =>
  spawnSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .stdout.split("\n")
    .some((line) => line.trim() === mark);

describeInTmux("a terminal in tmux (needs tmux)", () => {
  it("is closed with all that runs in it, and whoever waits for its end has it then", async () => {
    const temp = tempOf();
    const { mark, ...program } = stubborn(5_001);
    const pty = openTmux(program);
    const { exit } = pty;
    await expect.poll(() => isIn(mark)).toBe(true);
    await pty.close();
    expect([await exit, pty.hasEnded()]).toEqual([{ code: 137, signal: 0 }, true]);
    await expect.poll(() => [processesOf(mark), readdirSync(temp)]).toEqual([0, []]);
  });

  it("leaves nothing where the process that opened it is killed", async () => {
    const temp = tempOf();
    const { mark, command, args } = stubborn(5_002);
    const opener = await builtProgram("test/support/tmux-program.ts");
    const child = spawn(process.execPath, [opener, command, ...args], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await expect.poll(() => isIn(mark)).toBe(true);
    expect(readdirSync(temp)).toHaveLength(1);
    child.kill("SIGKILL");
    await ended;
    await expect.poll(() => [processesOf(mark), processesOf(temp), readdirSync(temp)]).toEqual([0, 0, []]);
  });

  it("begins where the folder for what is temporary has too long a name for a socket", async () => {
    tempOf("a".repeat(60), "b".repeat(60));
    const pty = openTmux({ command: "echo", args: ["it runs"] });
    onTestFinished(() => pty.close());
    await pty.waitFor("it runs");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  });

  it("says why it does not begin, and leaves nothing", async () => {
    const temp = tempOf();
    const bin = mkdtempSync(join(tmpdir(), "bin-"));
    writeFileSync(join(bin, "tmux"), "#!/bin/sh\necho no server today >&2\nexit 1\n");
    chmodSync(join(bin, "tmux"), 0o755);
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"] ?? ""}`);
    expect(() => openTmux({ command: "true" })).toThrow("tmux did not begin: no server today");
    rmSync(bin, { recursive: true });
    await expect.poll(() => readdirSync(temp)).toEqual([]);
  });
});
