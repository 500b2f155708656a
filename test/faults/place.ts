import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "../../src/graph/events.ts";
import { type Answer, type ModelServer, startModelServer } from "../support/model-server.ts";
import { struckMark } from "./hook.ts";
import { filesBefore, replyTo } from "./session.ts";

/** What one process of the faulty agent left behind. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  events: AgentEvent[];
  stderr: string;
  /** The fault came to pass in it. */
  struck: boolean;
  /** It did not end by itself. */
  hung: boolean;
}

/** A workspace, a home, a model server and a log of effects, for one case. */
export interface FaultPlace {
  /** The folder that all of it lies in. */
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly temp: string;
  readonly database: string;
  readonly memory: string;
  /** Where what is traced of a process is written. */
  readonly trace: string;
  readonly server: ModelServer;
  effects(): Promise<{ callId: string; note: string; pid: number }[]>;
  /** Starts the faulty agent. @param wrapper a program with its arguments that starts it, e.g. strace. */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>, wrapper?: readonly string[]): Started;
  remove(): Promise<void>;
}

export interface Started {
  /** Resolves when it has loaded and waits at its gate. */
  ready: Promise<void>;
  go(): void;
  done: Promise<Ended>;
}

/** Milliseconds after which a process is taken for one that hangs. */
const longest = 150_000;

/** A process that lives for a second is not worth optimising: on few cores, that takes time from the others. */
const brief = ["--single-threaded", "--no-opt", "--max-semi-space-size=32"];

/** @param answer what the model says to a request; default: its part in the session of the fault tests */
export async function openFaultPlace(
  program: string,
  answer: Extract<Answer, (...args: never[]) => unknown> = (request) => replyTo(request),
): Promise<FaultPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-fault-")));
  const [workspace, home, temp, log] = ["work", "home", "tmp", "effects.log"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  await Promise.all([workspace, home, temp].map((folder) => mkdir(folder)));
  for (const [name, { text, mode }] of Object.entries(filesBefore)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
    await chmod(join(workspace, name), mode);
  }
  const hook = { hooks: [{ type: "command", command: "true" }] };
  const hooks = { PreToolUse: [{ matcher: "save_memory", ...hook }], Stop: [hook] };
  await writeFile(join(home, "config.json"), JSON.stringify({ hooks }));
  const trace = join(root, "trace");
  const server = await startModelServer(answer);
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    TMPDIR: temp,
    AGENT_HOME: home,
    OPENAI_API_KEY: "sk-test-of-holdfast",
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: "test-model",
    NO_PROXY: "127.0.0.1",
    HOLDFAST_EFFECTS: log,
  };
  return {
    root,
    workspace,
    home,
    temp,
    database: join(home, "agent.db"),
    memory: join(home, "CONTEXT.md"),
    trace,
    server,
    effects: async () =>
      (await readFile(log, "utf8").catch(() => ""))
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    start: (argv, env = {}, wrapper = []) =>
      startAgent([...wrapper, process.execPath, ...brief, program, ...argv], workspace, { ...base, ...env }, trace),
    remove: async () => {
      await server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function startAgent(command: readonly string[], cwd: string, env: Record<string, string>, trace: string): Started {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    timeout: longest,
    killSignal: "SIGKILL",
  });
  const [out, err]: [string[], string[]] = [[], []];
  let heardReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    heardReady = resolve;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err.push(text);
    if (text.includes("ready\n")) heardReady();
  });
  child.stdin.on("error", () => undefined);
  if (env["HOLDFAST_GATE"] === undefined) child.stdin.end();
  const done = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const stderr = err.join("");
      const hung = child.killed;
      const struck = stderr.includes(struckMark) || injected(trace) || (signal === "SIGKILL" && !hung);
      resolve({ code, signal, events: linesOf(out.join("")), stderr, struck, hung });
    });
  });
  return { ready, go: () => child.stdin.end("go\n"), done };
}

/** Whether a system call of the process was made to fail; the next one begins with no trace. */
function injected(trace: string): boolean {
  if (!existsSync(trace)) return false;
  const text = readFileSync(trace, "utf8");
  rmSync(trace);
  return text.includes("(INJECTED)");
}

/** What was written whole: a process may die in the middle of a line. */
function linesOf(stdout: string): AgentEvent[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentEvent);
}
