import { closeSync, constants, type Dirent, open as openFile, readdir as readFolder, readlinkSync } from "node:fs";
import { type FileHandle, mkdir, open, readlink, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { errnoOf } from "../core/errno.ts";
import { faultPoint } from "../core/fault-point.ts";
import type { PinnedRoots } from "../core/tool.ts";
import { assertInsideOpened } from "./boundary.ts";

/**
 * An opened folder. Names are reached through its descriptor (/proc/self/fd/N/name on Linux), so that swapping the
 * folder for a symlink after it was checked changes nothing; elsewhere the plain path is used.
 */
export interface PinnedFolder {
  readonly path: string;
  /** The path by which a file of the folder is to be opened, linked or renamed. */
  at(name: string): string;
  /** Makes renames and links in the folder durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * To read it.
 * @param real absolute, symlinks resolved.
 * @param within the workspace, where the folder has to lie in one; checked on the opened folder.
 * @param pins where it is to be the session's own, whatever has its name.
 * @throws ToolRefusal OUTSIDE_WORKSPACE or STALE; FolderLost; errors of the file system as they come.
 */
export async function pinFolder(real: string, within?: string, pins?: PinnedRoots): Promise<PinnedFolder> {
  const way = pins?.at(real) ?? real;
  // A root is reached by the link that stands for its descriptor.
  const flags =
    pins?.descriptors().some(({ path }) => path === real) === true ? folderFlags & ~constants.O_NOFOLLOW : folderFlags;
  return pinned(await open(way, flags), real, within, pins);
}

/** A folder with what it held when it was read. */
export interface ListedFolder {
  readonly entries: readonly Dirent[];
  at(name: string): string;
  close(): void;
}

const openPlainly = promisify(openFile);
const readPlainly = promisify<string, { withFileTypes: true }, Dirent[]>(readFolder);

/**
 * The same for one of thousands that are only read: opened, found to be where its path says, and read in one go. What may wait for a disk or
 * another machine holds no thread.
 * @throws as `pinFolder` does.
 */
export async function listPinned(real: string, within: string): Promise<ListedFolder> {
  const fd = await openPlainly(real, folderFlags);
  try {
    const link = `/proc/self/fd/${fd}`;
    const leads = linkIn(link);
    if (leads !== real) await assertInsideOpened({ fd }, within, real);
    const base = leads === undefined ? real : link;
    const entries = await readPlainly(base, { withFileTypes: true });
    return { entries, at: (name) => join(base, name), close: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** To change what is in it: reached from its root name by name, so that no link is followed even for an instant. */
async function pinStrictly(real: string, within?: string, pins?: PinnedRoots): Promise<PinnedFolder> {
  pins?.check();
  const handle = await pins?.open(real, { flags: constants.O_RDONLY });
  return handle === undefined ? pinFolder(real, within, pins) : pinned(handle as FileHandle, real, within, pins);
}

async function pinned(
  handle: FileHandle,
  real: string,
  within: string | undefined,
  pins: PinnedRoots | undefined,
): Promise<PinnedFolder> {
  try {
    if (within !== undefined) await assertInsideOpened(handle, within, real, pins);
    const base = (await hasDescriptorPaths(handle)) ? `/proc/self/fd/${handle.fd}` : real;
    return { path: real, at: (name) => join(base, name), sync: () => syncFolder(handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function hasDescriptorPaths(handle: FileHandle): Promise<boolean> {
  return readlink(`/proc/self/fd/${handle.fd}`).then(
    () => true,
    () => false,
  );
}

/** The errors of file systems that know no fsync of folders: nothing more can be done there. */
export const withoutFolderSync: readonly string[] = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF", "EPERM"];

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!withoutFolderSync.includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Folders that `makeFolders` made, outermost first. */
export type MadeFolders = string[];

/**
 * Makes the folders of `path` that are missing, one by one, each in its pinned and checked parent.
 * @returns the paths it made: `removeFolders` takes them back when what follows fails.
 */
export async function makeFolders(path: string, within: string, pins?: PinnedRoots): Promise<MadeFolders> {
  const made: MadeFolders = [];
  const segments = relative(within, path).split(sep);
  let parent = within;
  try {
    for (const segment of segments) {
      if (segment === "") continue;
      const folder = await pinStrictly(parent, within, pins);
      try {
        if (await makeEntry(folder, segment)) made.push(join(parent, segment));
      } finally {
        await folder.close();
      }
      parent = join(parent, segment);
    }
    return made;
  } catch (error) {
    await removeFolders(made, pins);
    throw error;
  }
}

async function makeEntry(parent: PinnedFolder, name: string): Promise<boolean> {
  try {
    await mkdir(parent.at(name));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  faultPoint("folder made");
  await parent.sync();
  return true;
}

/** Takes back what `makeFolders` made. A folder that someone has used meanwhile stays. */
export async function removeFolders(made: MadeFolders, pins?: PinnedRoots): Promise<void> {
  for (const path of made.toReversed()) {
    await rmdir(pins?.at(path) ?? path).catch(() => undefined);
  }
}

/** The parent folder, pinned for the time of `use`. */
export async function withParent<T>(
  path: string,
  { within, pins }: { within?: string | undefined; pins?: PinnedRoots | undefined },
  use: (folder: PinnedFolder) => Promise<T>,
): Promise<T> {
  const folder = await pinStrictly(dirname(path), within, pins);
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}
