import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { closeHandle, isLocked } from "../../../files/locked-files.ts";
import type { TreeChange } from "./known-tree.ts";

/** A command that changed more files than this is a build or a checkout, which can be made again: each would take a wait for the disk. */
const mostSynced = 500;
const atOnce = 8;

/** Puts on disk what was changed, and the names of it. What cannot be opened any more is passed over. */
export async function syncChanges(changes: readonly TreeChange[]): Promise<void> {
  if (changes.length > mostSynced) return;
  const files = changes.filter(({ after }) => after !== null).map(({ real }) => real);
  const folders = new Set(changes.map(({ real }) => dirname(real)));
  await inTurn([...files, ...folders]);
}

async function inTurn(paths: string[]): Promise<void> {
  const next = paths.values();
  const work = async (): Promise<void> => {
    for (const path of next) await syncOne(path);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function syncOne(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || isLocked(found)) return; // the store syncs itself
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch {
    // Some file systems know no fsync of folders, and what is gone needs none.
  } finally {
    await closeHandle(handle);
  }
}
