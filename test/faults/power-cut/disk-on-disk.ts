import { chmod, link, lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiskState } from "./disk.ts";

/** The folders of a place that are on the disk that loses its power. */
const parts = ["work", "home", "tmp"];
const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o7777;

/** @param root of a place. @returns what its folders hold */
export async function lookAt(root: string): Promise<DiskState> {
  const state: DiskState = new Map();
  const walk = async (path: string): Promise<void> => {
    state.set(path, { folder: true, mode: await modeOf(join(root, path)) });
    for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
      const below = join(path, entry.name);
      const real = join(root, below);
      if (entry.isDirectory()) await walk(below);
      else state.set(below, { bytes: await readFile(real), mode: await modeOf(real), inode: (await lstat(real)).ino });
    }
  };
  const there = await readdir(root);
  for (const part of parts.filter((name) => there.includes(name))) await walk(part);
  return state;
}

/** Lets the folders of a place hold this and nothing else. */
export async function restore(root: string, state: DiskState): Promise<void> {
  await Promise.all(parts.map((part) => rm(join(root, part), { recursive: true, force: true })));
  const first = new Map<number, string>();
  for (const [path, is] of state) {
    const real = join(root, path);
    if ("folder" in is) {
      await mkdir(real);
    } else if (first.has(is.inode)) {
      await link(first.get(is.inode) ?? "", real);
      continue;
    } else {
      first.set(is.inode, real);
      await writeFile(real, is.bytes);
    }
    await chmod(real, is.mode);
  }
}
