import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FaultyAgent } from "./bundle.ts";
import { openFaultPlace } from "./place.ts";
import { play, type Trouble, tellAll, troubleOf } from "./play-case.ts";

/*
 * Closing any descriptor of a file drops all POSIX locks that the process has on it. So while a process has a connection to the store, it
 * closes no other descriptor of the store's file or of its shared memory: seen at the system calls, whoever makes them.
 */

const followed = "openat,open,creat,dup,dup2,dup3,fcntl,close,clone,clone3,fork,vfork,execve";

const tracedTo = (file: string): Trouble => ({
  wrapper: () => [
    "strace",
    "-f",
    "-qq",
    "-y",
    "--seccomp-bpf",
    "-e",
    "signal=none",
    "-o",
    file,
    "-e",
    `trace=${followed}`,
  ],
});

/** What a session does from its first start on, and what one does that goes on with it after a kill, which finds a log. */
const lives: readonly { name: string; before: readonly Trouble[] }[] = [
  { name: "from the first start on", before: [] },
  { name: "after a kill", before: [troubleOf({ name: "effect happened", nth: 1, kind: "kill" })] },
];

/** @returns of each life what it closed beside its connection, in words */
export async function descriptorsOfStore(agent: FaultyAgent): Promise<{ name: string; complaints: string[] }[]> {
  const results: { name: string; complaints: string[] }[] = [];
  for (const { name, before } of lives) {
    const place = await openFaultPlace(agent.program);
    const trace = join(place.root, "descriptors");
    try {
      if (before.length === 0) await rm(place.home, { recursive: true });
      const played = await play(place, [...before, tracedTo(trace)]);
      const { closes, complaints } = closedBeside(await readFile(trace, "utf8"), place.database);
      const seen = closes > 0 ? [] : [`nothing of the store was closed:\n${tellAll(played.processes)}`];
      results.push({ name, complaints: [...complaints, ...seen] });
    } catch (error) {
      results.push({ name, complaints: [String((error as Error).message)] });
    } finally {
      await place.remove();
    }
  }
  return results;
}

/**
 * @param trace what strace wrote down, descriptors with their paths
 * @param store the file whose locks matter, with its `-shm`
 */
export function closedBeside(trace: string, store: string): { closes: number; complaints: string[] } {
  const process = new Map<string, string>();
  const open = new Map<string, Set<string>>();
  const complaints: string[] = [];
  let closes = 0;
  for (const line of wholeLines(trace)) {
    const [, thread = "", call = "", args = "", result = ""] = /^(\d+) +(\w+)\((.*)\) += (.*)$/u.exec(line) ?? [];
    if (/^(?:clone3?|v?fork)$/u.test(call)) {
      const [child = ""] = /^\d+/u.exec(result) ?? [];
      const shares = args.includes("CLONE_FILES");
      process.set(child, shares ? (process.get(thread) ?? thread) : child);
    }
    const owner = process.get(thread) ?? thread;
    const [, fd, path] = /^(\d+)<([^>]*)>/u.exec(call === "close" ? args : result) ?? [];
    if (fd === undefined || path === undefined || (path !== store && path !== `${store}-shm`)) continue;
    const of = `${owner} ${path}`;
    const known = open.get(of) ?? new Set();
    open.set(of, known);
    if (call !== "close") known.add(fd);
    else if (known.delete(fd)) {
      closes += 1;
      if (known.size > 0) complaints.push(`process ${owner} closed ${path} beside another descriptor of it`);
    }
  }
  return { closes, complaints };
}

/** A call that another thread came between stands in two lines: the second is where it was done. */
function wholeLines(trace: string): string[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/u.exec(line) ?? [];
    if (text.endsWith(" <unfinished ...>")) {
      begun.set(thread, text.slice(0, -" <unfinished ...>".length));
      return [];
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/u.exec(text)?.[1];
    return [rest === undefined ? line : `${thread} ${begun.get(thread) ?? ""}${rest}`];
  });
}
