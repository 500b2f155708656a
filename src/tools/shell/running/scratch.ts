import { lstat, mkdir, readdir, rename, rm, unlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A folder of one workspace, by the hash of its path; and one that is about to be removed. */
const ours = /^[0-9a-f]{16}$/u;
const leaving = /^[0-9a-f]{16}\.old$/u;

/** After so many days without a command what a workspace has here is removed: caches can be filled again. */
export const unusedDays = 30;

/** The folders of ours that commands of all workspaces have. */
export interface ScratchFolders {
  folders: number;
  bytes: number;
}

/** The parts of its workspace's folder that a command gets. */
export interface CommandFolders {
  tmp: string;
  cache: string;
}

/** Returns the folders of a command: one without the sandbox takes no program from those of commands in it, and has folders of its own. */
export function foldersOf(scratch: string, { sandbox }: { sandbox: boolean }): CommandFolders {
  const at = sandbox ? scratch : join(scratch, "free");
  return { tmp: join(at, "tmp"), cache: join(at, "cache") };
}

/**
 * Makes the folders that a command gets, and notes that they were used. Each is a folder: a link that an earlier command left in its
 * place would be followed when the sandbox is made.
 */
export async function makeScratch(scratch: string, { tmp, cache }: CommandFolders): Promise<void> {
  for (const folder of new Set([scratch, dirname(tmp), tmp, cache])) {
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() === false) await unlink(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  const now = new Date();
  await utimes(scratch, now, now);
}

/**
 * Removes what workspaces had that no command has used for so long, but never this one's. Only folders of ours by their name count, and
 * links are not followed. What fails is left for the next time.
 */
export async function sweepScratch(scratch: string, now = Date.now()): Promise<void> {
  const top = dirname(scratch);
  for (const name of await readdir(top).catch(() => [])) {
    const path = join(top, name);
    const isOld = leaving.test(name) || (ours.test(name) && name !== basename(scratch) && (await isUnused(path, now)));
    if (!isOld) continue;
    // A folder that lost some of its files would look used.
    const gone = leaving.test(name) ? path : `${path}.old`;
    if (gone !== path) await rename(path, gone).catch(() => undefined);
    await rm(gone, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isUnused(path: string, now: number): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && now - found.mtimeMs > unusedDays * 24 * 60 * 60 * 1000;
}

/** Counts the folders and the bytes that commands of all workspaces have there. */
export async function scratchFolders(top: string): Promise<ScratchFolders> {
  const names = (await readdir(top).catch(() => [])).filter((name) => ours.test(name));
  const sizes = await Promise.all(names.map((name) => sizeOf(join(top, name))));
  return { folders: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await sizeOf(join(path, name));
  return sum;
}
