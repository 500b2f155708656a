import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, truncateSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openStoreToRead } from "../../../src/store/open-store.ts";
import { migrate, migrations } from "../../../src/store/sqlite/schema.ts";
import { builtProgram } from "../../support/built.ts";
import { RawStore } from "../../support/raw-store.ts";
import { toVersion1 } from "../../support/version-1.ts";
import { commitCalls, drive, open, pendingCall, tempFile } from "../support.ts";

const ids = ["calm-fox-0001", "keen-owl-0002"];
/** As the program before this made it: the same tables without what came later. */
function toVersion13(file: string): void {
  const db = new RawStore(file);
  db.exec(
    "DROP TABLE hook_run; DROP TABLE told_file; DROP TABLE request; ALTER TABLE answer DROP COLUMN given_by; DROP TABLE child; DROP INDEX session_root; DROP TABLE job_end; DROP TRIGGER thread_key_given; DROP TABLE thread_key; PRAGMA user_version=13",
  );
  db.close();
}

/** A store of an earlier version with two sessions that have calls, and room where a third was removed. */
async function oldStore(toOld: (file: string) => void): Promise<string> {
  const file = tempFile();
  const store = await open({ file });
  for (const id of [...ids, "late-hen-0003"]) {
    const { journal } = await drive(store, id);
    await commitCalls(journal, "1.1", [pendingCall("c1")]);
  }
  await store.sessions.remove("late-hen-0003");
  store.close();
  toOld(file);
  return file;
}

const versionOf = (file: string): unknown => {
  const db = new RawStore(file);
  try {
    return db.one("PRAGMA user_version");
  } finally {
    db.close();
  }
};

/** It opens, all of it is there, and what comes next has a key that none has. */
async function judge(file: string): Promise<void> {
  const store = await open({ file });
  expect(store.damage()).toBeUndefined();
  expect(
    ids.map((id) =>
      store
        .readJournal(id)
        .allCalls()
        .map(({ callId }) => callId),
    ),
  ).toEqual([["c1"], ["c1"]]);
  for (const id of ids) expect(store.verify(id)).toMatchObject({ calls: 1 });
  const { journal } = await drive(store, "next-one-0004");
  await store.sessions.remove("next-one-0004");
  await drive(store, "next-two-0005");
  await expect(journal.setState("idle")).rejects.toMatchObject({ why: "removed" });
  store.close();
  expect(versionOf(file)).toBe(migrations.length);
}

/** Its scripts are one to begin, one a version, the marks, and the commit. */
test.each([
  ...[8, 21].map((point) => ["1", point, toVersion1] as const),
  ...[2, 3, 4, 5, 6, 7].map((point) => ["13", point, toVersion13] as const),
])(
  "a store of version %s whose process is killed before script %i of its migration opens whole",
  async (_version, point, toOld) => {
    const file = await oldStore(toOld);
    const args = [await builtProgram("test/store/sqlite/migrating.ts"), file, String(point)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    expect(await new Promise((resolve) => child.on("close", (_code, signal) => resolve(signal)))).toBe("SIGKILL");
    await judge(file);
  },
);

test("a store whose power goes in the middle of its migration opens whole, of the one version or of the other", async () => {
  const file = await oldStore(toVersion13);
  const db = new RawStore(file);
  onTestFinished(() => void db.close());
  db.exec("PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON");
  migrate(db.connection, file);
  const log = readFileSync(`${file}-wal`);
  const frame = 24 + 1024;
  expect(log.length).toBeGreaterThan(32 + 2 * frame);
  const versions = new Set<unknown>();
  // What of the log had reached the disk: whole frames, or half of one. The index of the log is memory, and gone.
  for (let length = 0; length <= log.length; length += frame / 2) {
    const cut = tempFile();
    copyFileSync(file, cut);
    copyFileSync(`${file}-wal`, `${cut}-wal`);
    truncateSync(`${cut}-wal`, Math.min(length === 0 ? 0 : 32 + length, log.length));
    versions.add(versionOf(cut));
    await judge(cut);
  }
  expect([...versions].sort()).toEqual([13, migrations.length]);
});

test("a store of version 13 is read as it is where it may not be written, and stays as it is", async () => {
  const file = await oldStore(toVersion13);
  const before = readFileSync(file);
  const store = await openStoreToRead(file);
  expect(
    store.sessions
      .list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids);
  expect(store.damage()).toBeUndefined();
  await expect(store.sessions.create({ id: "x", workspace: "/w", model: "m", title: "" })).rejects.toThrow();
  store.close();
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a program of version 13 that still runs is given no key of a removed session either", async () => {
  const file = await oldStore(toVersion13);
  const old = new RawStore(file);
  onTestFinished(() => void old.close());
  const make = old.connection.prepare("INSERT INTO thread (id) VALUES (?)");
  make.run("before");
  const store = await open({ file });
  expect(make.run("after").key).toBe(4);
  await store.sessions.create({ id: "mine", workspace: "/w", model: "m", title: "" });
  await store.sessions.remove("mine");
  expect(() => make.run("too late")).toThrow("the key of a thread is given once");
  await store.sessions.create({ id: "mine again", workspace: "/w", model: "m", title: "" });
  expect(make.run("in its turn").key).toBe(7);
});

test("a process of version 13 whose session was removed before the migration has no fence of the session that gets its key", async () => {
  const file = await oldStore(toVersion13);
  const { lease } = await drive(await open({ file, clock: () => 0 }), "next-one-0004");
  const db = new RawStore(file);
  onTestFinished(() => void db.close());
  expect(db.one("SELECT fence FROM lease WHERE session = 3")).toBe(lease.fence);
  // Fences began with 1 then, or with the time in milliseconds.
  expect(lease.fence).toBeGreaterThan(Date.UTC(2500, 0));
});

test("jobs that an earlier version kept as lost are lost still, and not told yet", async () => {
  const file = await oldStore((at) => {
    const db = new RawStore(at);
    db.exec("DROP TABLE job_end");
    db.exec(
      "CREATE TABLE lost_job (thread INTEGER NOT NULL, call TEXT NOT NULL, step TEXT, PRIMARY KEY (thread, call)) STRICT, WITHOUT ROWID",
    );
    db.exec("INSERT INTO lost_job (thread, call, step) SELECT key, 'c1', NULL FROM thread");
    // Of one of them the person was told.
    db.exec(
      "INSERT OR REPLACE INTO call_output SELECT key, 0, 0, x'', CASE thread WHEN 1 THEN 'lost' ELSE 'ended' END FROM tool_call WHERE id = 'c1'",
    );
    db.exec(`PRAGMA user_version=${migrations.length - 1}`);
    db.close();
  });
  const store = await open({ file });
  const ends = ids.map((id) => store.readJournal(id).jobEnds());
  const jobs = ids.map((id) => store.readJournal(id).outputOf("c1")?.job);
  store.close();
  expect(ends.flat()).toHaveLength(2);
  expect(ends.flat().map(({ how }) => how)).toEqual([undefined, undefined]);
  expect(ends.map(([end]) => [end?.isTold, end?.last])).toEqual([
    [false, undefined],
    [true, undefined],
  ]);
  expect(jobs).toEqual(["ended", "ended"]);
  expect(versionOf(file)).toBe(migrations.length);
});

test.each([
  ["is of its last attempt, where nobody was told of it yet", "'lost'", "interrupted", 2, 2],
  ["is of the attempt before, where a job of the next one runs", "'running'", "success", 2, 1],
  ["is of the attempt before, where its call was begun again and is open", "'ended'", "pending", 2, 1],
  ["is of the attempt before, where it runs again in the foreground", "NULL", "executing", 2, 1],
  ["is of its only attempt", "'ended'", "executing", 1, 1],
  ["is of its last attempt, where the call is settled", "'ended'", "success", 2, 2],
] as const)("a lost job of an earlier version %s", async (_what, job, status, attempt, of) => {
  const file = await oldStore((at) => {
    const db = new RawStore(at);
    db.exec("DROP TABLE job_end");
    db.exec(
      "CREATE TABLE lost_job (thread INTEGER NOT NULL, call TEXT NOT NULL, step TEXT, PRIMARY KEY (thread, call)) STRICT, WITHOUT ROWID",
    );
    db.exec("INSERT INTO lost_job (thread, call, step) SELECT key, 'c1', '1.2' FROM thread");
    db.exec(`INSERT OR REPLACE INTO call_output SELECT key, 0, 0, x'', ${job} FROM tool_call WHERE id = 'c1'`);
    db.exec(`UPDATE tool_call SET attempt = ${attempt}, status = '${status}'`);
    db.exec(`PRAGMA user_version=${migrations.length - 1}`);
    db.close();
  });
  const db = new RawStore(file);
  migrate(db.connection, file);
  expect(db.all("SELECT attempt, step, told, heard FROM job_end")).toEqual(
    ids.map(() => ({ attempt: of, step: "1.2", told: job === "'lost'" ? 0 : 1, heard: 0 })),
  );
  db.close();
});
