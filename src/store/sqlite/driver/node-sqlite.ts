import { pathToFileURL } from "node:url";
import { isInMemory } from "../failures.ts";
import type { Connection, Driver, SqlRow, Statement, Value } from "./driver.ts";

/** The part of `node:sqlite` that is used, which the types of Node 20 do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { timeout: number }) => NativeDatabase;
}
interface NativeDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): NativeStatement;
  close(): void;
}
interface NativeStatement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: Value[]): SqlRow | undefined;
  all(...values: Value[]): SqlRow[];
}

/** SQLite of Node's own; undefined where this Node has none that a store may be trusted to. */
export function loadNodeSqlite(): Driver | undefined {
  if (!isStable(process.versions.node)) return undefined;
  const library = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  if (library === undefined) return undefined; // Node can be built without it
  const driver = nodeSqlite(library);
  return isFit(driver) ? driver : undefined;
}

/** From these on it is no experiment, of which Node warns as soon as it is loaded: 24.15, and 26. */
export function isStable(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 24 ? minor >= 15 : major >= 26;
}

/**
 * Up to Node 24.15 and in Node 26.0 a text that is read ends at its first NUL. A Node may also be built with the system's SQLite;
 * that may lose what was committed when two processes empty one log, until 3.51.3 (sqlite.org/wal.html#walresetbug).
 */
function isFit(driver: Driver): boolean {
  const sqlite = driver.open(":memory:", { blockMs: 0, make: true });
  try {
    return readsWhole(sqlite.prepare("SELECT sqlite_version() AS version, 'a' || char(0) || 'b' AS text").get());
  } finally {
    sqlite.close();
  }
}

export function readsWhole(probe: { version?: unknown; text?: unknown } | undefined): boolean {
  const [major = 0, minor = 0, patch = 0] = String(probe?.version).split(".").map(Number);
  return probe?.text === "a\0b" && major * 1e6 + minor * 1e3 + patch >= 3_051_003;
}

const nodeSqlite = ({ DatabaseSync }: NodeSqlite): Driver => ({
  name: "node:sqlite",
  open: (file, { blockMs, make }) => {
    // It has no option for a file that must be there; SQLite takes that from a URI.
    const named = make || isInMemory(file) ? file : `${pathToFileURL(file).href}?mode=rw`;
    return new NodeConnection(told(() => new DatabaseSync(named, { timeout: blockMs })));
  },
});

class NodeConnection implements Connection {
  readonly native: NativeDatabase;

  constructor(native: NativeDatabase) {
    this.native = native;
  }

  get isOpen(): boolean {
    return this.native.isOpen;
  }

  get inTransaction(): boolean {
    return this.native.isTransaction;
  }

  exec(sql: string): void {
    told(() => this.native.exec(sql));
  }

  prepare(sql: string): Statement {
    return new NodeStatement(told(() => this.native.prepare(sql)));
  }

  close(): void {
    told(() => this.native.close());
  }
}

class NodeStatement implements Statement {
  readonly #native: NativeStatement;

  constructor(native: NativeStatement) {
    this.#native = native;
  }

  run(...values: Value[]): { changes: number; key: number } {
    const { changes, lastInsertRowid } = told(() => this.#native.run(...values));
    return { changes: Number(changes), key: Number(lastInsertRowid) };
  }

  get(...values: Value[]): SqlRow | undefined {
    return told(() => this.#native.get(...values));
  }

  all(...values: Value[]): SqlRow[] {
    return told(() => this.#native.all(...values));
  }
}

/** SQLite's results by their numbers, which never change (sqlite.org/rescode.html). */
const results = [
  ...[
    "OK",
    "ERROR",
    "INTERNAL",
    "PERM",
    "ABORT",
    "BUSY",
    "LOCKED",
    "NOMEM",
    "READONLY",
    "INTERRUPT",
    "IOERR",
    "CORRUPT",
  ],
  ...[
    "NOTFOUND",
    "FULL",
    "CANTOPEN",
    "PROTOCOL",
    "EMPTY",
    "SCHEMA",
    "TOOBIG",
    "CONSTRAINT",
    "MISMATCH",
    "MISUSE",
    "NOLFS",
  ],
  ...["AUTH", "FORMAT", "RANGE", "NOTADB"],
];

/** Node tells all of SQLite's failures by one code, and the result by its number; its last byte is the kind. */
function told<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown };
    const name = code === "ERR_SQLITE_ERROR" ? results[Number(errcode) & 0xff] : undefined;
    if (name !== undefined) throw Object.assign(error as Error, { code: `SQLITE_${name}` });
    // A stored integer that no number holds exactly: none of ours is as large.
    if (code === "ERR_OUT_OF_RANGE") throw Object.assign(error as Error, { code: "SQLITE_CORRUPT" });
    throw error;
  }
}
