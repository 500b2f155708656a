import { lstatSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { isJsonObject } from "../../core/json.ts";
import { replaceFile } from "../../files/bytes/atomic-write.ts";
import { withFileLock } from "../../files/bytes/file-lock.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { sweepTemporaries } from "../../files/bytes/temporaries.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { CliProblem } from "../problem.ts";
import { secretsFile } from "./secret-place.ts";

/** One secret as it is kept: its value lies in the keyring where `value` is absent. */
export interface KeptSecret {
  domains: readonly string[];
  value?: string;
}

export type KeptSecrets = ReadonlyMap<string, KeptSecret>;

const maxBytes = 4_000_000;

/**
 * What is kept in the folder; nothing where there is none.
 * @throws CliProblem of the configuration where folder or file is a link, another user's, or open to others, or is not as it was written.
 */
export async function readSecrets(folder: string): Promise<KeptSecrets> {
  if (!isFolderThere(folder)) return new Map();
  const file = secretsFile(folder);
  const look = lstatSync(file, { throwIfNoEntry: false });
  if (look === undefined) return new Map();
  if (look.isSymbolicLink()) throw wrong(file, "is a link");
  const { handle, stats } = await openRegular(file, file).catch((cause: unknown) => {
    throw new CliProblem("configuration", `${file} cannot be read: ${errnoOf(cause) ?? "it is no file"}`, { cause });
  });
  try {
    if (stats.nlink !== 1) throw wrong(file, "has other names");
    checkOwner(file, stats);
    return parsed((await readBounded(handle, stats.size, maxBytes, file)).toString("utf8"), file);
  } finally {
    await handle.close();
  }
}

function isFolderThere(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw wrong(folder, stats.isSymbolicLink() ? "is a link" : "is no folder");
  checkOwner(folder, stats);
  return true;
}

function checkOwner(path: string, { uid, mode }: { uid: number; mode: number }): void {
  if (uid !== process.geteuid?.()) throw wrong(path, `belongs to another user (uid ${uid})`);
  if ((mode & 0o077) !== 0)
    throw wrong(path, `is open to others (mode ${(mode & 0o777).toString(8)})`, `chmod go= '${path}'`);
}

const wrong = (path: string, what: string, hint = "look at it, remove it, and set the secrets anew"): CliProblem =>
  new CliProblem("configuration", `${path} ${what}: it is not taken for the place of secrets`, { hint });

function parsed(text: string, file: string): KeptSecrets {
  // What a parser says of a text quotes it.
  const bad = () => wrong(file, "is not as it was written");
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw bad();
  }
  const { v, secrets } = isJsonObject(data) ? data : {};
  if (v !== 1 || !isJsonObject(secrets)) throw bad();
  return new Map(
    Object.entries(secrets).map(([name, kept]) => {
      const { domains, value } = isJsonObject(kept) ? kept : {};
      if (!Array.isArray(domains) || !domains.every((one) => typeof one === "string")) throw bad();
      if (value !== undefined && typeof value !== "string") throw bad();
      return [name, { domains, ...(value === undefined ? {} : { value }) }];
    }),
  );
}

/** Who holds the lock may ask a slow keyring, more than once. */
const lockWaitMs = 30_000;

/** What is kept, under its lock. */
export interface LockedSecrets {
  kept: ReadonlyMap<string, KeptSecret>;
  /** Writes it anew, and leaves nothing of what was there before. */
  change(change: (kept: Map<string, KeptSecret>) => void): Promise<void>;
}

/** Works on what is kept while nobody else does, the keyring included. @throws as `readSecrets`, and CliProblem where others do for long */
export async function withSecrets<T>(folder: string, work: (secrets: LockedSecrets) => Promise<T>): Promise<T> {
  makeFolder(folder);
  isFolderThere(folder);
  const file = secretsFile(folder);
  return withFileLock(file, { waitMs: lockWaitMs }, async (assertHeld) => {
    const kept = new Map(await readSecrets(folder));
    return work({
      kept,
      change: async (change) => {
        change(kept);
        await assertHeld();
        const bytes = Buffer.from(`${JSON.stringify({ v: 1, secrets: Object.fromEntries(kept) })}\n`);
        await replaceFile(file, bytes, 0o600);
        await chmod(file, 0o600);
        await sweepTemporaries(folder);
      },
    });
  }).catch((cause: unknown) => {
    throw cause instanceof ToolRefusal ? new CliProblem("failed", cause.message, { cause }) : cause;
  });
}
