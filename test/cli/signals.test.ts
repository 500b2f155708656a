import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { builtProgram } from "../support/built.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function start() {
  const program = await builtProgram("test/support/signal-program.ts");
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const says = (text: string) => expect.poll(() => said).toContain(text);
  await says("ready");
  return { child, ended, says, said: () => said };
}

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s asks once to stop, and leaves at once the second time", async (signal, code) => {
    const { child, ended, says } = await start();
    child.kill(signal);
    await says(`stop ${code}`);
    child.kill(signal);
    expect(await ended).toBe(code);
  });

  it("SIGHUP asks to stop however often it comes; the first signal gives the code", async () => {
    const { child, ended, says, said } = await start();
    child.kill("SIGHUP");
    await says("stop 129");
    child.kill("SIGHUP");
    child.kill("SIGHUP");
    child.kill("SIGINT");
    expect(await ended).toBe(129);
    expect(said().match(/stop/g)).toHaveLength(1);
  });
});
