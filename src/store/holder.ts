import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";

/** One process, told apart from every other that had or will have its number. */
export interface Holder {
  pid: number;
  /** Host name and pid namespace: process numbers mean something only there. */
  host: string;
  /** Empty where the system does not tell (not Linux). */
  boot: string;
  /** Ticks since boot, as text; empty where the system does not tell. */
  started: string;
}

export function thisHolder(): Holder {
  return {
    pid,
    host: `${hostname()} ${quietly(() => readlinkSync("/proc/self/ns/pid"))}`.trim(),
    boot: quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    started: startOf(pid),
  };
}

/** `elsewhere`: nobody here can know whether it lives. */
export function standing(holder: Holder, here: Holder): "alive" | "dead" | "elsewhere" {
  if (holder.host !== here.host) return "elsewhere";
  if (holder.boot !== here.boot) return "dead";
  if (here.started === "") return answers(holder.pid) ? "alive" : "dead";
  return startOf(holder.pid) === holder.started ? "alive" : "dead";
}

/** Field 22 of /proc/PID/stat, counted after the name, which may hold blanks; empty for none and for a zombie. */
function startOf(process: number): string {
  const stat = quietly(() => readFileSync(`/proc/${process}/stat`, "utf8"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
}

function answers(process: number): boolean {
  try {
    return kill(process, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
