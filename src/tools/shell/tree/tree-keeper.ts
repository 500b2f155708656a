import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { ToolRefusal } from "../../../core/codes.ts";
import type { Coverage } from "../../../core/coverage.ts";
import { limitText } from "../../../core/limit-text.ts";
import { limits } from "../../../core/limits.ts";
import { packFiles, readPack } from "../../../files/bytes/pack-file.ts";
import { makeRoom } from "../../../files/bytes/pack-room.ts";
import { fileRefusal } from "../../../files/file-errors.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { MorePatterns } from "../../search/ignore-rules.ts";
import { changesBetween, type KnownFile, type KnownTree, stillThere, type TreeChange, tickMs } from "./known-tree.ts";
import { createPacker, type Packer } from "./packer.ts";
import { syncChanges } from "./sync-changes.ts";
import { holdsAll, isKept, listTree, type TreeFile, type TreeList } from "./tree-list.ts";
import { readTreeNote, removeTreeNote, writeTreeNote } from "./tree-note.ts";

/** Keeps what a command may change, by copying: nothing of the repository is run for it. */
export interface TreeKeeper {
  /** Returns the coverage that there would be, without copying. */
  look(signal: AbortSignal): Promise<Coverage>;
  /** Copies what is not copied yet, and notes under the call's id how the files lie now. On disk when it resolves. */
  before(callId: string, signal: AbortSignal): Promise<Coverage>;
  /**
   * Lists the changes since `before` of this call, their new content kept too, and on disk when it resolves: a command does not sync what it writes,
   * and its success is told. Undefined where it was not covered.
   */
  after(callId: string, signal: AbortSignal): Promise<TreeChange[] | undefined>;
  /** Each `.git` below the roots, as `before` or `after` met them last; those in ignored folders left out. */
  git(): readonly string[];
  /** Folders of our own, where a command's change is told from that of our processes: absolute, links followed. */
  readonly own: readonly string[];
  /** A content that was kept. */
  read(sha: string): Buffer | undefined;
  close(): Promise<void>;
}

export interface TreeKeeperOptions {
  /** Absolute, symlinks resolved. */
  roots: readonly string[];
  /** The pack's path without its ending, in a folder of the agent's own. */
  base: string;
  ignore?: MorePatterns;
  /** Folders of our own: they are not kept. Absolute, links followed. */
  own?: readonly string[];
  /** Milliseconds since the epoch, by the clock of the file system. */
  clock?: () => number;
}

const nothing: KnownTree = { at: 0, files: new Map() };

export function createTreeKeeper(options: TreeKeeperOptions): TreeKeeper {
  const { roots, base, ignore = [], own = [], clock = Date.now } = options;
  const copies = createCopies(base);
  const pack = readPack(base);
  let known: KnownTree = nothing;
  /** The call that `known` lay before; undefined where something has run since. */
  let latest: string | undefined;
  const lists = createLists(roots, { ignore, own });

  /** Reads what may have changed since it was last known. */
  const learn = async (met: ReadonlyMap<string, TreeFile>, begun: number): Promise<KnownTree> => {
    const old = known.files;
    const fresh = [...met.values()].filter((file) => isKept(file) && !isKnown(old.get(file.path), file));
    const shas = await copies.add(fresh);
    const files = new Map<string, KnownFile>();
    for (const { path, mark, mode, changedAt } of met.values()) {
      const sha = shas.has(path) ? shas.get(path) : old.get(path)?.sha;
      files.set(path, { mark, isSettled: begun - changedAt > 2 * tickMs, mode, sha });
    }
    return { at: clock(), files };
  };

  const keep = async (callId: string, met: TreeList, begun: number): Promise<Coverage> => {
    const coverage = coverageOf(met);
    if (!coverage.covered) return coverage;
    try {
      makeFolder(dirname(base));
      makeRoom(base, met.bytes);
      // Room was made of what this session had kept, by this process or another: it is copied anew.
      if (!existsSync(packFiles(base).bytes)) {
        await copies.close();
        known = nothing;
      }
      known = await learn(met.files, begun);
      await writeTreeNote(base, callId, known);
      latest = callId;
      return coverage;
    } catch (error) {
      return notCopied(error, base);
    }
  };

  return {
    look: async (signal) => coverageOf(await listTree(roots, { ignore, own, signal })),
    before: async (callId, signal) => {
      const begun = clock();
      latest = undefined;
      const coverage = await keep(callId, await lists.make(signal), begun);
      if (!coverage.covered) removeTreeNote(base);
      return coverage;
    },
    after: async (callId, signal) => {
      const old = latest === callId ? known : readTreeNote(base, callId);
      latest = undefined;
      if (old === undefined) return undefined;
      known = old;
      const begun = clock();
      const { files: met } = await lists.make(signal);
      for (const file of stillThere(old, met)) met.set(file.path, file);
      const now = await learn(met, begun);
      known = now;
      const changes = changesBetween(old, now, met);
      await syncChanges(changes);
      return changes;
    },
    git: lists.git,
    own,
    read: pack.read,
    close: copies.close,
  };
}

/** Lists the files, and remembers where git's folders were met. */
function createLists(roots: readonly string[], leftOut: { ignore: MorePatterns; own: readonly string[] }) {
  let git: readonly string[] = [];
  return {
    make: async (signal: AbortSignal): Promise<TreeList> => {
      const found = await listTree(roots, { ...leftOut, signal });
      git = found.git;
      return found;
    },
    git: () => git,
  };
}

const isKnown = (known: KnownFile | undefined, { mark }: TreeFile): boolean =>
  known?.sha !== undefined && known.isSettled && known.mark === mark;

/** A copy that the disk did not take, with its code; or that failed in a way that nobody foresaw. */
function notCopied(error: unknown, base: string): Coverage {
  const isOfDisk = error instanceof ToolRefusal || (error instanceof Error && "syscall" in error);
  const why = (cause: unknown): string =>
    `the files could not be copied: ${cause instanceof Error ? cause.message : String(cause)}`;
  if (!isOfDisk) return { covered: false, why: why(error) };
  const refusal = fileRefusal(error, base);
  return { covered: false, why: why(refusal), code: refusal.code };
}

function coverageOf(list: TreeList): Coverage {
  const { files, bytes, tooMany } = list;
  const { keptTree, keptTreeFiles } = limits;
  if (tooMany) return { covered: false, why: `there are more than ${limitText(keptTreeFiles)}` };
  if (bytes > keptTree.most) return { covered: false, why: `the files have more than ${limitText(keptTree)}` };
  return { covered: true, files: files.size, bytes, holds: (path) => holdsAll(list, path) };
}

/** The pack, opened with the first content. */
function createCopies(base: string) {
  let packer: Packer | undefined;
  return {
    /** The hash of each file by its path; undefined for one that could not be read. */
    add: async (files: readonly TreeFile[]): Promise<Map<string, string | undefined>> => {
      if (files.length === 0) return new Map();
      packer ??= createPacker(packFiles(base));
      const shas = await packer.pack(files);
      return new Map(files.map(({ path }, index) => [path, shas[index] ?? undefined]));
    },
    close: async (): Promise<void> => {
      await packer?.close();
      packer = undefined;
    },
  };
}
