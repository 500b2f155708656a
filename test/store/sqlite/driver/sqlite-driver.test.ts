import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync, type Stats, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { isLockedSource } from "../../../../src/files/locked-files.ts";
import { packageFor } from "../../../../src/store/sqlite/driver/better-sqlite3.ts";
import { askOne, type Connection } from "../../../../src/store/sqlite/driver/driver.ts";
import { loadDriver } from "../../../../src/store/sqlite/driver/load-driver.ts";
import { isStable, readsWhole } from "../../../../src/store/sqlite/driver/node-sqlite.ts";
import { asStoreError } from "../../../../src/store/sqlite/failures.ts";
import { openDatabase } from "../../../../src/store/sqlite/open-database.ts";
import { builtProgram } from "../../../support/built.ts";
import { tempFile } from "../../support.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const here = major < 22 ? "better-sqlite3" : major < 24 ? "better-sqlite3-napi" : "node:sqlite";

describe("the library of a process", () => {
  test(`is ${here} on Node ${major}.${minor}, and stays that one`, async () => {
    const [one, other] = await Promise.all([loadDriver(), loadDriver()]);
    expect(one.name).toBe(here);
    expect(await loadDriver()).toBe(one);
    expect(other).toBe(one);
  });

  test("is Node's own only where it is no experiment, reads a text whole, and does not lose its log", () => {
    const versions = ["20.20.2", "22.23.3", "24.14.1", "24.15.0", "24.21.0", "25.9.0", "26.0.0"];
    expect(versions.filter(isStable)).toEqual(["24.15.0", "24.21.0", "26.0.0"]);
    expect(readsWhole({ version: "3.53.4", text: "a\0b" })).toBe(true);
    expect(readsWhole({ version: "3.51.3", text: "a\0b" })).toBe(true);
    expect(readsWhole({ version: "3.51.2", text: "a\0b" })).toBe(false); // as a Linux distribution may have it
    expect(readsWhole({ version: "3.53.4", text: "a" })).toBe(false); // as Node 26.0
    expect(readsWhole(undefined)).toBe(false);
  });

  test("is else the better-sqlite3 that is compiled for Node 20, or the one for whatever speaks Node-API 10", () => {
    expect(["9", "10", "11", undefined].map(packageFor)).toEqual([
      ...["better-sqlite3", "better-sqlite3-napi", "better-sqlite3-napi", "better-sqlite3"],
    ]);
  });

  test("is loaded without a word", async () => {
    const program = await builtProgram("test/support/driver-program.ts");
    const ran = spawnSync(process.execPath, [program, tempFile()], { encoding: "utf8" });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, `${here}\n`, ""]);
  });
});

async function connection(file = ":memory:", make = true): Promise<Connection> {
  const sqlite = (await loadDriver()).open(file, { blockMs: 5, make });
  onTestFinished(() => void (sqlite.isOpen && sqlite.close()));
  return sqlite;
}

/** The code that it throws with. */
function codeOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
}

describe("whatever the library", () => {
  test("values are stored as the same, and come back as they were", async () => {
    const sqlite = await connection();
    sqlite.exec("CREATE TABLE t (key INTEGER PRIMARY KEY, n INTEGER, x REAL, t TEXT, b BLOB, a ANY) STRICT");
    const insert = sqlite.prepare("INSERT INTO t (n, x, t, b, a) VALUES (?, ?, ?, ?, ?)");
    const bytes = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
    expect(insert.run(2 ** 40, 1.5, "a\0b \u{1f600}\n", bytes, 3)).toEqual({ changes: 1, key: 1 });
    expect(insert.run(-1, 0, "", new Uint8Array(0), null)).toEqual({ changes: 1, key: 2 });
    const rows = sqlite.prepare("SELECT * FROM t ORDER BY key").all() as { b: Uint8Array }[];
    expect(rows.map((row) => ({ ...row, b: [...row.b] }))).toEqual([
      { key: 1, n: 2 ** 40, x: 1.5, t: "a\0b \u{1f600}\n", b: [1, 2, 3], a: 3 },
      { key: 2, n: -1, x: 0, t: "", b: [], a: null },
    ]);
    expect(rows.every(({ b }) => b instanceof Uint8Array)).toBe(true);
    const classes = "SELECT group_concat(typeof(n) || typeof(x) || typeof(t) || typeof(b) || typeof(a)) FROM t";
    expect(askOne(sqlite, classes)).toBe("integerrealtextblobreal,integerrealtextblobnull");
    expect(sqlite.prepare("SELECT 1 AS one WHERE 0").get()).toBeUndefined();
  });

  test("a statement that fails can be run again, and a script says nothing", async () => {
    const sqlite = await connection();
    sqlite.exec("CREATE TABLE t (a INTEGER PRIMARY KEY); SELECT 1; INSERT INTO t VALUES (1)");
    const insert = sqlite.prepare("INSERT INTO t VALUES (?)");
    expect(codeOf(() => insert.run(1))).toMatch(/^SQLITE_CONSTRAINT/u);
    expect(insert.run(2).changes).toBe(1);
    sqlite.exec("BEGIN");
    expect(sqlite.inTransaction).toBe(true);
    sqlite.exec("ROLLBACK");
    expect(sqlite.inTransaction).toBe(false);
    sqlite.close();
    expect(sqlite.isOpen).toBe(false);
    expect(() => sqlite.prepare("SELECT 1")).toThrow();
  });

  test("failures have SQLite's names, and are no failure of the store where they are ours", async () => {
    const file = tempFile();
    const driver = await loadDriver();
    expect(codeOf(() => driver.open(file, { blockMs: 0, make: false }))).toMatch(/^SQLITE_CANTOPEN/u);
    expect(readdirSync(dirname(file))).toEqual([]);
    const [one, other] = [await connection(file), await connection(file)];
    one.exec("PRAGMA journal_mode=WAL; CREATE TABLE t (a)");
    one.exec("BEGIN IMMEDIATE");
    expect(codeOf(() => other.exec("BEGIN IMMEDIATE"))).toMatch(/^SQLITE_BUSY/u);
    expect(codeOf(() => other.prepare("BEGIN IMMEDIATE").run())).toMatch(/^SQLITE_BUSY/u);
    one.exec("COMMIT; PRAGMA max_page_count=3");
    expect(codeOf(() => one.prepare("INSERT INTO t VALUES (zeroblob(?))").run(1e6))).toBe("SQLITE_FULL");
    one.exec("PRAGMA query_only=ON");
    expect(codeOf(() => one.exec("INSERT INTO t VALUES (1)"))).toMatch(/^SQLITE_READONLY/u);
    expect(codeOf(() => one.prepare("SELECT nothing"))).toBe("SQLITE_ERROR");

    const wrong = (() => {
      try {
        return one.prepare("SELECT ?").get(undefined as never);
      } catch (error) {
        return error;
      }
    })();
    expect(asStoreError(wrong, file)).toBe(wrong);
  });

  test("a file that must be there has any name", async () => {
    const file = join(dirname(tempFile()), "a #1?mode=ro%20 ü.db");
    (await connection(file)).exec("CREATE TABLE t (a)");
    const sqlite = await connection(file, false);
    expect(askOne(sqlite, "SELECT count(*) FROM t")).toBe(0);
    sqlite.exec("INSERT INTO t VALUES (1)");
  });

  test.runIf(process.platform === "linux")(
    "a store that nobody closes is held until its library has closed it",
    async () => {
      const file = tempFile();
      const [gc, isHeld] = [garbageCollector(), asThreadsAsk()];
      await abandon(file);
      const found = statSync(file);
      expect(isHeld(found)).toBe(true);
      for (let turn = 0; turn < 50 && isHeld(found); turn += 1) {
        gc();
        await setTimeout(5);
      }
      expect([isHeld(found), descriptorsOf(file)]).toEqual([false, 0]);
    },
  );
});

/** Opens a store, uses it and forgets it. */
async function abandon(file: string): Promise<void> {
  const db = await openDatabase(file, () => false);
  db.get("SELECT count(*) FROM session");
}

/** Whether the file is among those that may not be opened, whoever has it open. */
const asThreadsAsk = (): ((found: Stats) => boolean) =>
  new Function("require", `${isLockedSource}; return isLocked;`)(createRequire(import.meta.url)) as (
    found: Stats,
  ) => boolean;

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

const descriptorsOf = (file: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(file);
    } catch {
      return false; // the one that lists them
    }
  }).length;
