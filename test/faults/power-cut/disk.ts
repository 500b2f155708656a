import { dirname, join } from "node:path";
import type { Operation } from "./operations.ts";

/** A disk writes so many bytes whole or not at all. */
const block = 4096;

/**
 * What is left of changes that were not synced when the power went: of `count` changes in a row the first so many. `names`: of a
 * folder's entries, which are never reordered. `pages`: of the writes to one block of a file, each block by itself; and of a file's
 * lengths, and of its modes.
 */
export interface Survival {
  names(count: number): number;
  pages(count: number): number;
}

/** What a disk holds after a power cut: files by their paths, and folders, which come before what is in them. */
export type DiskState = Map<string, { bytes: Buffer; mode: number; inode: number } | { folder: true; mode: number }>;

type Change = { at: number; bytes: Buffer } | { size: number } | { mode: number };

interface File {
  inode: number;
  /** What a sync has made durable. */
  synced: { bytes: Buffer; mode: number };
  /** Since then. */
  changes: Change[];
  /** As a process that reads it now would see it. */
  size: number;
}

interface Folder {
  mode: number;
  synced: ReadonlyMap<string, Entry>;
  /** The entries after each change since the last sync. */
  changes: ReadonlyMap<string, Entry>[];
}

type Entry = File | Folder;

const isFolder = (entry: Entry | undefined): entry is Folder => entry !== undefined && !("inode" in entry);
const now = (folder: Folder): ReadonlyMap<string, Entry> => folder.changes.at(-1) ?? folder.synced;

/**
 * A disk and what waits in memory to be written to it. It promises what POSIX does and no more: a name is durable once its
 * folder was synced, bytes and mode once the file was.
 */
export class Disk {
  readonly #root: Folder = { mode: 0o700, synced: new Map(), changes: [] };
  #inodes = 0;

  /** @param before what it holds durably */
  constructor(before: DiskState) {
    for (const [path, is] of before) {
      if ("folder" in is) this.#enter(path, { mode: is.mode, synced: new Map(), changes: [] });
      else this.#enter(path, this.#file(is.bytes, is.mode));
    }
    syncAll(this.#root);
  }

  /** @throws Error where it cannot be done: then the record is not whole. */
  apply(operation: Operation): void {
    switch (operation.kind) {
      case "make":
        if (this.#find(operation.path) === undefined)
          this.#enter(operation.path, this.#file(Buffer.alloc(0), operation.mode));
        break;
      case "folder":
        this.#enter(operation.path, { mode: operation.mode, synced: new Map(), changes: [] });
        break;
      case "write":
        this.#write(this.#fileAt(operation.path), operation.at, operation.bytes);
        break;
      case "resize":
        this.#resize(this.#fileAt(operation.path), operation.size);
        break;
      case "mode":
        this.#fileAt(operation.path).changes.push({ mode: operation.mode });
        break;
      case "link":
        this.#enter(operation.to, this.#fileAt(operation.path));
        break;
      case "rename":
        this.#rename(operation.path, operation.to);
        break;
      case "remove":
        this.#change(dirname(operation.path), (entries) => entries.delete(nameOf(operation.path)));
        break;
      case "sync":
        this.#sync(operation.path, operation.data);
        break;
      default:
    }
  }

  /** What it would hold had the power gone now. */
  after(survival: Survival): DiskState {
    const state: DiskState = new Map();
    const walk = (folder: Folder, path: string): void => {
      const kept = survival.names(folder.changes.length);
      const entries = kept === 0 ? folder.synced : (folder.changes[kept - 1] ?? folder.synced);
      for (const [name, entry] of entries) {
        const at = join(path, name);
        if (isFolder(entry)) {
          state.set(at, { folder: true, mode: entry.mode });
          walk(entry, at);
        } else {
          state.set(at, { ...fileAfter(entry, survival), inode: entry.inode });
        }
      }
    };
    walk(this.#root, "");
    return state;
  }

  #file(bytes: Buffer, mode: number): File {
    this.#inodes += 1;
    return { inode: this.#inodes, synced: { bytes, mode }, changes: [], size: bytes.length };
  }

  #find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.#root;
    for (const name of path.split("/").filter((part) => part !== "." && part !== ""))
      entry = isFolder(entry) ? now(entry).get(name) : undefined;
    return entry;
  }

  #fileAt(path: string): File {
    const entry = this.#find(path);
    if (entry === undefined || isFolder(entry)) throw new Error(`the record has no file ${path}`);
    return entry;
  }

  #change(path: string, change: (entries: Map<string, Entry>) => void): void {
    const folder = this.#find(path);
    if (!isFolder(folder)) throw new Error(`the record has no folder ${path}`);
    const entries = new Map(now(folder));
    change(entries);
    folder.changes.push(entries);
  }

  #enter(path: string, entry: Entry): void {
    this.#change(dirname(path), (entries) => entries.set(nameOf(path), entry));
  }

  #write(file: File, where: number | "end", bytes: Buffer): void {
    const at = where === "end" ? file.size : where;
    file.changes.push({ at, bytes });
    file.size = Math.max(file.size, at + bytes.length);
  }

  #resize(file: File, size: number): void {
    file.changes.push({ size });
    file.size = size;
  }

  #rename(from: string, to: string): void {
    const entry = this.#find(from);
    if (entry === undefined) throw new Error(`the record has no ${from}`);
    if (dirname(from) !== dirname(to)) throw new Error(`${from} moves to another folder, which is not modelled`);
    this.#change(dirname(from), (entries) => {
      entries.delete(nameOf(from));
      entries.set(nameOf(to), entry);
    });
  }

  #sync(path: string, data: boolean): void {
    const entry = this.#find(path);
    if (entry === undefined) throw new Error(`the record has no ${path}`);
    if (isFolder(entry)) {
      entry.synced = now(entry);
      entry.changes = [];
      return;
    }
    const modes = entry.changes.filter((change) => "mode" in change);
    const { bytes, mode } = fileAfter(entry, { names: (count) => count, pages: (count) => count });
    entry.synced = { bytes, mode: data ? entry.synced.mode : mode };
    entry.changes = data ? modes : [];
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function syncAll(folder: Folder): void {
  folder.synced = now(folder);
  folder.changes = [];
  for (const entry of folder.synced.values()) if (isFolder(entry)) syncAll(entry);
}

function fileAfter({ synced, changes }: File, { pages }: Survival): { bytes: Buffer; mode: number } {
  const { lengths, written } = inBlocks(synced.bytes.length, changes);
  const modes = [synced.mode, ...changes.flatMap((change) => ("mode" in change ? [change.mode] : []))];
  const bytes = Buffer.alloc(Math.max(...lengths));
  synced.bytes.copy(bytes);
  for (const writes of written.values())
    for (const { at, bytes: part } of writes.slice(0, pages(writes.length))) part.copy(bytes, at);
  return {
    bytes: bytes.subarray(0, lengths[pages(lengths.length - 1)]),
    mode: modes[pages(modes.length - 1)] ?? synced.mode,
  };
}

/** The length before and after each change that has one, and the writes to each block. What is cut off is written with zeros. */
function inBlocks(
  before: number,
  changes: readonly Change[],
): { lengths: number[]; written: Map<number, { at: number; bytes: Buffer }[]> } {
  const lengths = [before];
  const written = new Map<number, { at: number; bytes: Buffer }[]>();
  const write = (at: number, bytes: Buffer): void => {
    for (let done = 0; done < bytes.length; ) {
      const number = Math.floor((at + done) / block);
      const part = bytes.subarray(done, (number + 1) * block - at);
      written.set(number, [...(written.get(number) ?? []), { at: at + done, bytes: part }]);
      done += part.length;
    }
  };
  for (const change of changes) {
    const size = lengths.at(-1) ?? 0;
    if ("size" in change) {
      if (change.size < size) write(change.size, Buffer.alloc(size - change.size));
      lengths.push(change.size);
    } else if ("bytes" in change) {
      write(change.at, change.bytes);
      if (change.at + change.bytes.length > size) lengths.push(change.at + change.bytes.length);
    }
  }
  return { lengths, written };
}
