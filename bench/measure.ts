import { spawn } from "node:child_process";

/** Wall times in ms. */
export interface Spread {
  min: number;
  median: number;
  runs: number;
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), runs: sorted.length };
}

/** Runs each of `subjects` in turn, `rounds` times over: what slows the machine slows all of them. One round before is thrown away. */
export async function interleave<Name extends string>(
  subjects: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, Spread>> {
  const names = Object.keys(subjects) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1)
    for (const name of names) {
      const ms = await subjects[name]();
      if (round >= 0) times.get(name)?.push(ms);
    }
  return Object.fromEntries(names.map((name) => [name, spreadOf(times.get(name) ?? [])])) as Record<Name, Spread>;
}

export interface Finished {
  ms: number;
  stdout: string;
  stderr: string;
  code: number | null;
  /** Largest resident memory seen, in MB; 0 where the system does not tell. */
  peakMb: number;
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Asks the running process for its memory now and then; costs a little. */
  watch?: (pid: number) => number;
}

/** Runs a program to its end, stdin empty. @throws where it does not end with 0. */
export function runToEnd(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.env ? { env: options.env } : {}),
      ...(options.cwd ? { cwd: options.cwd } : {}),
    });
    let [stdout, stderr, peakMb] = ["", "", 0];
    const { watch } = options;
    const pid = child.pid ?? 0;
    const timer =
      watch &&
      setInterval(() => {
        peakMb = Math.max(peakMb, watch(pid));
      }, 50);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(timer);
      const finished = { ms: performance.now() - started, stdout, stderr, code, peakMb };
      if (code === 0) resolve(finished);
      else
        reject(
          new Error(`${command} ${args.join(" ")} ended with ${code}: ${stderr.slice(-2000)}${stdout.slice(-1000)}`),
        );
    });
  });
}
