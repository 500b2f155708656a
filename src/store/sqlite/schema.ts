import { faultPoint } from "../../core/fault-point.ts";
import { askOne, type Connection } from "./driver/driver.ts";
import { storeFailure } from "./failures.ts";

/** "hold" in ASCII: tells our file from any other SQLite database. */
export const applicationId = 0x686f6c64;

/**
 * Bytes of a page, fixed when the file is made. A settled call is a row of about 1.2 KB: a page of 4096 holds three and
 * wastes the rest, one of 1024 takes the row's end in a page of its own and packs the beginnings, and each of the many
 * small tables costs a quarter.
 */
export const pageSize = 1024;

/**
 * One script a version, from 1; a published one is never edited. Rows name a session or thread by its integer key. Message
 * rows point to the message before them (a fork is a row with the same parent): parent NULL begins a list, 0 has no
 * place yet. The calls of a step are the rows from its first to its last, made in one transaction. A call's row is an
 * ordinary rowid row: WITHOUT ROWID suits small rows only.
 */
export const migrations: string[] = [
  `
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
`,
  // Version 1 never kept any bytes, so its table of them is empty.
  `
DROP TABLE kept_bytes;
CREATE TABLE kept_bytes (
  key INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, sha BLOB NOT NULL,
  at INTEGER NOT NULL, form INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (thread, sha)) STRICT;
ALTER TABLE session ADD COLUMN forked_from TEXT;
ALTER TABLE session ADD COLUMN forked_at TEXT;
`,
  // The digest that was shown; the processes that a call started (ChildNote[] as JSON); a long result; the holder's last sign of life.
  `
ALTER TABLE tool_call ADD COLUMN shown ANY;
ALTER TABLE tool_call ADD COLUMN children TEXT;
ALTER TABLE tool_call ADD COLUMN packed BLOB;
ALTER TABLE lease ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
`,
  // What a call did of a plan that it did not come to the end of (FilePlan[] as JSON); when an answer's grant was kept.
  `
ALTER TABLE tool_call ADD COLUMN done TEXT;
ALTER TABLE answer ADD COLUMN grant_kept INTEGER;
`,
  // What policy said of a call, and why the call ended where its status does not tell; both as JSON.
  `
ALTER TABLE tool_call ADD COLUMN verdict TEXT;
ALTER TABLE tool_call ADD COLUMN ended TEXT;
ALTER TABLE tool_call_event ADD COLUMN ended TEXT;
`,
  // What a command said, whole, where the call's result has a part of it; `job`, of one in the background: running,
  // ended, or (before there was job_end) lost and not told to the person yet.
  `
CREATE TABLE call_output (
  call INTEGER PRIMARY KEY REFERENCES tool_call(key) ON DELETE CASCADE,
  at INTEGER NOT NULL, form INTEGER NOT NULL, bytes BLOB NOT NULL, job TEXT) STRICT;
`,
  // The same tables; a question among pending writes leaves out what tool_call has, which no program before this can read.
  "",
  // What the person said while a turn ran: told at a step of it, or made a turn of its own; neither while it waits; turn 0
  // where it was taken back. Whose words a title is: the person's or the model's; else the first prompt's.
  `
CREATE TABLE steer (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL,
  message INTEGER NOT NULL, step TEXT, turn INTEGER, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
ALTER TABLE session ADD COLUMN title_by TEXT;
`,
  // Asked of each call of a session that is opened.
  "CREATE INDEX answer_edit ON answer(thread, call) WHERE decision = 'edit';",
  // What each reply of a model took; no turn for a title. Without a cost its price was not known, or its server told no figures.
  `
CREATE TABLE spent (
  key INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, turn INTEGER,
  at INTEGER NOT NULL, model TEXT, input INTEGER NOT NULL, cached INTEGER NOT NULL, output INTEGER NOT NULL, cost REAL) STRICT;
CREATE INDEX spent_thread ON spent(thread, turn);
`,
  // Characters of the call's observation that the model gets, where that is not what is usual; 0 for all of them.
  "ALTER TABLE tool_call ADD COLUMN max_observe INTEGER;",
  // Statistics read this index in the place of rows that have whole texts in them; a call is written into it once, as it ends.
  `
CREATE INDEX tool_call_ended ON tool_call(tool, proposed, status, thread, error_code, rule, decided, started, settled)
  WHERE status IN ('success', 'error', 'cancelled');
`,
  // Cuts in what the model is shown. `up_to` and `made_after` are ids of messages: the last that the cut is about, and the last that there
  // was. Without a summary the outputs of old calls are cut to `kept` characters; with one `shown` stands for all before.
  `
CREATE TABLE compaction (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  actor TEXT NOT NULL, up_to TEXT NOT NULL, made_after TEXT NOT NULL, was INTEGER NOT NULL, became INTEGER NOT NULL,
  kept INTEGER, summary TEXT, shown TEXT, undone INTEGER, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
`,
  // The last key that a thread was given, be it there or removed: a process that still drives a removed session finds nothing under
  // its key, ever. (AUTOINCREMENT would say it too, but only of a table made anew, and dropping the old one takes all with it.)
  `
CREATE TABLE thread_key (last INTEGER NOT NULL) STRICT;
INSERT INTO thread_key SELECT coalesce(max(key), 0) FROM thread;
CREATE TRIGGER thread_key_given AFTER INSERT ON thread BEGIN
  SELECT RAISE(ABORT, 'the key of a thread is given once') FROM thread_key WHERE last >= NEW.key;
  UPDATE thread_key SET last = NEW.key;
END;
`,
  // Jobs that ended with the process that ran them; the model is told with the request of that step, and was not yet where there is none.
  `
CREATE TABLE lost_job (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, call TEXT NOT NULL, step TEXT,
  PRIMARY KEY (thread, call)) STRICT, WITHOUT ROWID;
`,
  // Sessions that a call of another one drives: which call, the how-manieth of it (from 0), and what they were begun with.
  `
CREATE TABLE child (
  thread INTEGER PRIMARY KEY REFERENCES thread(key) ON DELETE CASCADE,
  parent INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  call TEXT NOT NULL, place INTEGER NOT NULL, spec TEXT NOT NULL, UNIQUE (parent, call, place)) STRICT;
CREATE INDEX session_root ON session(root);
`,
  // Who gave an answer (AnswerRow.by); not known of those before.
  "ALTER TABLE answer ADD COLUMN given_by TEXT;",
  // What other processes ask of those that drive sessions; \`heard\` when, and what became of it. No key is given twice: who wrote a row
  // looks for its end by it.
  `
CREATE TABLE request (
  key INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE,
  kind TEXT NOT NULL, call TEXT, digest ANY, decision TEXT, reason TEXT, fence INTEGER,
  pid INTEGER NOT NULL, host TEXT NOT NULL, at INTEGER NOT NULL, heard INTEGER, became TEXT, said TEXT) STRICT;
CREATE INDEX request_thread ON request(thread);
CREATE INDEX request_unheard ON request(key) WHERE heard IS NULL;
`,
  // Instructions of folders, as the model was told them behind what came of that step.
  `
CREATE TABLE told_file (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL, step TEXT NOT NULL,
  name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
`,
  // Runs of the person's hooks: `hook` tells which, `call` and `attempt` what for; `said` what came of it (HookSaid as JSON), null until its end was seen.
  `
CREATE TABLE hook_run (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL, step TEXT NOT NULL, event TEXT NOT NULL,
  call TEXT, attempt INTEGER NOT NULL, hook TEXT NOT NULL, child TEXT, said TEXT, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
`,
  // Ends of jobs that no call tells of, each with the attempt of its call: of those that came to their own end with how that was, null of
  // the lost ones; `last` what it had said last, not known of those before; `told` whether the person was told of it, `step` the model,
  // and `heard` where a call had told the model of it before that step. A lost one of before is of the attempt before the call's, where
  // that was begun again since: it is open, or has a job that runs.
  `
CREATE TABLE job_end (
  thread INTEGER NOT NULL REFERENCES thread(key) ON DELETE CASCADE, seq INTEGER NOT NULL, call TEXT NOT NULL, attempt INTEGER NOT NULL,
  step TEXT, how TEXT, last TEXT, told INTEGER NOT NULL, heard INTEGER NOT NULL, PRIMARY KEY (thread, seq)) STRICT, WITHOUT ROWID;
INSERT INTO job_end SELECT l.thread, row_number() OVER (PARTITION BY l.thread ORDER BY c.key), l.call,
    CASE WHEN o.job IS NOT 'lost' AND (o.job IS 'running' OR c.status NOT IN ('success', 'error', 'cancelled'))
      THEN max(1, c.attempt - 1) ELSE c.attempt END,
    l.step, NULL, NULL, o.job IS NOT 'lost', 0
  FROM lost_job l JOIN tool_call c ON c.thread = l.thread AND c.id = l.call LEFT JOIN call_output o ON o.call = c.key;
UPDATE call_output SET job = 'ended' WHERE job = 'lost';
DROP TABLE lost_job;
`,
];

const number = (sqlite: Connection, sql: string): number => Number(askOne(sqlite, sql));

/**
 * Whose file this is, found by reading alone: whether it is empty or ours. All that is read is of one moment, since another
 * process may be making the store.
 * @throws StoreFailure foreign or newer; nothing has been changed then.
 */
export function recognise(sqlite: Connection, file: string): void {
  sqlite.exec("BEGIN");
  try {
    checkMarks(sqlite, file);
  } finally {
    if (sqlite.inTransaction) sqlite.exec("COMMIT");
  }
}

function checkMarks(sqlite: Connection, file: string): void {
  const application = number(sqlite, "PRAGMA application_id");
  const version = number(sqlite, "PRAGMA user_version");
  const tables = number(sqlite, "SELECT count(*) FROM sqlite_schema");
  const empty = application === 0 && version === 0 && tables === 0;
  if (!empty && application !== applicationId) throw storeFailure("foreign", file);
  if (version > migrations.length) throw storeFailure("newer", file, `version ${version}, not ${migrations.length}`);
}

/** Brings the file to this program's version in one transaction; two processes may do it at once. */
export function migrate(sqlite: Connection, file: string): void {
  if (number(sqlite, "PRAGMA user_version") === migrations.length) return;
  sqlite.exec("BEGIN IMMEDIATE");
  try {
    faultPoint("migration begun");
    checkMarks(sqlite, file); // another process may have been first
    for (const script of migrations.slice(number(sqlite, "PRAGMA user_version"))) sqlite.exec(script);
    faultPoint("migration script run");
    sqlite.exec(`PRAGMA application_id=${applicationId}; PRAGMA user_version=${migrations.length}`);
    sqlite.exec("COMMIT");
    faultPoint("migration committed");
  } finally {
    if (sqlite.inTransaction) sqlite.exec("ROLLBACK");
  }
}
