import { openStore } from "../../../src/store/open-store.ts";
import { loadDriver } from "../../../src/store/sqlite/driver/load-driver.ts";

/** Another process that opens a store of an earlier version, and dies before this script of its migration: 1 begins it. */
const [file = "", dieBefore = ""] = process.argv.slice(2);

const probe = (await loadDriver()).open(":memory:", { blockMs: 0, make: true });
const database = Object.getPrototypeOf(probe) as { exec: (sql: string) => unknown };
probe.close();
const exec = database.exec;
let left: number | undefined;
database.exec = function (this: unknown, sql) {
  if (sql === "BEGIN IMMEDIATE") left = Number(dieBefore);
  if (left !== undefined) left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
  return exec.call(this, sql);
};

(await openStore({ file })).close();
