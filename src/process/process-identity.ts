import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { pid } from "node:process";
import type { ProcessIdentity } from "../core/child.ts";
import { isAlive } from "./process-liveness.ts";

/** Returns the place where this process's numbers count, and the boot since which they do. */
export function thisMachine(): Pick<ProcessIdentity, "host" | "boot"> {
  return {
    host: `${hostname()} ${quietly(() => readlinkSync("/proc/self/ns/pid"))}`.trim(),
    boot: quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
  };
}

export const thisProcess = (): ProcessIdentity => ({ pid, ...thisMachine(), started: startOf(pid) });

/** `elsewhere`: nobody here can know whether it lives. */
export function standing(process: ProcessIdentity, here: ProcessIdentity): "alive" | "dead" | "elsewhere" {
  if (process.host !== here.host) return "elsewhere";
  if (process.boot !== here.boot) return "dead";
  if (here.started === "") return isAlive(process.pid) ? "alive" : "dead";
  return startOf(process.pid) === process.started ? "alive" : "dead";
}

/** A process that runs, as the system tells of it at one moment. */
export interface RunningProcess {
  pid: number;
  /** The process that started it, or took it over. */
  parent: number;
  group: number;
  /** Its beginning, in ticks since boot. */
  started: string;
}

/** Undefined for none and for a zombie, and where the system does not tell. */
export function runningAs(pid: number): RunningProcess | undefined {
  const stat = statOf(pid);
  if (stat === undefined || isOver(stat)) return undefined;
  return { pid, parent: Number(stat[1]), group: Number(stat[2]), started: stat[19] ?? "" };
}

/** Returns the beginning of a process, in ticks since boot; empty for none, for a zombie, and where the system does not tell. */
export const startOf = (process: number): string => runningAs(process)?.started ?? "";

/** The group of a process that runs; undefined for none and for a zombie. */
export const groupOf = (process: number): number | undefined => runningAs(process)?.group;

/** The fields of /proc/PID/stat behind the name, which may hold blanks and brackets; the first is the state. */
function statOf(process: number): string[] | undefined {
  const stat = quietly(() => readFileSync(`/proc/${process}/stat`, "utf8"));
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

const isOver = (stat: string[]): boolean => stat[0] === "Z" || stat[0] === "X";

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
