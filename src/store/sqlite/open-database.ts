import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { Database } from "./database.ts";
import { askOne, type Connection, type Driver } from "./driver/driver.ts";
import { loadDriver } from "./driver/load-driver.ts";
import { asStoreError, isBusy, isCorrupt, isInMemory, storeBusy, storeFailure } from "./failures.ts";
import { cutOff, damageBefore, madeMark, shorterThanTold, withoutLog } from "./file-damage.ts";
import { type Patience, stampOf, Waiting } from "./patience.ts";
import { NotLooked } from "./read-aside.ts";
import { copyToRead } from "./read-copy.ts";
import { migrate, pageSize, recognise } from "./schema.ts";

/** The time that one statement may block the event loop for a lock. */
const blockMs = 20;
/** The size to which the write-ahead log grows before it is copied into the file. */
const logBytes = 4 * 1024 * 1024;

/**
 * Opens (or makes) the file: 0600 in a folder that is made 0700, WAL, every commit synced unless said otherwise.
 * @param mayWait whether a locked store is tried again before it counts as busy.
 * @throws StoreFailure, SessionBusy; a file that is not ours is left as it is.
 */
export async function openDatabase(file: string, mayWait: Patience): Promise<Database> {
  const driver = await loadDriver();
  for (const waiting = new Waiting(mayWait, stampOf(file)); ; await waiting.pause()) {
    try {
      return new Database(openOnce(driver, file), file, mayWait);
    } catch (error) {
      if (!isBusy(error)) throw asStoreError(error, file);
      if (!waiting.isWorthIt) throw storeBusy(file, error);
    }
  }
}

/**
 * Opens a store to read it alone, where it may not be written to: as it is now.
 * @throws StoreFailure, SessionBusy.
 */
export async function openToRead(file: string): Promise<Database> {
  const driver = await loadDriver();
  try {
    const { path, remove } = copyToRead(file);
    try {
      chmodSync(path, 0o600);
      const sqlite = openOnce(driver, path, file);
      sqlite.exec("PRAGMA query_only=ON");
      return new Database(sqlite, file, () => false, remove);
    } catch (error) {
      remove();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, file);
  }
}

/** @param named the store that is meant, where `file` is a copy of it */
function openOnce(driver: Driver, file: string, named = file): Connection {
  const inMemory = isInMemory(file);
  const isThere = !inMemory && prepareFile(file);
  // One that is taken away in this instant is not made anew: the log that it left would be read into it.
  const sqlite = driver.open(file, { blockMs, make: !isThere });
  try {
    recognise(sqlite, named);
    const ask = (pragma: string): number => Number(askOne(sqlite, pragma));
    const cut = inMemory ? undefined : shorterThanTold(file, ask, () => withoutLog(file));
    if (cut !== undefined) throw storeFailure("corrupt", named, cut);
    // SQLite gives its -wal and -shm the mode of the file, so this comes before they are made.
    if (!inMemory) keepPrivate(file);
    setUp(sqlite, named, inMemory);
    migrate(sqlite, named);
    if (!inMemory) markMade(file);
    return sqlite;
  } catch (error) {
    sqlite.close();
    const cut = isCorrupt(error) ? cutOrUnknown(file) : undefined;
    throw cut === undefined ? error : storeFailure("corrupt", named, cut);
  }
}

/** Looks whether a file is cut off; undefined also where nobody can look, for then SQLite's word holds. */
function cutOrUnknown(file: string): string | undefined {
  try {
    return cutOff(file);
  } catch (error) {
    if (error instanceof NotLooked) return undefined;
    throw error;
  }
}

/**
 * Looks whether the file may be opened, or made: SQLite makes it, for nobody else may open and close it where another thread could
 * have a connection. Before anything is in it, it is its owner's alone. The log of a store that was moved away without it would be
 * read into the new one. Others may be making the store at this instant: their log begins after the file's first page, so a log that
 * was seen before an empty file is nobody's.
 * @returns whether it is there
 */
function prepareFile(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw storeFailure("foreign", file, "not a regular file");
  if (log !== undefined && log.size > 0 && (found === undefined || found.size === 0))
    throw storeFailure("corrupt", file, "its log is here without the store itself");
  if (found !== undefined) {
    const damage = damageBefore(file);
    if (damage !== undefined) throw storeFailure("corrupt", file, damage);
    return true;
  }
  makeFolder(dirname(file));
  rmSync(madeMark(file), { force: true });
  return false;
}

/** A store that cannot have its mark is still a store. */
function markMade(file: string): void {
  if (existsSync(madeMark(file))) return;
  try {
    writeFileSync(madeMark(file), "", { mode: 0o600 });
  } catch {
    // The folder takes no new file; then the store itself says what is wrong.
  }
}

/** Takes from others what they may do, and gives the person nothing: what they closed to themselves stays closed. */
function keepPrivate(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) {
    const found = statSync(part, { throwIfNoEntry: false });
    if (found?.isFile() === true && (found.mode & 0o077) !== 0) chmodSync(part, found.mode & 0o700);
  }
}

/** The part of the file that is kept in memory, in KiB: each library has a default of its own. */
const cacheKilobytes = 16_000;

/** Pragmas answer silently when they have no effect, so what they promise is read back. */
function setUp(sqlite: Connection, file: string, inMemory: boolean): void {
  sqlite.exec(`PRAGMA page_size=${pageSize}; PRAGMA wal_autocheckpoint=${Math.floor(logBytes / pageSize)}`);
  sqlite.exec(`PRAGMA cache_size=-${cacheKilobytes}`);
  const journal = askOne(sqlite, "PRAGMA journal_mode=WAL");
  if (!inMemory && journal !== "wal") throw storeFailure("io", file, `no write-ahead log here, but ${String(journal)}`);
  // fullfsync: on macOS a plain fsync leaves the bytes in the drive's cache.
  if (inMemory) sqlite.exec("PRAGMA temp_store=MEMORY");
  sqlite.exec("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF");
  const synchronous = askOne(sqlite, "PRAGMA synchronous");
  if (synchronous !== 2) throw storeFailure("io", file, `synchronous is ${String(synchronous)}, not FULL`);
  if (askOne(sqlite, "PRAGMA foreign_keys") !== 1) throw storeFailure("io", file, "no foreign keys");
}
