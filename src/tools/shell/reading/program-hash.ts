import { accessSync, type BigIntStats, constants, lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { geteuid } from "node:process";
import { type Sha, sha256 } from "../../../core/json.ts";
import { openRegular } from "../../../files/bytes/read-regular.ts";
import { hashHandle } from "../../../files/bytes/temporaries.ts";

/** An operand as a plan binds it: by its path alone, or by its path and its content. */
export interface Operand {
  path: string;
  sha?: Sha;
}

/** Adds a hash to each program that the person, and so a command of theirs, could change. */
export type ProgramHashes = (operands: readonly Operand[]) => Promise<Operand[]>;

/**
 * A program is hashed once for as long as it lies there unchanged, in this process's life: node's own 95 MB take 160 ms.
 */
export function createProgramHashes(): ProgramHashes {
  const known = new Map<string, Sha>();
  return (operands) =>
    Promise.all(
      operands.map(async (operand) => {
        if (operand.sha !== undefined || !mayChange(operand.path)) return operand;
        const sha = await hashOf(operand.path, known);
        return sha === undefined ? operand : { ...operand, sha };
      }),
    );
}

/** Tells whether the person may write the file, or put another one in its place: it or a folder on the way to it is theirs, or may be written. */
function mayChange(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (isTheirs(at)) return true;
    if (at === dirname(at)) return false;
  }
}

function isTheirs(path: string): boolean {
  try {
    if (lstatSync(path).uid === geteuid?.()) return true;
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A file that was changed so lately, in milliseconds, may change again without showing it: its hash is not kept. */
const settledAfter = 2_000;

/** @returns undefined where there is no such regular file; of one that cannot be read a hash of what a look at it tells. */
async function hashOf(path: string, known: Map<string, Sha>): Promise<Sha | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  const mark = markOf(stats);
  const sha = known.get(mark) ?? (await readHash(path, mark)) ?? sha256(mark);
  if (Date.now() - Number(stats.ctimeMs) > settledAfter) known.set(mark, sha);
  return sha;
}

const markOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

/** @returns undefined where it cannot be read, or is another one when it was opened, or read to its end. */
async function readHash(path: string, mark: string): Promise<Sha | undefined> {
  try {
    const { handle } = await openRegular(path, path);
    try {
      const sha = await hashHandle(handle);
      return markOf(await handle.stat({ bigint: true })) === mark ? sha : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
