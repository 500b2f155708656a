import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { asStoreError } from "../../../src/store/sqlite/failures.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { patienceOf } from "../../../src/store/sqlite/patience.ts";
import { SessionBusy, StoreFailure } from "../../../src/store/types.ts";
import { RawStore } from "../../support/raw-store.ts";
import { commitCalls, drive, open, pendingCall, tempFile } from "../support.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const closing: { close(): unknown }[] = [];
afterEach(() => {
  for (const thing of closing.splice(0)) thing.close();
});
const closeLater = <T extends { close(): unknown }>(thing: T): T => {
  closing.push(thing);
  return thing;
};
const database = async (file = tempFile(), patienceMs = 10_000) =>
  closeLater(await openDatabase(file, patienceOf(patienceMs)));

describe("the file", () => {
  test("is private, with its folder and the files beside it", async () => {
    const file = join(dirname(tempFile()), "state", "deep", "agent.db");
    await drive(await open({ file }));
    expect(modeOf(dirname(file))).toBe("700");
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
  });

  test("is made private again where it no longer was", async () => {
    const file = tempFile();
    (await openStore({ file })).close();
    chmodSync(file, 0o644);
    await drive(await open({ file }));
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
  });

  test("is synced with each commit, to the medium itself where a plain sync ends before that", async () => {
    const db = await database();
    expect(["synchronous", "fullfsync"].map((name) => db.get(`PRAGMA ${name}`))).toEqual([
      { synchronous: 2 },
      { fullfsync: 1 },
    ]);
  });

  test("is opened again as it was left, by way of a link too", async () => {
    const file = tempFile();
    const store = await openStore({ file });
    await store.sessions.create({ id: "a", workspace: "/w", model: "m", title: "t" });
    store.close();
    store.close();
    symlinkSync(file, `${file}.link`);
    expect((await open({ file: `${file}.link` })).sessions.get("a")?.title).toBe("t");
  });

  test("is set up once by any number that open it at the same time", async () => {
    const file = tempFile();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open({ file })));
    await Promise.all(
      stores.map((store, i) => store.sessions.create({ id: `1.${i}`, workspace: "/w", model: "m", title: "t" })),
    );
    expect(stores[0]?.sessions.list()).toHaveLength(5);
  });
});

describe("what is not our store is refused, named, and left as it is", () => {
  const foreign = (file: string, sql: string): void => {
    const db = new RawStore(file);
    db.exec(sql);
    db.close();
  };

  test.each<[string, StoreFailure["kind"], (file: string) => void]>([
    ["another program's database", "foreign", (file) => foreign(file, "CREATE TABLE notes (a); PRAGMA user_version=1")],
    ["a database with another's mark", "foreign", (file) => foreign(file, "PRAGMA application_id=7")],
    [
      "a text file",
      "corrupt",
      (file) => writeFileSync(file, "not a database, but long enough to be read as one".repeat(9)),
    ],
    ["a store cut off in the middle", "corrupt", cutOff],
    [
      "a store of a later version",
      "newer",
      (file) => foreign(file, "PRAGMA application_id=1752132708; PRAGMA user_version=99"),
    ],
  ])("%s: %s", async (_name, kind, make) => {
    const file = tempFile();
    make(file);
    const before = readFileSync(file);
    const failure = await openStore({ file }).then(
      (store) => {
        store.close();
        return undefined;
      },
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreFailure);
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(file) as unknown });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a folder", async () => {
    const file = tempFile();
    mkdirSync(file);
    await expect(openStore({ file })).rejects.toMatchObject({ kind: "foreign" });
  });

  test("a file below a file", async () => {
    const file = tempFile();
    writeFileSync(file, "");
    await expect(openStore({ file: join(file, "agent.db") })).rejects.toMatchObject({ kind: "io" });
  });

  test("but an empty file is a store to be", async () => {
    const file = tempFile();
    writeFileSync(file, "");
    expect((await open({ file })).sessions.list()).toEqual([]);
  });
});

/** A store of several pages, of which only the first is left. */
function cutOff(file: string): void {
  const db = new RawStore(file);
  db.exec(
    "PRAGMA page_size=1024; PRAGMA application_id=1752132708; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(50000))",
  );
  db.close();
  truncateSync(file, 700);
}

describe("a store that fails later", () => {
  test("when the disk is full keeps what it had, says so, and goes on when there is room", async () => {
    const db = await database();
    const insert = (id: string) => () => db.run("INSERT INTO thread (id) VALUES (?)", id);
    await db.write("full", insert("before"));
    const pages = db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    db.get(`PRAGMA max_page_count=${pages + 2}`);
    await expect(db.write("full", insert("x".repeat(100_000)))).rejects.toMatchObject({
      kind: "full",
      message: expect.stringContaining("free some space") as unknown,
    });
    expect(db.all("SELECT id FROM thread")).toEqual([{ id: "before" }]);
    db.get("PRAGMA max_page_count=100000");
    await db.write("full", insert("after"));
    expect(db.all("SELECT id FROM thread")).toHaveLength(2);
  });

  test("when it may not be written says so", async () => {
    const db = await database();
    db.run("PRAGMA query_only=1");
    const write = db.write("full", () => db.run("INSERT INTO thread (id) VALUES ('a')"));
    await expect(write).rejects.toMatchObject({ kind: "read_only" });
  });

  test("when its pages are damaged says so", async () => {
    const file = tempFile();
    const { journal, store } = await drive(await open({ file }));
    for (let i = 0; i < 100; i += 1) await commitCalls(journal, `1.${i}`, [pendingCall(`c${i}`)]);
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xee, bytes.length * 0.75);
    writeFileSync(file, bytes);
    const again = await open({ file });
    expect(() => again.readJournal("calm-fox-0001").allCalls()).toThrowError(
      expect.objectContaining({ kind: "corrupt", message: expect.stringContaining(file) as unknown }),
    );
  });

  test("every commit is synced again after one that was not, though that one failed", async () => {
    const db = await database();
    const synchronous = () => db.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous;
    expect(synchronous()).toBe(2);
    await db.write("normal", () => expect(synchronous()).toBe(1));
    expect(synchronous()).toBe(2);
    const failing = db.write("normal", () => {
      throw new TypeError("ours");
    });
    await expect(failing).rejects.toThrow(TypeError);
    expect(synchronous()).toBe(2);
  });

  test.each<[string, string]>([
    ["SQLITE_IOERR_FSYNC", "io"],
    ["SQLITE_CANTOPEN", "io"],
    ["SQLITE_READONLY_DBMOVED", "read_only"],
    ["SQLITE_CORRUPT_VTAB", "corrupt"],
    ["SQLITE_NOTADB", "corrupt"],
    ["ENOSPC", "full"],
    ["EROFS", "read_only"],
    ["EACCES", "read_only"],
    ["EIO", "io"],
  ])("%s is a failure of kind %s", (code, kind) => {
    const cause = Object.assign(new Error("what it said"), { code });
    const failure = asStoreError(cause, "/the/agent.db");
    expect(failure).toBeInstanceOf(StoreFailure);
    expect(failure).toMatchObject({
      kind,
      cause,
      message: expect.stringMatching(/^\/the\/agent\.db: .*what it said/) as unknown,
    });
  });

  test("a defect of ours stays what it is", () => {
    const constraint = Object.assign(new Error("UNIQUE"), { code: "SQLITE_CONSTRAINT" });
    expect(asStoreError(constraint, "f")).toBe(constraint);
    const defect = new TypeError("x");
    expect(asStoreError(defect, "f")).toBe(defect);
  });
});

describe("a store that another process keeps locked", () => {
  const lock = (file: string): RawStore => {
    const db = closeLater(new RawStore(file));
    db.exec("BEGIN IMMEDIATE");
    return db;
  };

  test("is waited for while the event loop goes on, and writes come in the order they were asked for", async () => {
    const { journal, store } = await drive(await open());
    const other = lock(store.file);
    const done: string[] = [];
    const writes = ["one", "two", "three"].map(async (model) => {
      await journal.setModel(model);
      done.push(model);
    });
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(done).toEqual([]);
    other.exec("ROLLBACK");
    await Promise.all(writes);
    expect(done).toEqual(["one", "two", "three"]);
    expect(store.sessions.get(journal.session)?.model).toBe("three");
  });

  test("is not waited for by a process that was asked to end", async () => {
    const leaving = new AbortController();
    const { journal, store } = await drive(await open({ patienceMs: 3_600_000, leaving: leaving.signal }));
    const other = lock(store.file);
    const writes = ["one", "two"].map((model) => expect(journal.setModel(model)).rejects.toThrow(SessionBusy));
    leaving.abort();
    await Promise.all(writes);
    other.exec("ROLLBACK");
    await journal.setModel("free again");
    expect(store.sessions.get(journal.session)?.model).toBe("free again");
  });

  test("for too long is busy, and works again afterwards", async () => {
    const { journal, store } = await drive(await open({ patienceMs: 1 }));
    const other = lock(store.file);
    await expect(journal.setModel("x")).rejects.toThrow(/the store is busy/);
    await expect(journal.setModel("x")).rejects.toThrow(SessionBusy);
    expect(journal.turns()).toEqual([]); // reading goes on
    other.exec("ROLLBACK");
    await journal.setModel("y");
    expect(store.sessions.get(journal.session)?.model).toBe("y");
  });
});
