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
  const [program = "", ...options] = strace("/dev/null");
  const tried = spawnSync(program, [...options, quickly, "-e", "trace=fsync", "true"], { encoding: "utf8" });
  if (tried.error !== undefined) return "strace is not installed";
  return tried.status === 0 ? undefined : `strace does not work here: ${tried.stderr.trim().split("\n")[0]}`;
}

const strace = (trace: string): string[] => ["strace", "-f", "-qq", "-o", trace];
/** Stops at the system calls that are traced only, which takes half the time; a signal is then not sent (strace 6.1). */
const quickly = "--seccomp-bpf";

/** Kills the agent at the `nth` time that one of its threads makes this system call; the call itself is not made. */
export const killedAt = (call: SystemCall, nth: number): Trouble => ({
  wrapper: ({ trace }) => [...strace(trace), "-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${nth}`],
});

/** A system call that fails: nothing of it is done. */
export interface Failing {
  call: SystemCall;
  /** As the kernel names it, e.g. ENOSPC. */
  error: string;
  /** Only for the files of the store. */
  ofStore?: boolean;
  /** All later ones fail too, as on a disk that is full: until the process has ended. */
  lasts?: boolean;
}

/** What the loop lets fail, and at how many places of a session. */
export const failings: readonly (Failing & { places: number })[] = [
  { call: "pwrite64", error: "ENOSPC", ofStore: true, lasts: true, places: 8 },
  { call: "pwrite64", error: "EIO", ofStore: true, places: 6 },
  { call: "pwrite64", error: "EROFS", ofStore: true, lasts: true, places: 4 },
  { call: "fsync", error: "EIO", places: 8 },
  { call: "fsync", error: "EIO", lasts: true, places: 4 },
  { call: "ftruncate", error: "EIO", ofStore: true, places: 2 },
  { call: "rename", error: "EROFS", places: 3 },
  { call: "rename", error: "EDQUOT", places: 3 },
  { call: "link", error: "ENOSPC", places: 3 },
  { call: "unlink", error: "EIO", places: 2 },
];

/** Lets the `nth` such system call of a thread fail. */
export const failingAt = ({ call, error, ofStore = false, lasts = false }: Failing, nth: number): Trouble => ({
  error,
  leaves: call === "unlink",
  wrapper: ({ database, trace }) => [
    ...strace(trace),
    quickly,
    ...(ofStore ? ["", "-wal", "-shm", "-journal"].flatMap((end) => ["-P", `${database}${end}`]) : []),
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:error=${error}:when=${nth}${lasts ? "+" : ""}`,
  ],
});

/** Writes each of these system calls to files in `folder`, which it makes, a thread each. */
export const counted = (folder: string): Trouble => ({
  wrapper: () => [
    "sh",
    "-c",
    'mkdir -p "$0" && exec "$@"',
    folder,
    "strace",
    "-ff",
    quickly,
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
