import { readFile } from "node:fs/promises";

/** A system call that succeeded, as strace wrote it down. */
export interface TracedCall {
  name: string;
  /** As they are written, strings and paths in hexadecimal: `3<\x2f\x74>`, `"\x41"`, `0644`. */
  args: string[];
  result: number;
  /** The file that the descriptor it returned is of. */
  opened: string | undefined;
}

const changing = [
  ...["openat", "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate"],
  ...["fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"],
  ...["unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat"],
  ...["copy_file_range", "sendfile", "open", "creat"],
];
/** Longer than anything that a process writes at once. */
const longestString = 4 * 1024 * 1024;

/** Writes all that changes a disk, with the bytes, and all that is said, to this file. */
export const recordedIn = (file: string): string[] => [
  ...["strace", "-f", "-qq", "-y", "-xx", "--seccomp-bpf", "-e", "signal=none"],
  ...["-s", String(longestString), "-o", file, "-e", `trace=${changing.join(",")}`],
];

/** @param file as `recordedIn` wrote it. @returns in the order in which they ended */
export async function readTrace(file: string): Promise<TracedCall[]> {
  const begun = new Map<string, string>();
  const calls: TracedCall[] = [];
  for (const line of (await readFile(file, "latin1")).split("\n")) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const unfinished = " <unfinished ...>";
    if (text.endsWith(unfinished)) {
      begun.set(thread, text.slice(0, -unfinished.length));
      continue;
    }
    const [resumed] = /^<\.\.\. \w+ resumed>/.exec(text) ?? [];
    const call = parse(resumed === undefined ? text : (begun.get(thread) ?? "") + text.slice(resumed.length));
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

/** @returns undefined where it failed, or is no call (a process that ended) */
function parse(text: string): TracedCall | undefined {
  const [, name = "", args = "", result = "", opened] =
    /^(\w+)\((.*)\) += (\d+)(?:<([^>]*)>(?:\(deleted\))?)?$/.exec(text) ?? [];
  if (name === "") return undefined;
  return {
    name,
    args: args.split(", "),
    result: Number(result),
    opened: opened === undefined ? undefined : unhex(opened).toString(),
  };
}

/** `\x41\x42` as bytes. */
const unhex = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");

/** The file of a descriptor as it is now called; undefined where it has no name any more. */
export function fileOf(arg = ""): string | undefined {
  const [, path, deleted] = /^(?:\d+|AT_FDCWD)<([^>]*)>(\(deleted\))?$/.exec(arg) ?? [];
  return path === undefined || deleted !== undefined ? undefined : unhex(path).toString();
}

/** All bytes of the strings in these arguments. @throws Error where strace has cut one short */
export function bytesOf(args: readonly string[]): Buffer {
  const text = args.join(", ");
  if (text.includes('"...')) throw new Error("a string of the trace was cut short");
  return Buffer.concat([...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = ""]) => unhex(hex)));
}
