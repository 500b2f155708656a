import type { Sha } from "../core/json.ts";
import type { TableName, Tables } from "./tables.ts";

/**
 * full: on disk before the promise resolves. normal: survives the death of the process, and a power cut may take it
 * back together with all that came after the last full commit.
 */
export type Durability = "full" | "normal";

/** The key of a row: as the engine gave it, or the place in the same commit of the row that is to have it. */
export type Key = number | RowRef;
export interface RowRef {
  readonly row: number;
}

type Columns = Tables<Key>;

/** Written in their order. `insert` refuses where the row is there, `replace` takes its place; a patch changes exactly one row. */
export type Write = {
  [T in TableName]:
    | { readonly do: "insert" | "replace"; readonly table: T; readonly row: Columns[T] }
    | { readonly do: "patch"; readonly table: T; readonly at: Partial<Columns[T]>; readonly set: Partial<Columns[T]> };
}[TableName];

/** A row as it was when the commit was made. Where it is another by now, or `absent` and there, nothing is written. */
export type Must = {
  [T in TableName]: {
    readonly table: T;
    readonly at: Partial<Tables[T]>;
    readonly is: Partial<Tables[T]> | "absent";
  };
}[TableName];

/** Content as it goes into the store: addressed by its own hash, smaller where that pays. */
export interface PackedBytes {
  readonly sha: Sha;
  readonly form: number;
  readonly bytes: Uint8Array;
}

/**
 * One transaction on a session as plain data: what has to hold, and what is written then. Code that makes one knows no SQL; an
 * engine checks and writes all of it, or nothing.
 */
export interface Commit {
  readonly must: readonly Must[];
  readonly rows: readonly Write[];
  /** Kept by their hash; what is there already counts as kept now. */
  readonly kept: { readonly at: number; readonly contents: readonly PackedBytes[] };
}

/** The key that each row of the commit has now, in their order; 0 for rows that nothing is named by. */
export type Keys = readonly number[];

const isRef = (value: unknown): value is RowRef =>
  typeof value === "object" && value !== null && "row" in value && typeof value.row === "number";

/** A column's value, with the key that its row has now in the place of its name. */
export const resolved = <T>(value: T, keys: Keys): Exclude<T, RowRef> =>
  (isRef(value) ? (keys[value.row] ?? 0) : value) as Exclude<T, RowRef>;
