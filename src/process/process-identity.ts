import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { pid } from "node:process";
import type { ProcessIdentity } from "../core/child.ts";
import { isAlive } from "./process-liveness.ts";

/** Where this process's numbers count, and since when. */
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

/** When a process began, in ticks since boot; empty for none, for a zombie, and where the system does not tell. */
export function startOf(process: number): string {
  const stat = statOf(process);
  return stat === undefined || isOver(stat) ? "" : (stat[19] ?? "");
}

/** The group of a process that runs; undefined for none and for a zombie. */
export function groupOf(process: number): number | undefined {
  const stat = statOf(process);
  return stat === undefined || isOver(stat) ? undefined : Number(stat[2]);
}

/** Who started a process that runs, or took it over; undefined for none and for a zombie. */
export function parentOf(process: number): number | undefined {
  const stat = statOf(process);
  return stat === undefined || isOver(stat) ? undefined : Number(stat[1]);
}

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
