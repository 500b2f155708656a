import type { BaseMessage } from "@langchain/core/messages";
import { parseStep, type StepId, stepText } from "../../../core/step-id.ts";
import type { SteerRow, TurnRow, Withdrawn } from "../../types.ts";
import type { MessageShelf } from "../checkpoints/message-shelf.ts";
import type { Database } from "../database.ts";

/** In the place of the turn that a message became: turns are counted from 1. */
const withdrawnSteer = 0;

type Columns = { seq: number; message: number; step: string | null };

/** Stores a message for the turn under way, after those that wait already. Inside `write` only. @returns what to do once it is committed */
export function storeSteer(db: Database, shelf: MessageShelf, thread: number, message: BaseMessage): () => void {
  if (message.id === undefined) throw new TypeError("a message needs an id before it is stored");
  const { key, settle } = shelf.add(thread, message, "unknown");
  db.run(
    `INSERT INTO steer (thread, seq, message)
     VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM steer WHERE thread = ?), ?)`,
    ...[thread, thread, key],
  );
  return settle;
}

/** All that did not become turns, in their order. A message whose row is lost is left out: the checkpoint's own check says so. */
export function readSteers(db: Database, shelf: MessageShelf, thread: number): SteerRow[] {
  const rows = db.all<Columns>(
    "SELECT seq, message, step FROM steer WHERE thread = ? AND turn IS NULL ORDER BY seq",
    thread,
  );
  return rows.flatMap(({ message: key, step }): SteerRow[] => {
    const message = shelf.read(thread, key);
    if (message === undefined) return [];
    const text = typeof message.content === "string" ? message.content : "";
    const told = step === null ? {} : { step: parseStep(step) };
    return [{ messageId: message.id ?? "", text, message, ...told }];
  });
}

/**
 * What waits, queued turns and untold words, is withdrawn: it stays stored, and nothing reads it as said. Inside `write` only.
 * @returns the ids of its messages with their words, in the order in which they were said
 */
export function withdraw(db: Database, shelf: MessageShelf, thread: number): Withdrawn[] {
  const rows = db.all<{ message: number; text: string | null }>(
    `SELECT message, text FROM turn WHERE thread = ? AND state = 'queued'
     UNION ALL SELECT message, NULL FROM steer WHERE thread = ? AND step IS NULL AND turn IS NULL ORDER BY message`,
    ...[thread, thread],
  );
  db.run("UPDATE turn SET state = 'withdrawn' WHERE thread = ? AND state = 'queued'", thread);
  db.run("UPDATE steer SET turn = ? WHERE thread = ? AND step IS NULL AND turn IS NULL", withdrawnSteer, thread);
  return rows.flatMap(({ message: key, text }): Withdrawn[] => {
    const message = shelf.read(thread, key);
    if (message === undefined) return [];
    return [
      { messageId: message.id ?? "", text: text ?? (typeof message.content === "string" ? message.content : "") },
    ];
  });
}

/** From now on all that waited belong to this step. Inside `write` only. */
export function markTold(db: Database, thread: number, stepId: StepId): void {
  const sql = "UPDATE steer SET step = ? WHERE thread = ? AND step IS NULL AND turn IS NULL";
  db.run(sql, stepText(stepId), thread);
}

/**
 * The first that waits becomes a turn, before the queued ones that were said after it. Inside `write` only.
 * @param before only where it was said before this queued turn
 * @returns its number, or undefined where none waits
 */
export function makeTurn(db: Database, thread: number, before?: TurnRow["turn"]): TurnRow["turn"] | undefined {
  const first = db.get<Columns>(
    "SELECT seq, message, step FROM steer WHERE thread = ? AND step IS NULL AND turn IS NULL ORDER BY seq LIMIT 1",
    thread,
  );
  if (first === undefined) return undefined;
  // Messages are numbered as they are said.
  const later = db.all<{ turn: number }>(
    "SELECT turn FROM turn WHERE thread = ? AND state = 'queued' AND message > ? ORDER BY turn",
    ...[thread, first.message],
  );
  if (before !== undefined && !later.some(({ turn }) => turn === before)) return undefined;
  const { last } = db.get<{ last: number | null }>("SELECT max(turn) AS last FROM turn WHERE thread = ?", thread) ?? {};
  const turn = later[0]?.turn ?? (last ?? 0) + 1;
  if (later.length > 0) makePlace(db, thread, turn);
  db.run(
    "INSERT INTO turn (thread, turn, message, text, state) VALUES (?, ?, ?, NULL, 'queued')",
    ...[thread, turn, first.message],
  );
  db.run("UPDATE steer SET turn = ? WHERE thread = ? AND seq = ?", turn, thread, first.seq);
  return turn;
}

/** Queued turns from this one on have one number more; nothing but their steers names them yet. */
function makePlace(db: Database, thread: number, from: number): void {
  // By way of negative numbers: two rows never have the same one.
  db.run("UPDATE turn SET turn = -turn - 1 WHERE thread = ? AND turn >= ?", thread, from);
  db.run("UPDATE turn SET turn = -turn WHERE thread = ? AND turn < 0", thread);
  db.run("UPDATE steer SET turn = turn + 1 WHERE thread = ? AND turn >= ?", thread, from);
}
