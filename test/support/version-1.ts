import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { RawStore } from "./raw-store.ts";

/** The schema of version 1, as it was: never edited, whatever becomes of the present one. */
const version1 = `
CREATE TABLE thread (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE session (
  thread INTEGER PRIMARY KEY REFERENCES thread(key) ON DELETE CASCADE,
  parent INTEGER REFERENCES thread(key), root INTEGER NOT NULL,
  title TEXT NOT NULL, workspace TEXT NOT NULL, state TEXT NOT NULL, model TEXT NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE lease (
  session INTEGER PRIMARY KEY REFERENCES session(thread) ON DELETE CASCADE, fence INTEGER NOT NULL,
  pid INTEGER, host TEXT NOT NULL, boot TEXT NOT NULL, started TEXT NOT NULL, since INTEGER NOT NULL) STRICT;

CREATE TABLE message (
  key INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  parent INTEGER, id TEXT, type TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX message_unplaced ON message(thread, id) WHERE parent = 0;
CREATE TABLE turn (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, turn INTEGER NOT NULL,
  message INTEGER NOT NULL, text TEXT, state TEXT NOT NULL, reason TEXT,
  PRIMARY KEY (thread, turn)) STRICT, WITHOUT ROWID;
CREATE TABLE step (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, id TEXT NOT NULL,
  message INTEGER NOT NULL, first_call INTEGER, last_call INTEGER, PRIMARY KEY (thread, id)) STRICT, WITHOUT ROWID;

CREATE TABLE tool_call (
  key INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  id TEXT NOT NULL, model_id TEXT NOT NULL, tool TEXT NOT NULL,
  arguments TEXT NOT NULL, raw_arguments TEXT, risk TEXT NOT NULL, effect TEXT NOT NULL,
  status TEXT NOT NULL, attempt INTEGER NOT NULL, digest ANY, actor TEXT, rule TEXT, reason TEXT,
  result TEXT, error TEXT, error_code TEXT,
  proposed INTEGER NOT NULL, decided INTEGER, started INTEGER, settled INTEGER,
  fence INTEGER, plan TEXT, UNIQUE (thread, id)) STRICT;
CREATE INDEX tool_call_open ON tool_call(thread) WHERE status NOT IN ('success', 'error', 'cancelled');
CREATE TRIGGER tool_call_settled BEFORE UPDATE ON tool_call WHEN OLD.status IN ('success', 'error', 'cancelled')
  BEGIN SELECT RAISE(ABORT, 'a settled call never changes'); END;
CREATE TABLE tool_call_event (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL,
  call INTEGER NOT NULL, was TEXT, became TEXT NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
  actor TEXT, rule TEXT, digest ANY, reason TEXT, hash BLOB NOT NULL, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
CREATE TRIGGER tool_call_event_kept BEFORE UPDATE ON tool_call_event
  BEGIN SELECT RAISE(ABORT, 'the life of calls is append-only'); END;
CREATE TRIGGER tool_call_event_whole BEFORE DELETE ON tool_call_event
  WHEN EXISTS (SELECT 1 FROM session WHERE thread = OLD.thread)
  BEGIN SELECT RAISE(ABORT, 'the life of calls goes only with its session'); END;
CREATE TABLE answer (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL, call INTEGER NOT NULL,
  digest ANY NOT NULL, decision TEXT NOT NULL, reason TEXT, arguments TEXT, grant_text TEXT, at INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE kept_bytes (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, sha BLOB NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (thread, sha)) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint (
  key INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  ns TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, turn ANY, body TEXT NOT NULL, metadata TEXT NOT NULL,
  UNIQUE (thread, ns, id)) STRICT;
CREATE TABLE pending_write (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  ns TEXT NOT NULL, checkpoint TEXT NOT NULL, task TEXT NOT NULL, ordinal INTEGER NOT NULL, channel TEXT NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY (thread, ns, checkpoint, task, ordinal)) STRICT, WITHOUT ROWID;
`;

/** Results that are packed now stood as text. */
function unpack(db: RawStore): void {
  db.exec("CREATE TEMP TABLE unpacked (key INTEGER PRIMARY KEY, text TEXT)");
  const packed = db.all<{ key: number; packed: Uint8Array }>(
    "SELECT key, packed FROM present.tool_call WHERE packed IS NOT NULL",
  );
  for (const { key, packed: bytes } of packed)
    db.run("INSERT INTO unpacked VALUES (?, ?)", key, inflateRawSync(bytes).toString("utf8"));
}

/**
 * Makes a store of version 1 of a present one: the tables as they were, with the rows that version 1 would have
 * written. Columns and tables that came later are not in it.
 */
export function toVersion1(file: string): void {
  const folder = mkdtempSync(`${file}-`);
  const old = join(folder, "old.db");
  const db = new RawStore(old);
  try {
    db.exec("PRAGMA page_size=1024; PRAGMA foreign_keys=OFF");
    db.exec(version1);
    db.exec("PRAGMA application_id=1752132708; PRAGMA user_version=1");
    db.run("ATTACH ? AS present", file);
    unpack(db);
    const tables = db.column("SELECT name FROM sqlite_schema WHERE type = 'table'") as string[];
    for (const table of tables.filter((name) => name !== "kept_bytes")) {
      const columns = db.column("SELECT name FROM pragma_table_info(?)", table).join(", ");
      const result = " coalesce(result, (SELECT text FROM unpacked WHERE unpacked.key = tool_call.key)),";
      const values = table === "tool_call" ? columns.replace(" result,", result) : columns;
      db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${values} FROM present.${table}`);
    }
    db.exec("DETACH present");
    db.close();
    for (const part of ["-wal", "-shm"]) rmSync(file + part, { force: true });
    renameSync(old, file);
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}
