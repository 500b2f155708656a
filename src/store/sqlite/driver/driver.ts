export type Value = string | number | null | Uint8Array;
/** A row's columns by their names; bytes are a Uint8Array, which may be a Buffer. */
export type SqlRow = object;

export type DriverName = "node:sqlite" | "better-sqlite3" | "better-sqlite3-napi";

/**
 * SQLite as the store uses it, whatever library has it. What it throws has SQLite's own name of the failure as its `code`, such as
 * `SQLITE_BUSY` or, where the library knows more, `SQLITE_BUSY_SNAPSHOT`.
 */
export interface Driver {
  readonly name: DriverName;
  /** @param file absolute, or `:memory:` */
  open(file: string, options: OpenOptions): Connection;
}

export interface OpenOptions {
  /** The milliseconds that a statement waits for a lock; it blocks the process. */
  readonly blockMs: number;
  /** True if a file that is not there is made. */
  readonly make: boolean;
}

export interface Connection {
  readonly isOpen: boolean;
  readonly inTransaction: boolean;
  /** The files are open for as long as this object is there, or until `close`: what stands around it is garbage earlier. */
  readonly native: object;
  /** Runs a script. What it answers is not told. */
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Numbers are bound as SQLite's REAL, which a column of integers takes for what they are. */
export interface Statement {
  /** @returns how many rows changed, and the key of the last that was put in */
  run(...values: Value[]): { changes: number; key: number };
  get(...values: Value[]): SqlRow | undefined;
  all(...values: Value[]): SqlRow[];
}

/** The first column of the first row. */
export const askOne = (sqlite: Connection, sql: string): unknown => Object.values(sqlite.prepare(sql).get() ?? {})[0];
