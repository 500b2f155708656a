import { randomBytes } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { pid } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { faultPoint } from "../../core/fault-point.ts";
import { thisMachine } from "../../process/process-identity.ts";
import { isAlive } from "../../process/process-liveness.ts";
import { fileRefusal } from "../file-errors.ts";
import { readUnlocked } from "../locked-files.ts";
import { temporaryName } from "./temporaries.ts";

export interface LockOptions {
  /** The time to wait for another holder, in milliseconds; default 5,000. */
  waitMs?: number;
  signal?: AbortSignal;
}

// Keeps files 3.
/**
 * Runs `work` while this process alone holds `path` + ".lock". The lock of a process of this machine that has died is
 * taken over; its folder must exist.
 * @param work gets a check that throws when the lock was lost after all: to be called before what it guards.
 * @throws ToolRefusal TIMEOUT naming the holder; CANCELLED.
 */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`;
  const owner = `${pid} ${hostname()} ${randomBytes(8).toString("hex")} ${thisMachine().boot}\n`;
  await acquire(lock, owner, options);
  const held = async (): Promise<boolean> => (await holder(lock)) === owner;
  try {
    faultPoint("lock taken");
    return await work(async () => {
      if (!(await held())) throw new ToolRefusal("TIMEOUT", `${lock} was taken by another process: try again`);
    });
  } finally {
    if (await held()) await unlink(lock).catch(() => undefined);
  }
}

async function acquire(lock: string, owner: string, { waitMs = 5_000, signal }: LockOptions): Promise<void> {
  const pause = 20;
  for (let waited = 0; ; waited += pause) {
    if (signal?.aborted) throw new ToolRefusal("CANCELLED", "waiting for a lock was cancelled");
    if (await take(lock, owner)) return;
    const other = await holder(lock);
    if (other !== undefined && isDead(other)) await takeAway(lock, other);
    else if (waited >= waitMs) {
      const who = other === undefined ? "another process" : `process ${other.trim()}`;
      throw new ToolRefusal("TIMEOUT", `${lock} is held by ${who}; remove it if that process does not run`);
    }
    await sleep(pause);
  }
}

/** The lock appears with its content: it is written under another name and linked, which overwrites nothing. */
async function take(lock: string, owner: string): Promise<boolean> {
  const draft = join(dirname(lock), temporaryName());
  try {
    const handle = await open(draft, "wx", 0o600);
    await handle.writeFile(owner).finally(() => handle.close());
    await link(draft, lock);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw fileRefusal(error, lock);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

async function holder(lock: string): Promise<string | undefined> {
  try {
    return readUnlocked(lock).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Of a process on another machine nothing can be known. No lock appears but with its whole text, unless a power cut took that. */
function isDead(owner: string): boolean {
  const [, id, host, boot] = /^(\d+) (\S+) [0-9a-f]+ ?(\S*)\n$/.exec(owner) ?? [];
  if (id === undefined) return true;
  return host === hostname() && (boot !== thisMachine().boot || !isAlive(Number(id)));
}

/** Moved first and looked at then, so that of two who find the same dead holder one does not take the other's new lock. */
async function takeAway(lock: string, dead: string): Promise<void> {
  const moved = join(dirname(lock), temporaryName());
  try {
    await rename(lock, moved);
  } catch {
    return;
  }
  if ((await holder(moved)) !== dead) await link(moved, lock).catch(() => undefined);
  await unlink(moved).catch(() => undefined);
}
