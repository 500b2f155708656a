import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, opendir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pid } from "node:process";
import { errnoOf } from "../../core/errno.ts";
import { faultPoint } from "../../core/fault-point.ts";
import type { Sha } from "../../core/json.ts";
import { isAlive } from "../../process/process-liveness.ts";
import type { PinnedFolder } from "../pinned-folder.ts";
import { openRegular } from "./read-regular.ts";

// .holdfast-<pid>-<random>.tmp       bytes on their way to a file
// .holdfast-<pid>-<random>.<sha>.old the file that is being replaced, with the hash it had when it was checked
const pattern = /^\.holdfast-(\d+)-[0-9a-f]{16}(?:\.tmp|\.([0-9a-f]{64})\.old)$/;

/** Nothing of ours lives this long: an owner that seems alive after it is another process with the same id. */
const longestLife = 10 * 60_000;

export const temporaryName = (): string => `.holdfast-${pid}-${randomBytes(8).toString("hex")}.tmp`;

export const asideName = (before: Sha): string => `.holdfast-${pid}-${randomBytes(8).toString("hex")}.${before}.old`;

export interface Swept {
  removed: string[];
  /** Files set aside whose bytes are not those that were checked: somebody's save, which nobody else holds any more. */
  kept: string[];
}

/**
 * Removes from one folder what a killed process left of its writing. What a living process uses stays, and so does a
 * file set aside that holds somebody's save. A folder that cannot be listed has nothing swept.
 */
export async function sweepTemporaries(folder: string): Promise<Swept> {
  const swept: Swept = { removed: [], kept: [] };
  const entries = await opendir(folder).catch(() => undefined);
  if (entries === undefined) return swept;
  for await (const entry of entries) {
    const match = pattern.exec(entry.name);
    if (match === null || !entry.isFile()) continue;
    const path = join(folder, entry.name);
    const verdict = await judge(path, Number(match[1]), match[2]).catch(() => "used" as const);
    if (verdict === "kept") swept.kept.push(path);
    if (verdict !== "left") continue;
    const gone = await unlink(path).then(
      () => true,
      () => false,
    );
    if (gone) swept.removed.push(path);
  }
  return swept;
}

async function judge(path: string, owner: number, before: Sha | undefined): Promise<"left" | "used" | "kept"> {
  const { ctimeMs } = await stat(path);
  if (isAlive(owner) && Date.now() - ctimeMs < longestLife) return "used";
  if (before === undefined) return "left";
  return (await hashFile(path)) === before ? "left" : "kept";
}

/**
 * sha256 of a file's bytes, null where there is no file. Blocks on nothing: a link, a FIFO or a device is refused.
 * @throws ToolRefusal IS_DIRECTORY, NOT_A_FILE; errors of the file system as they come.
 */
export async function hashFile(path: string): Promise<Sha | null> {
  try {
    const { handle } = await openRegular(path, path);
    return await hashHandle(handle).finally(() => handle.close());
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** The whole file from its start, in constant memory. The handle stays open. */
export async function hashHandle(handle: FileHandle): Promise<Sha> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Of a mode: who runs the file has its owner's rights, or its group's. */
export const setIdBits = 0o6000;

export interface FileLook {
  /** Permission bits, e.g. 0o644. */
  mode: number;
  /** Kept where we may. */
  owner?: { uid: number; gid: number };
}

/** Whole, or piece by piece: what is long need not be there all at once. */
export type FileContent = Uint8Array | Iterable<Uint8Array>;

/**
 * Writes bytes to a new temporary file of the folder and makes them durable. On any failure nothing of it is left.
 * @returns the temporary's name.
 */
export async function stageFile(folder: PinnedFolder, bytes: FileContent, look: FileLook): Promise<string> {
  const name = temporaryName();
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(folder.at(name), flags, 0o600);
  try {
    faultPoint("temporary created");
    await fill(handle, bytes, look).finally(() => handle.close());
    return name;
  } catch (error) {
    await discard(folder, name);
    throw error;
  }
}

async function fill(handle: FileHandle, bytes: FileContent, look: FileLook): Promise<void> {
  for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await handle.writeFile(part);
  faultPoint("temporary written");
  // Before the mode: changing the owner clears bits of it.
  if (look.owner !== undefined) await keepOwner(handle, look.owner);
  await handle.chmod(look.mode);
  await handle.sync();
  faultPoint("temporary synced");
}

async function keepOwner(handle: FileHandle, owner: { uid: number; gid: number }): Promise<void> {
  const now = await handle.stat();
  if (now.uid === owner.uid && now.gid === owner.gid) return;
  await handle.chown(owner.uid, owner.gid).catch(() => undefined);
}

/** Removes a temporary that may be gone already. */
export async function discard(folder: PinnedFolder, name: string): Promise<void> {
  await unlink(folder.at(name)).catch(() => undefined);
}
