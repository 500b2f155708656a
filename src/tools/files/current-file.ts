import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { umask } from "node:process";
import { errnoOf } from "../../core/errno.ts";
import { limits } from "../../core/limits.ts";
import type { ToolContext } from "../../core/tool.ts";
import { assertInsideOpened, rootOf } from "../../files/boundary.ts";
import { openRegular, readBounded, tooLarge } from "../../files/bytes/read-regular.ts";
import { setIdBits } from "../../files/bytes/temporaries.ts";
import { fileRefusal } from "../../files/file-errors.ts";

/** What the warning of a plan says of a file that has them. */
export const losesSetId = "it may run as its owner or its group (setuid, setgid): that is taken away";

/** Larger files are not changed: before and after are held in memory, and kept for the journal. */
export const largestChanged = limits.changedFile.most;

export interface CurrentFile {
  /** null: there is no file. */
  bytes: Buffer | null;
  /** Permission bits that it has, or that a new file gets; without those that let it run as its owner or group. */
  mode: number;
  /** It has those: a change takes them away, as the kernel does when a file is written in place. */
  setsId?: true;
  /** Other names of the same file, which would keep the old content. */
  hardLinked: boolean;
  /** The bytes are those that an earlier call of the message will leave. */
  planned: boolean;
}

/**
 * The file as it is for this call: as earlier calls of the message will leave it where this is a plan, else on disk,
 * read from the opened and checked file.
 * @throws ToolRefusal where it cannot be read, or could not be written.
 */
export async function readCurrent(ctx: ToolContext, real: string, asked: string): Promise<CurrentFile> {
  const planned = ctx.overlay?.read(real);
  const onDisk = await readDisk(ctx, real, asked, planned === undefined);
  if (planned === undefined) return onDisk;
  return { ...onDisk, bytes: planned === null ? null : Buffer.from(planned), planned: true };
}

async function readDisk(ctx: ToolContext, real: string, asked: string, wanted: boolean): Promise<CurrentFile> {
  try {
    const { handle, stats } = await openRegular(ctx.pins?.at(real) ?? real, asked);
    try {
      await assertInsideOpened(handle, await rootOf(ctx, real), real, ctx.pins);
      await access(real, constants.W_OK);
      if (wanted && stats.size > largestChanged) throw tooLarge(asked, stats.size, largestChanged);
      const bytes = wanted ? await readBounded(handle, stats.size, largestChanged, asked) : null;
      const setsId = (stats.mode & setIdBits) === 0 ? {} : { setsId: true as const };
      const mode = stats.mode & 0o7777 & ~setIdBits;
      return { bytes, mode, ...setsId, hardLinked: stats.nlink > 1, planned: false };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw fileRefusal(error, asked);
    await assertFolderTakesFiles(dirname(real), asked);
    return { bytes: null, mode: 0o666 & ~umask(), hardLinked: false, planned: false };
  }
}

/** Said while planning, not after a person has approved it: the nearest folder that exists must take new entries. */
async function assertFolderTakesFiles(folder: string, asked: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" && dirname(folder) !== folder) {
      return assertFolderTakesFiles(dirname(folder), asked);
    }
    throw fileRefusal(error, asked);
  }
}
