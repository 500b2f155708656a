import { existsSync } from "node:fs";
import { StoreFailure } from "./problems.ts";
import { openDatabase, openToRead } from "./sqlite/open-database.ts";
import { patienceOf } from "./sqlite/patience.ts";
import { Leases } from "./sqlite/sessions/leases.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./types.ts";

export interface OpenOptions {
  /** Absolute; made where it is not there. `:memory:` for a whole store without any file, which ends when it is closed. */
  file: string;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** Keep every checkpoint, not only the last of each turn; a DeltaChannel needs it. */
  keepAll?: boolean;
  /** The time for which a store that another process keeps locked is tried again, in milliseconds. */
  patienceMs?: number;
  /** Aborted when the process was asked to end: from then on a locked store is waited for no longer than a second in all. */
  leaving?: AbortSignal;
  /** The pause between two signs of life of a session that is driven here, in milliseconds. */
  beatMs?: number;
}

/**
 * Opens the store, or makes it: mode 0600 in a folder of mode 0700.
 * @throws StoreFailure (full, read_only, corrupt, foreign, newer, io) and SessionBusy; nothing is ever overwritten.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { file, clock = Date.now, keepAll = false, patienceMs = 10_000, leaving, beatMs } = options;
  const db = await openDatabase(file, patienceOf(patienceMs, leaving));
  return new SqliteStore(db, new Leases(db, clock, beatMs), clock, keepAll);
}

/**
 * Opens a store that cannot be written to, to look at it: nothing of it is changed, and writes to it fail.
 * @throws StoreFailure, SessionBusy.
 */
export async function openStoreToRead(file: string, clock: () => number = Date.now): Promise<Store> {
  const db = await openToRead(file);
  return new SqliteStore(db, new Leases(db, clock), clock, false);
}

/** Returns the store that `open` gives, or, where it can only not be written to, the same to look into. @throws what `open` throws. */
export async function orToRead(file: string, open: () => Promise<Store>): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === "read_only" && existsSync(file)) return openStoreToRead(file);
    throw error;
  }
}
