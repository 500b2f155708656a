import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type Sqlite from "better-sqlite3";
import { tooManyFilesText } from "../../../core/too-many-files.ts";
import { DriverMissing } from "../../problems.ts";
import { quoted } from "../failures.ts";
import type { Connection, Driver, DriverName, SqlRow, Statement, Value } from "./driver.ts";

type Package = Exclude<DriverName, "node:sqlite">;

/**
 * Returns the package that has it for a Node; both are optional dependencies. better-sqlite3 12 is compiled for one Node, and aborts the process on
 * Node 24.19 and later as soon as a statement is collected as garbage. better-sqlite3 13, under a name of its own, needs version 10 of
 * Node-API, which came with Node 22.14 and never to Node 20, and crashes without it; npm leaves it out where Node is older than it wants.
 * @param napi the highest version of Node-API that it has, as in `process.versions.napi`
 */
export const packageFor = (napi: string | undefined): Package =>
  Number(napi) >= 10 ? "better-sqlite3-napi" : "better-sqlite3";

/** @throws DriverMissing where it, or its native part, is not there for this Node */
export async function loadBetterSqlite3(name: Package): Promise<Driver> {
  try {
    const { default: Library } = (await import(name)) as { default: typeof Sqlite };
    // It loads its native part when the first database is opened.
    new Library(":memory:").close();
    return betterSqlite3(name, Library);
  } catch (cause) {
    if (tooManyFilesText(cause) !== undefined) throw cause;
    throw new DriverMissing(missingText(name, cause), { cause });
  }
}

const betterSqlite3 = (name: Package, Library: typeof Sqlite): Driver => ({
  name,
  open: (file, { blockMs, make }) =>
    new BetterConnection(new Library(file, { timeout: blockMs, fileMustExist: !make })),
});

class BetterConnection implements Connection {
  readonly native: Sqlite.Database;

  constructor(native: Sqlite.Database) {
    this.native = native;
  }

  get isOpen(): boolean {
    return this.native.open;
  }

  get inTransaction(): boolean {
    return this.native.inTransaction;
  }

  exec(sql: string): void {
    this.native.exec(sql);
  }

  prepare(sql: string): Statement {
    return new BetterStatement(this.native.prepare<Value[], SqlRow>(sql));
  }

  close(): void {
    this.native.close();
  }
}

class BetterStatement implements Statement {
  readonly #native: Sqlite.Statement<Value[], SqlRow>;

  constructor(native: Sqlite.Statement<Value[], SqlRow>) {
    this.#native = native;
  }

  run(...values: Value[]): { changes: number; key: number } {
    const { changes, lastInsertRowid } = this.#native.run(...values);
    return { changes, key: Number(lastInsertRowid) };
  }

  get(...values: Value[]): SqlRow | undefined {
    return this.#native.get(...values);
  }

  all(...values: Value[]): SqlRow[] {
    return this.#native.all(...values);
  }
}

function missingText(name: string, cause: unknown): string {
  const found = installedAt(name);
  const what = `the store needs ${name}, a native module, which`;
  if (found === undefined)
    return `${what} is not installed here (Node ${process.version}); install it: ${installing(name)}`;
  const code = (cause as { code?: unknown } | null)?.code;
  const why = code === "ERR_DLOPEN_FAILED" ? "was built for another Node or machine than this" : "was not built here";
  return `${what} ${why} (Node ${process.version}); build it: npm rebuild --prefix ${quoted(found)} ${name}`;
}

/** The folder whose node_modules has the package. */
function installedAt(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return dirname(dirname(dirname(manifest)));
  } catch {
    return undefined;
  }
}

/** From the package's own manifest: a clone is installed by its lock, an install gets the one package. */
function installing(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    if (existsSync(join(folder, "package-lock.json"))) return `npm ci --prefix ${quoted(folder)}`;
    const { dependencies, optionalDependencies } = createRequire(manifest)(manifest) as Manifest;
    const version = { ...dependencies, ...optionalDependencies }[name] ?? "latest";
    return `npm install --no-save --omit=dev --prefix ${quoted(folder)} ${name}@${version}`;
  }
  return `npm install ${name}`;
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
