import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { faultPoint } from "../../core/fault-point.ts";
import type { PinnedFolder } from "../pinned-folder.ts";
import { temporaryName } from "./temporaries.ts";

/** Of a mode: who runs the file has its owner's rights, or its group's. */
export const setIdBits = 0o6000;

export interface FileLook {
  /** Permission bits, e.g. 0o644. */
  mode: number;
  /** Kept where we may. */
  owner?: { uid: number; gid: number };
}

/**
 * Writes bytes to a new temporary file of the folder and makes them durable. On any failure nothing of it is left.
 * @returns the temporary's name.
 */
export async function stageFile(folder: PinnedFolder, bytes: Uint8Array, look: FileLook): Promise<string> {
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

async function fill(handle: FileHandle, bytes: Uint8Array, look: FileLook): Promise<void> {
  await handle.writeFile(bytes);
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
