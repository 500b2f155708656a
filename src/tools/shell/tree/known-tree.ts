import type { Sha } from "../../../core/json.ts";
import { lookAtFile, type TreeFile } from "./tree-list.ts";

/** A file's state, and the hash of its content; undefined where that is not kept. */
export interface KnownFile {
  mark: string;
  /** It had not changed for long enough that its next change gives it another mark. */
  isSettled: boolean;
  mode: number;
  sha: Sha | undefined;
}

/** The files as they lay at one time. */
export interface KnownTree {
  /** Milliseconds since the epoch: when all of it had been looked at. */
  at: number;
  files: ReadonlyMap<string, KnownFile>;
}

/** A file that is not as it was. A hash is null where there is no file, undefined where the content is not known. */
export interface TreeChange {
  real: string;
  before: Sha | null | undefined;
  after: Sha | null | undefined;
  /** Permission bits of the file before; of a new one, as it is. */
  mode: number;
  /** From now on whoever runs the file runs it with its owner's or group's rights. */
  setsId?: true;
}

/**
 * The time by which the file system's clock, which moves on in ticks, may be behind, in milliseconds. Two writes within one tick have the same time.
 */
export const tickMs = 10;

/**
 * Finds the files that are not in the list any more and are still there all the same: those that are ignored by now, or that the list did not come
 * to. They are no removed files.
 */
export function stillThere(old: KnownTree, listed: ReadonlyMap<string, TreeFile>): TreeFile[] {
  return [...old.files.keys()].flatMap((path) => (listed.has(path) ? [] : (lookAtFile(path) ?? [])));
}

/** Lists the changes from one to the other, by path. `met`: the files of `now`, with when each was made. */
export function changesBetween(
  old: KnownTree,
  now: KnownTree,
  met: ReadonlyMap<string, Pick<TreeFile, "bornAt">>,
): TreeChange[] {
  const gone: TreeChange[] = [...old.files].flatMap(([real, { sha, mode }]) =>
    now.files.has(real) ? [] : { real, before: sha, after: null, mode },
  );
  const moved = new Set(gone.map(({ before }) => before));
  const others = [...now.files].flatMap(([real, file]): TreeChange[] => {
    const before = old.files.get(real);
    const setsId = (file.mode & idBits & ~(before?.mode ?? 0)) === 0 ? {} : { setsId: true as const };
    if (before !== undefined)
      return isSame(before, file) && setsId.setsId !== true ? [] : [{ ...changed(real, before, file), ...setsId }];
    // One that is older than the command was brought from elsewhere, or came out from behind .gitignore: taking the command
    // back must not remove the only copy of it.
    const isOlder = (met.get(real)?.bornAt ?? 0) < old.at - tickMs && !moved.has(file.sha);
    return [{ real, before: isOlder ? undefined : null, after: file.sha, mode: file.mode, ...setsId }];
  });
  return [...gone, ...others].sort((one, other) => (one.real < other.real ? -1 : 1));
}

/** The bits for set-user-id and set-group-id. */
const idBits = 0o6000;

const isSame = (one: KnownFile, other: KnownFile): boolean =>
  one.sha !== undefined && other.sha !== undefined ? one.sha === other.sha : one.mark === other.mark;

const changed = (real: string, before: KnownFile, after: KnownFile): TreeChange => ({
  real,
  before: before.sha,
  after: after.sha,
  mode: before.mode,
});
