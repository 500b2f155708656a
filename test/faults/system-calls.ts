import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Trouble } from "./play-case.ts";

/** System calls after each of which the disk may be another one; the first is what SQLite writes with. */
export const systemCalls = [
  "pwrite64",
  "write",
  "fsync",
  "fdatasync",
  "rename",
  "link",
  "unlink",
  "ftruncate",
] as const;
export type SystemCall = (typeof systemCalls)[number];

/** Why system calls cannot be counted and killed at on this machine, or undefined. */
export function withoutStrace(): string | undefined {
  const tried = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "true"], {
    encoding: "utf8",
  });
  if (tried.error !== undefined) return "strace is not installed";
  return tried.status === 0 ? undefined : `strace does not work here: ${tried.stderr.trim().split("\n")[0]}`;
}

/** Kills the agent at the `nth` time that one of its threads makes this system call; the call itself is not made. */
export const killedAt = (call: SystemCall, nth: number): Trouble => ({
  wrapper: [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:signal=KILL:when=${nth}`,
  ],
});

/** Writes each of these system calls to files in `folder`, which it makes, a thread each. */
export const counted = (folder: string): Trouble => ({
  wrapper: [
    "sh",
    "-c",
    'mkdir -p "$0" && exec "$@"',
    folder,
    "strace",
    "-ff",
    "-qq",
    "-o",
    join(folder, "trace"),
    "-e",
    `trace=${systemCalls.join(",")}`,
  ],
});

/** How often the busiest thread made each system call: counting is by thread, as strace does it. */
export async function countsIn(folder: string, files: readonly string[]): Promise<Map<SystemCall, number>> {
  const counts = new Map<SystemCall, number>();
  for (const file of files) {
    const text = await readFile(join(folder, file), "utf8");
    for (const call of systemCalls) {
      const times = text.split("\n").filter((line) => line.startsWith(`${call}(`)).length;
      counts.set(call, Math.max(times, counts.get(call) ?? 0));
    }
  }
  return counts;
}
