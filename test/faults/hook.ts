import { appendFileSync, readlinkSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { type Fault, parseFault } from "./points.ts";

/** Says on stderr that the fault of this process came to pass. */
export const struckMark = "FAULT STRUCK: ";

const counts = new Map<string, number>();
let fault: Fault | undefined;
let log: string | undefined;
/** Where the counting begins; undefined once it has. */
let from: string | undefined;

/**
 * Installs the fault that HOLDFAST_FAULT names, counted from the point on that HOLDFAST_FAULT_FROM names, and the list of all points that are
 * reached where HOLDFAST_REACHED names a file.
 */
export async function installFaults(env: NodeJS.ProcessEnv): Promise<void> {
  const text = env["HOLDFAST_FAULT"];
  fault = text === undefined ? undefined : parseFault(text);
  log = env["HOLDFAST_REACHED"];
  from = env["HOLDFAST_FAULT_FROM"];
  (globalThis as Record<symbol, unknown>)[Symbol.for("holdfast.fault")] = reach;
  await halveTemporaries();
}

/** The process is at a point: dies there, throws, or goes on. */
export function reach(name: string): void {
  if (log !== undefined) appendFileSync(log, `${name}\n`);
  if (name === from) from = undefined;
  if (from !== undefined) return;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  if (fault?.name !== name || fault.nth !== count) return;
  writeSync(2, `${struckMark}${name}\n`);
  if (fault.kind === "kill") process.kill(process.pid, "SIGKILL");
  throw new Error(`fault at ${name}`);
}

interface Writing {
  readonly fd: number;
  writeFile(bytes: Uint8Array): Promise<void>;
}

/** Temporary files are written in two halves, with a point between them. */
async function halveTemporaries(): Promise<void> {
  const handle = await open("/dev/null");
  const prototype = Object.getPrototypeOf(handle) as Writing;
  await handle.close();
  const whole = prototype.writeFile;
  prototype.writeFile = async function (this: Writing, bytes) {
    if (!/\/\.holdfast-[^/]*\.tmp$/.test(nameOf(this.fd)) || typeof bytes === "string") return whole.call(this, bytes);
    const half = Math.floor(bytes.length / 2);
    await whole.call(this, bytes.subarray(0, half));
    reach("temporary half written");
    return whole.call(this, bytes.subarray(half));
  };
}

function nameOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
