import { lstatSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { replaceFile } from "../../files/bytes/atomic-write.ts";
import { type LockOptions, withFileLock } from "../../files/bytes/file-lock.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { sweepTemporaries } from "../../files/bytes/temporaries.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { secretPlaces as words } from "../../words/en/secret-places.ts";
import { CliProblem } from "../problem.ts";

const maxBytes = 4_000_000;

/**
 * The text of a file that is the person's alone, in a folder that is; undefined where there is none.
 * @throws CliProblem of the configuration where folder or file is a link, another user's, or open to others.
 */
export async function readPrivate(file: string): Promise<string | undefined> {
  if (!isFolderThere(dirname(file))) return undefined;
  const look = lstatSync(file, { throwIfNoEntry: false });
  if (look === undefined) return undefined;
  if (look.isSymbolicLink()) throw wrongFile(words().isLink({ path: file }));
  const { handle, stats } = await openRegular(file, file).catch((cause: unknown) => {
    const why = errnoOf(cause);
    const said = why === undefined ? words().noFile({ file }) : words().unread({ file, why });
    throw new CliProblem("configuration", said, { cause });
  });
  try {
    if (stats.nlink !== 1) throw wrongFile(words().hasOtherNames({ path: file }));
    checkOwner(file, stats);
    return (await readBounded(handle, stats.size, maxBytes, file)).toString("utf8");
  } finally {
    await handle.close();
  }
}

/** @throws CliProblem of the configuration where it is a link, another user's, or open to others */
export function isFolderThere(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory())
    throw wrongFile((stats.isSymbolicLink() ? words().isLink : words().isNoFolder)({ path: folder }));
  checkOwner(folder, stats);
  return true;
}

function checkOwner(path: string, { uid, mode }: { uid: number; mode: number }): void {
  if (uid !== process.geteuid?.()) throw wrongFile(words().isOthers({ path, uid }));
  if ((mode & 0o077) !== 0)
    throw wrongFile(words().isOpen({ path, mode: (mode & 0o777).toString(8) }), `chmod go= '${path}'`);
}

/** @param said which file or folder is not taken for the place of secrets, and why */
export const wrongFile = (said: string, hint = words().placeHint): CliProblem =>
  new CliProblem("configuration", said, { hint });

/** The wait for the lock, in milliseconds: its owner may ask a slow keyring, more than once. */
const lockWaitMs = 30_000;

/**
 * Works on such a file while nobody else does.
 * @param work gets what writes it anew, and leaves nothing of what was there before
 * @throws as `readPrivate`, CliProblem where others do for long, and the reason of the signal that ended the wait for them
 */
export async function withPrivate<T>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
  options: LockOptions = { waitMs: lockWaitMs },
): Promise<T> {
  const folder = dirname(file);
  makeFolder(folder);
  isFolderThere(folder);
  return withFileLock(file, options, (assertHeld) =>
    work(async (text) => {
      await assertHeld();
      await replaceFile(file, Buffer.from(text), 0o600);
      await chmod(file, 0o600);
      await sweepTemporaries(folder);
    }),
  ).catch((cause: unknown) => {
    if (cause instanceof ToolRefusal && cause.code === "CANCELLED") throw options.signal?.reason ?? cause;
    throw cause instanceof ToolRefusal ? new CliProblem("failed", cause.message, { cause }) : cause;
  });
}
