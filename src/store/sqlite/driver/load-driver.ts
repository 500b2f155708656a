import { loadBetterSqlite3, packageFor } from "./better-sqlite3.ts";
import type { Driver } from "./driver.ts";
import { loadNodeSqlite } from "./node-sqlite.ts";

let loaded: Promise<Driver> | undefined;

// Keeps store 11.
/**
 * SQLite for this process: Node's own where that is fit for a store, else better-sqlite3. It depends on the Node alone, never on what
 * happens to be installed.
 * @throws DriverMissing where better-sqlite3 is wanted and it, or its native part, is not there for this Node
 */
export function loadDriver(): Promise<Driver> {
  loaded ??= choose();
  return loaded;
}

async function choose(): Promise<Driver> {
  try {
    return loadNodeSqlite() ?? (await loadBetterSqlite3(packageFor(process.versions["napi"])));
  } catch (error) {
    loaded = undefined; // what is missing may be mended, and too many open files may be closed
    throw error;
  }
}
