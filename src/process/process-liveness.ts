import { kill } from "node:process";
import { errnoOf } from "../core/errno.ts";

/** Tells whether a process of this machine has that id now (another user's too). A pid that was given anew counts as alive. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
