import { type Commit, type Keys, type Must, resolved, type Write } from "../commit.ts";
import { StaleMove } from "../problems.ts";
import type { TableName } from "../tables.ts";
import type { Database } from "./database.ts";
import type { Value } from "./driver/driver.ts";

/** Tables whose rows are named without their session: by their call, and by a key that is given once. */
const withoutThread = new Set<TableName>(["call_output", "request"]);
type Columns = [name: string, value: Value][];

// Keeps store 10.
/** Checks and writes a commit. Inside `write` only. @returns the keys of its rows. @throws StaleMove */
export function applyCommit(db: Database, thread: number, { must, rows, kept }: Commit): Keys {
  for (const one of must) check(db, thread, one);
  // What is there already counts as kept now: its time of keeping begins anew.
  for (const { sha, form, bytes } of kept.contents)
    db.run(
      `INSERT INTO kept_bytes (thread, sha, at, form, bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (thread, sha) DO UPDATE SET at = max(at, excluded.at)`,
      ...[thread, Buffer.from(sha, "hex"), kept.at, form, bytes],
    );
  const keys: number[] = [];
  for (const write of rows) keys.push(apply(db, thread, write, keys));
  return keys;
}

function check(db: Database, thread: number, { table, at, is }: Must): void {
  const place = placed(table, thread, columnsOf(at, []));
  const wanted = is === "absent" ? [] : columnsOf(is, []);
  const found = db.get(
    `SELECT 1 FROM ${table} WHERE ${equal([...place, ...wanted])}`,
    ...values([...place, ...wanted]),
  );
  if ((found === undefined) !== (is === "absent")) throw new StaleMove(`${nameOf(table, at)} is not as it was read`);
}

function apply(db: Database, thread: number, write: Write, keys: Keys): number {
  if (write.do === "patch") return patch(db, thread, write, keys);
  const columns = placed(write.table, thread, columnsOf(write.row, keys));
  const verb = write.do === "replace" ? "INSERT OR REPLACE" : "INSERT";
  const names = columns.map(([name]) => name).join(", ");
  const marks = columns.map(() => "?").join(", ");
  return db.run(`${verb} INTO ${write.table} (${names}) VALUES (${marks})`, ...values(columns)).key;
}

function patch(db: Database, thread: number, { table, at, set }: Extract<Write, { do: "patch" }>, keys: Keys): number {
  const [place, columns] = [placed(table, thread, columnsOf(at, keys)), columnsOf(set, keys)];
  const sets = columns.map(([name]) => `${name} = ?`).join(", ");
  const sql = `UPDATE ${table} SET ${sets} WHERE ${equal(place)}`;
  const { changes } = db.run(sql, ...values([...columns, ...place]));
  if (changes !== 1) throw new StaleMove(`${nameOf(table, at)} is not there`);
  return 0;
}

const columnsOf = (row: object, keys: Keys): Columns =>
  Object.entries(row).map(([name, value]) => [name, resolved(value as Value, keys)]);

const placed = (table: TableName, thread: number, columns: Columns): Columns =>
  withoutThread.has(table) ? columns : [["thread", thread], ...columns];

const equal = (columns: Columns): string => columns.map(([name]) => `${name} IS ?`).join(" AND ");
const values = (columns: Columns): Value[] => columns.map(([, value]) => value);

const nameOf = (table: TableName, at: object): string =>
  [`a row of ${table}`, ...Object.values(at).map(String)].join(" ");
