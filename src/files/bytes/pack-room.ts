import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../core/limits.ts";

/** The tree that one session keeps for its commands. */
export interface KeptTree {
  /** The path without an ending; its last part is the session's id (see packBase). */
  base: string;
  bytes: number;
  /** The time of the last write; milliseconds since the epoch. */
  usedAt: number;
}

const endings = [".bytes", ".index", ".tree"];

/** Lists the trees in the folder, the newest first; none where there is no such folder. */
export function keptTrees(folder: string): KeptTree[] {
  const found = new Map<string, KeptTree>();
  for (const name of namesIn(folder)) {
    const ending = endings.find((end) => name.endsWith(end));
    const stats = ending === undefined ? undefined : statSync(join(folder, name), { throwIfNoEntry: false });
    if (ending === undefined || stats === undefined) continue;
    const base = join(folder, name.slice(0, -ending.length));
    const tree = found.get(base) ?? { base, bytes: 0, usedAt: 0 };
    tree.bytes += stats.size;
    tree.usedAt = Math.max(tree.usedAt, stats.mtimeMs);
    found.set(base, tree);
  }
  return [...found.values()].sort((one, other) => other.usedAt - one.usedAt);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Makes room for `bytes` more of one session: what was used least lately is dropped, other sessions' first, then the session's own.
 */
export function makeRoom(base: string, bytes: number, most: number = limits.keptTrees.most): void {
  const trees = keptTrees(dirname(base));
  let sum = trees.reduce((total, tree) => total + tree.bytes, bytes);
  const others = trees.filter((tree) => tree.base !== base);
  for (const tree of [...others.toReversed(), ...trees.filter((one) => one.base === base)]) {
    if (sum <= most) return;
    dropKeptTree(tree.base);
    sum -= tree.bytes;
  }
}

/** Removes what one session keeps. */
export function dropKeptTree(base: string): void {
  for (const ending of endings) rmSync(base + ending, { force: true });
}

/** Counts the contents that it holds. */
export function contentsOf({ base }: Pick<KeptTree, "base">): number {
  try {
    return readFileSync(`${base}.index`, "latin1").split("\n").length - 1;
  } catch {
    return 0;
  }
}
