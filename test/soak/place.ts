import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent } from "../../src/graph/events.ts";

/** A command line that starts the agent: node and its first argument. */
export type AgentProgram = readonly [node: string, program: string];

/** How one process of the agent ended, and what it told on its way. */
export interface Ended {
  argv: readonly string[];
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A process of the agent that was started. */
export interface Started {
  child: ChildProcess;
  done: Promise<Ended>;
}

/** What one short run was to do, by a word of its own, and what it told. */
export interface ShortRun {
  word: string;
  killed: boolean;
  remembers: boolean;
  runs: boolean;
  ended: Ended;
  events: AgentEvent[];
}

/** An empty home and a workspace, on which many processes work at once. */
export interface SoakPlace {
  readonly home: string;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  start(argv: readonly string[], program?: AgentProgram): Started;
  /** A run that writes a file and says a word; every third one runs a command as well, every fifth one remembers a fact. */
  shortRun(options?: { killAfterMs?: number; program?: AgentProgram }): Promise<ShortRun>;
  /** A script for a run of so many steps, each of which writes a line and takes a while. */
  longScript(word: string, steps: number): Promise<string>;
  /** A script for so many turns, each of which asks for one file and then says a word. */
  askingScript(word: string, turns: number): Promise<string>;
  remove(): Promise<void>;
}

const header = { v: 1, kind: "holdfast-script" };
const write = (word: string, name: string) => ({
  name: "write_file",
  arguments: { file_path: `out/${name}.txt`, content: `${word}\n` },
});
const note = (word: string) => ({ name: "shell", arguments: { command: `echo ${word} >> log.txt` } });
const remember = (word: string) => ({ name: "save_memory", arguments: { fact: `the word is ${word}` } });

/** @param homeName where the home is, from the folder around the workspace. */
export async function openSoakPlace(programs: readonly AgentProgram[], homeName = "home"): Promise<SoakPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-soak-")));
  const [home, workspace, scripts] = [join(root, homeName), join(root, "work"), join(root, "scripts")];
  await Promise.all([mkdir(workspace), mkdir(scripts)]);
  const env = { ...process.env, HOME: root, AGENT_HOME: home, NODE_NO_WARNINGS: "1" };
  const running = new Set<ChildProcess>();
  let count = 0;

  const start: SoakPlace["start"] = (argv, program = programs[count % programs.length]) => {
    const [node, file] = program ?? [process.execPath, ""];
    const child = spawn(node, [file, ...argv], { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    const done = new Promise<Ended>((resolve) => {
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      child.on("close", (code, signal) => {
        running.delete(child);
        resolve({ argv, code, signal, stdout, stderr });
      });
    });
    return { child, done };
  };

  const scriptOf = async (word: string, lines: readonly object[]): Promise<string> => {
    const file = join(scripts, `${word}.jsonl`);
    await writeFile(file, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
    return `script:${file}`;
  };

  return {
    home,
    workspace,
    env,
    start,
    shortRun: async ({ killAfterMs, program } = {}) => {
      count += 1;
      const word = `word${count}`;
      const [runs, remembers] = [count % 3 === 0, count % 5 === 0];
      const calls = [write(word, word), ...(runs ? [note(word)] : []), ...(remembers ? [remember(word)] : [])];
      const model = await scriptOf(word, [{ calls }, { text: `said ${word}` }]);
      const { child, done } = start(["run", word, "--json", "--mode", "full-auto", "-m", model], program);
      const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
      const ended = await done;
      clearTimeout(timer);
      return { word, runs, remembers, killed: ended.signal === "SIGKILL", ended, events: eventsOf(ended.stdout) };
    },
    longScript: (word, steps) => {
      const line = (step: number) => ({ calls: [write(`${word} ${step}`, `${word}-${step}`)], delayMs: 100 });
      return scriptOf(word, [...Array.from({ length: steps }, (_, step) => line(step)), { text: `said ${word}` }]);
    },
    askingScript: (word, turns) => {
      const linesOf = (turn: number) => [
        { calls: [write(`${word} ${turn}`, `${word}-${turn}`)] },
        { text: `said ${word} ${turn}.` },
      ];
      return scriptOf(word, Array.from({ length: turns }, (_, turn) => linesOf(turn)).flat());
    },
    remove: async () => {
      for (const child of running) child.kill("SIGKILL");
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Whole lines only: the last one of a killed process may be cut. */
export function eventsOf(stdout: string): AgentEvent[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentEvent);
}
