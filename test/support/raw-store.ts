import type { Connection, Value } from "../../src/store/sqlite/driver/driver.ts";
import { loadDriver } from "../../src/store/sqlite/driver/load-driver.ts";

/** The library that the store has in this process: a second one on the same file would drop its locks. */
const driver = await loadDriver();

/** A connection of a test's own to a store, beside the store's. */
export class RawStore {
  readonly connection: Connection;

  constructor(file: string) {
    this.connection = driver.open(file, { blockMs: 5_000, make: true });
  }

  exec(sql: string): void {
    this.connection.exec(sql);
  }

  run(sql: string, ...values: Value[]): { changes: number; key: number } {
    return this.connection.prepare(sql).run(...values);
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.connection.prepare(sql).all(...values) as Row[];
  }

  /** The first column of all rows. */
  column<Cell>(sql: string, ...values: Value[]): Cell[] {
    return this.all<object>(sql, ...values).map((row) => Object.values(row)[0] as Cell);
  }

  /** The first column of the first row. */
  one<Cell>(sql: string, ...values: Value[]): Cell | undefined {
    return this.column<Cell>(sql, ...values)[0];
  }

  close(): void {
    if (this.connection.isOpen) this.connection.close();
  }
}
