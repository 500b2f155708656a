import { readdirSync, readFileSync } from "node:fs";

/** Set for what a program that is run does not get. */
const closedOnExec = 0o2000000;

let known: readonly number[] | undefined;

/**
 * Descriptors above 2 that whoever started this process left open, and that every child would get: Node marks its own, and gives a
 * child what it is told to beside these. Looked for once, for they are there from the start. Empty where the system does not tell.
 */
export function inheritedDescriptors(): readonly number[] {
  known ??= listed().filter(isPassedOn);
  return known;
}

function listed(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2);
  } catch {
    return [];
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false; // the list's own, closed by now
  }
}
