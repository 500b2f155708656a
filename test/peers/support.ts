import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { asks, says, startModelServer } from "../support/model-server.ts";

/** Where the package and its peers are installed; `.ci/peers` makes it. */
export const consumer = process.env["AGENT_TEST_CONSUMER"] ?? "";

/** A workspace of its own, and a model on loopback that writes what the person says into a file, runs what they say behind `$`, or hands what they say behind `>` to a helper, and then says so. */
export async function openPlace() {
  if (consumer === "") throw new Error("AGENT_TEST_CONSUMER names no folder: these tests are run by .ci/peers");
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-peers-")));
  const workspace = join(root, "work");
  await mkdir(workspace);
  const server = await startModelServer(async ({ body }) => {
    const last = body.messages.findLastIndex(({ role }) => role === "user");
    const isAnswered = body.messages.slice(last).some(({ role }) => role === "tool");
    const said = String(body.messages[last]?.content);
    if (isAnswered) return says(`Did: ${said}.`);
    if (said.startsWith("> ")) return asks("agent", { task: said.slice(2) });
    if (said.startsWith("$ ")) return asks("shell", { command: said.slice(2) });
    return asks("write_file", { file_path: "it.txt", content: `${said}\n` });
  });
  onTestFinished(async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
  const env = {
    PATH: process.env["PATH"],
    HOME: root,
    LANG: "C.UTF-8",
    AGENT_HOME: join(root, "home"),
    AGENT_MODEL: "openai:test-model",
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: server.url,
  };
  return { root, workspace, env };
}

interface Ended {
  /** The exit code, or the signal that ended it. */
  end: number | NodeJS.Signals | null;
  told: Record<string, unknown>;
  stderr: string;
}

/** Runs a program of this folder beside the installed package. It prints one object. */
export async function runProgram(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const file = join(consumer, name);
  await copyFile(new URL(name, import.meta.url), file);
  const child = spawn(process.execPath, [file, ...args], { env, cwd: consumer });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const end = await new Promise<Ended["end"]>((ended) => child.on("close", (code, signal) => ended(code ?? signal)));
  return { end, stderr, told: stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>) };
}
