import { join } from "node:path";
import type { ToolCallInfo } from "../../../core/call.ts";
import { runsElsewhere } from "../../../core/job-notices.ts";
import { stepText } from "../../../core/step-id.ts";
import { copyPack, packFolder, readPack } from "../../../files/bytes/pack-file.ts";
import { dropKeptTree, makeRoom } from "../../../files/bytes/pack-room.ts";
import { eventIn, eventOf, linked } from "../../journal/call-events.ts";
import { type CallRow, doneFromText, movable, packCall, planFromText, unpackCall } from "../../journal/call-row.ts";
import type { ForkSpec } from "../../types.ts";
import type { Database } from "../database.ts";
import { storeFailure } from "../failures.ts";
import { SessionSource } from "../session-source.ts";
import { findThread, threadKey } from "./sessions.ts";

type Value = string | number | null | Uint8Array;
type Columns = Record<string, Value>;

/** Both threads of a fork, and how rows of the old one are named in the new one. */
interface Copy {
  db: Database;
  spec: ForkSpec;
  from: number;
  to: number;
  at: number;
  /** Old message key -> new one. */
  message(key: number): number;
  /** Old call key -> new one. */
  calls: Map<number, number>;
}

/**
 * Makes the session of a fork out of its origin's rows: turns, steps, calls with their results, plans and answers, and the
 * bytes kept for their undo. The life of each call comes along under the new session's own hash chain. Its messages
 * and their checkpoint are there already, and its pack (`copyPacked`). Rows are copied, not shared: either session can be removed on its own.
 * Inside `write` only. @throws Error where the origin is gone or the id is taken.
 */
export function copySession(db: Database, spec: ForkSpec, at: number): void {
  const from = findThread(db, spec.from);
  if (from === undefined) throw new Error(`there is no session ${spec.from}`);
  const to = threadKey(db, spec.id);
  const copy: Copy = { db, spec, from, to, at, message: messageFinder(db, from, to), calls: new Map() };
  copyHead(copy);
  copyTurns(copy);
  copySteers(copy);
  for (const step of spec.steps) copyStep(copy, stepText(step));
  copyEvents(copy);
  copyAnswers(copy);
  copyCompactions(copy);
  copyJobEnds(copy);
  copyToldFiles(copy);
  copyHookRuns(copy);
  settleOpen(copy);
  copyKept(copy);
}

/**
 * Copies the bytes kept before the copied calls ran, as far as undo needs them: into a pack of the new session's own, made before
 * the session is there. What is left of it after a death is dropped in time like that of a removed session.
 * @throws what the file system throws.
 */
export function copyPacked(db: Database, { from, id, steps }: ForkSpec): void {
  const folder = packFolder(db.file);
  const thread = findThread(db, from);
  if (folder === undefined || thread === undefined || isThere(db, id)) return;
  const base = join(folder, id);
  // What an earlier attempt laid down before it died.
  dropKeptTree(base);
  const shas = steps.flatMap((step) => {
    const calls = db.all<{ done: string }>(
      `SELECT c.done FROM tool_call c JOIN step s ON c.key BETWEEN s.first_call AND s.last_call
       WHERE s.thread = ? AND s.id = ? AND c.done IS NOT NULL`,
      ...[thread, stepText(step)],
    );
    const files = calls.flatMap(({ done }) => doneFromText(done));
    return files.flatMap(({ before, after }) => [before, after]).filter((sha) => sha !== null);
  });
  copyPack(readPack(join(folder, from)), base, shas);
  makeRoom(base, 0);
}

/** Drops it again. Only of a session that is not there. */
export function dropPacked(db: Database, id: string): void {
  const folder = packFolder(db.file);
  if (folder !== undefined && !isThere(db, id)) dropKeptTree(join(folder, id));
}

const isThere = (db: Database, id: string): boolean =>
  db.get("SELECT 1 FROM session WHERE thread = ?", findThread(db, id) ?? -1) !== undefined;

function copyHead({ db, spec, from, to, at }: Copy): void {
  if (db.get("SELECT 1 FROM session WHERE thread = ?", to) !== undefined)
    throw new Error(`there is a session ${spec.id} already`);
  const { changes } = db.run(
    `INSERT INTO session (thread, parent, root, title, workspace, state, model, created, updated, forked_from, forked_at)
     SELECT ?, NULL, ?, title, workspace, 'idle', model, ?, ?, ?, ? FROM session WHERE thread = ?`,
    ...[to, to, at, at, spec.from, spec.at, from],
  );
  if (changes !== 1) throw new Error(`there is no session ${spec.from}`);
}

/** A message has the same id in both threads. */
function messageFinder(db: Database, from: number, to: number): (key: number) => number {
  const rows = db.all<{ key: number; id: string | null }>("SELECT key, id FROM message WHERE thread = ?", to);
  const byId = new Map(rows.map(({ id, key }) => [id, key]));
  return (key) => {
    const old = db.get<{ id: string | null }>("SELECT id FROM message WHERE key = ? AND thread = ?", key, from);
    const found = old === undefined ? undefined : byId.get(old.id);
    if (found === undefined) throw storeFailure("corrupt", db.file, "a message of the session to fork is gone");
    return found;
  };
}

function copyTurns(copy: Copy): void {
  const { db, spec, from, to } = copy;
  const { turn: last, state, reason } = spec.lastTurn;
  const turns = db.all<Columns & { turn: number; message: number }>(
    "SELECT * FROM turn WHERE thread = ? AND turn <= ? AND state <> 'withdrawn' ORDER BY turn",
    from,
    last,
  );
  for (const turn of turns) {
    const end: Columns = turn.turn === last ? { state, reason } : {};
    insert(db, "turn", { ...turn, ...end, thread: to, message: copy.message(turn.message) });
  }
}

function copySteers(copy: Copy): void {
  const { db, spec, from, to } = copy;
  const rows = db.all<Columns & { message: number; id: string }>(
    "SELECT s.*, m.id FROM steer s JOIN message m ON m.key = s.message WHERE s.thread = ? AND s.step IS NOT NULL",
    from,
  );
  for (const { id, ...steer } of rows)
    if (spec.steers.includes(id)) insert(db, "steer", { ...steer, thread: to, message: copy.message(steer.message) });
}

function copyStep(copy: Copy, id: string): void {
  const { db, from, to } = copy;
  const step = db.get<{ message: number; first_call: number | null; last_call: number | null }>(
    "SELECT * FROM step WHERE thread = ? AND id = ?",
    from,
    id,
  );
  if (step === undefined) throw new Error(`session ${copy.spec.from} has no step ${id}`);
  const calls = db.all<CallRow>(
    "SELECT * FROM tool_call WHERE thread = ? AND key BETWEEN ? AND ? ORDER BY key",
    ...[from, step.first_call, step.last_call],
  );
  const keys = calls.map(({ key, ...columns }) => {
    const made = insert(db, "tool_call", { ...columns, thread: to, fence: null });
    copy.calls.set(key, made);
    return made;
  });
  const span = { first_call: keys[0] ?? null, last_call: keys.at(-1) ?? null };
  insert(db, "step", { thread: to, id, message: copy.message(step.message), ...span });
}

function copyEvents(copy: Copy): void {
  const { db, spec, from, calls } = copy;
  const keys = new Map<string, number>();
  for (const key of calls.values()) {
    const row = db.get<{ id: string }>("SELECT id FROM tool_call WHERE key = ?", key);
    if (row !== undefined) keys.set(row.id, key);
  }
  const source = new SessionSource(db, from, spec.from);
  for (const { seq: _seq, hash: _hash, ...event } of source.events().map(eventIn)) {
    const call = keys.get(event.callId);
    if (call !== undefined) appendEvent(copy, call, event);
  }
}

/** Adds a link to the new session's chain. */
function appendEvent({ db, spec, to }: Copy, call: number, event: Parameters<typeof linked>[2]): void {
  const last = new SessionSource(db, to, spec.id).lastEvent();
  insert(db, "tool_call_event", { thread: to, call, ...linked(spec.id, last, event) });
}

function copyAnswers({ db, from, to, calls }: Copy): void {
  const answers = db.all<Columns & { call: number }>("SELECT * FROM answer WHERE thread = ? ORDER BY seq", from);
  let seq = 0;
  for (const answer of answers) {
    const call = calls.get(answer.call);
    if (call === undefined) continue;
    seq += 1;
    insert(db, "answer", { ...answer, thread: to, seq, call });
  }
}

/** Those that were made from nothing but what came along. */
function copyCompactions({ db, from, to }: Copy): void {
  const rows = db.all<Columns>(
    `SELECT * FROM compaction WHERE thread = ? AND up_to IN (SELECT id FROM message WHERE thread = ?)
       AND made_after IN (SELECT id FROM message WHERE thread = ?) ORDER BY seq`,
    ...[from, to, to],
  );
  for (const row of rows) insert(db, "compaction", { ...row, thread: to });
}

/**
 * Those of the calls that came along: told to the model there where that step came along, too, and to the person in the origin alone, where
 * the jobs were. Jobs that run do so there alone.
 */
function copyJobEnds({ db, from, to }: Copy): void {
  db.run(
    `INSERT INTO job_end (thread, seq, call, attempt, step, how, last, told, heard)
     SELECT ?, seq, call, attempt, s.id, how, last, 1, iif(s.id IS NULL, 0, heard)
     FROM job_end e LEFT JOIN step s ON s.thread = ? AND s.id = e.step
     WHERE e.thread = ? AND EXISTS (SELECT 1 FROM tool_call WHERE thread = ? AND id = e.call)`,
    ...[to, to, from, to],
  );
  db.run(
    `INSERT INTO job_end (thread, seq, call, attempt, step, how, last, told, heard)
     SELECT ?, (SELECT coalesce(max(seq), 0) FROM job_end WHERE thread = ?) + row_number() OVER (ORDER BY c.key), c.id, c.attempt, NULL, ?, NULL, 1, 0
     FROM call_output o JOIN tool_call c ON c.key = o.call
     WHERE c.thread = ? AND o.job = 'running' AND EXISTS (SELECT 1 FROM tool_call WHERE thread = ? AND id = c.id)`,
    ...[to, to, runsElsewhere, from, to],
  );
}

/** Those that were told behind a step that came along. */
function copyToldFiles({ db, from, to }: Copy): void {
  db.run(
    `INSERT INTO told_file (thread, seq, step, name, text)
     SELECT ?, seq, step, name, text FROM told_file
     WHERE thread = ? AND step IN (SELECT id FROM step WHERE thread = ?)`,
    ...[to, from, to],
  );
}

/** Those for a step that came along: what they said is a part of what the model was told. */
function copyHookRuns({ db, from, to }: Copy): void {
  db.run(
    `INSERT INTO hook_run (thread, seq, step, event, call, attempt, hook, child, said)
     SELECT ?, seq, step, event, call, attempt, hook, NULL, said FROM hook_run
     WHERE thread = ? AND step IN (SELECT id FROM step WHERE thread = ?)`,
    ...[to, from, to],
  );
}

/** Settles the calls that were still open here; in the origin they stay as they are. */
function settleOpen(copy: Copy): void {
  const { db, spec, at, calls } = copy;
  for (const key of calls.values()) {
    const row = db.get<CallRow>("SELECT * FROM tool_call WHERE key = ?", key);
    if (row === undefined) continue;
    let before: ToolCallInfo = unpackCall(row);
    for (const after of spec.settle(before, at)) {
      const packed = packCall(after);
      const sets = movable.map((name) => `${name} = ?`).join(", ");
      db.run(`UPDATE tool_call SET ${sets} WHERE key = ?`, ...movable.map((name) => packed[name]), key);
      appendEvent(copy, key, eventOf(before, after, at));
      before = after;
    }
  }
}

function copyKept(copy: Copy): void {
  const { db, calls } = copy;
  for (const [old, key] of calls) {
    copyOutput(db, old, key);
    const row = db.get<CallRow>("SELECT * FROM tool_call WHERE key = ?", key);
    const planned = row?.plan == null ? [] : (planFromText(row.plan).files ?? []);
    const files = row?.done == null ? planned : [...planned, ...doneFromText(row.done)];
    const images = row === undefined ? [] : imagesOf(row);
    for (const sha of [...files.flatMap(({ before, after }) => [before, after]), ...images]) copyBytes(copy, sha);
  }
  for (const sha of copy.spec.images ?? []) copyBytes(copy, sha);
}

/** Copies the output of a call; the jobs of a copy do not run. */
function copyOutput(db: Database, from: number, to: number): void {
  db.run(
    `INSERT OR IGNORE INTO call_output (call, at, form, bytes, job)
     SELECT ?, at, form, bytes, CASE WHEN job IS NULL THEN NULL ELSE 'ended' END FROM call_output WHERE call = ?`,
    ...[to, from],
  );
}

function copyBytes({ db, from, to }: Copy, sha: string | null): void {
  if (sha === null) return;
  db.run(
    `INSERT OR IGNORE INTO kept_bytes (thread, sha, at, form, bytes)
     SELECT ?, sha, at, form, bytes FROM kept_bytes WHERE thread = ? AND sha = ?`,
    ...[to, from, Buffer.from(sha, "hex")],
  );
}

/** Of the pictures of a call's result. */
function imagesOf(row: CallRow): string[] {
  const call = unpackCall(row);
  const images = "result" in call ? (call.result?.images ?? []) : [];
  return images.flatMap(({ sha }) => (sha === undefined ? [] : [sha]));
}

function insert(db: Database, table: string, columns: Columns): number {
  const names = Object.keys(columns);
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
  return db.run(sql, ...Object.values(columns)).key;
}
