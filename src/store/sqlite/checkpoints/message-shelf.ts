import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { commonLength } from "../../../core/common-length.ts";
import {
  type CallWords,
  decodeMessage,
  encodeMessage,
  type Filled,
  type MessageText,
} from "../../checkpoints/message-codec.ts";
import type { Messages } from "../../journal/messages.ts";
import type { MessageColumns } from "../../tables.ts";
import type { ObservationOf } from "../../types.ts";
import type { Database } from "../database.ts";

/** The place of a message object: its row, and the row before it (null: none, 0: it has no place yet). */
type Placement = { thread: number; key: number; parent: number | null };
type Row = { key: number; thread: number; parent: number | null; id: string | null; type: string; body: string };
/** The end of a list and its length: all that a checkpoint holds of it. */
export type ListEnd = { head: number; count: number };
/** The words known of a thread's calls, and the time when a message is filled with them. */
type WordsOfThread = { wordsOf: CallWords; filled: Filled };
/** A value that is known in memory only once the transaction is committed. */
type Settled<T> = T & { settle: () => void };

const unplaced = 0;
const keptLists = 8;

/**
 * Messages, each stored once. A list is the chain of rows from its last message back; rows already written are known by
 * object identity, so a message must not be changed in place after it was stored.
 */
export class MessageShelf implements Messages {
  readonly #db: Database;
  #placed = new WeakMap<BaseMessage, Placement>();
  /** Placed in the transaction under way: it may yet be rolled back, and is then made again. */
  #placing = new WeakMap<BaseMessage, Placement>();
  /**
   * Objects stored before they had a place, so that who asks for the row gets the same object. By key and thread: another process may
   * remove a session, and its messages' keys are given again.
   */
  readonly #given = new Map<number, { thread: number; message: WeakRef<BaseMessage> }>();
  /** The list last seen in each slot (thread, namespace, channel), newest slot last. */
  readonly #recent = new Map<string, { messages: BaseMessage[]; keys: number[] }>();
  #observationOf: ObservationOf | undefined;
  #driven: string | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Sets the lookup that knows the words of calls: they are left out of tool messages, and filled in. */
  fillObservations(lookup: ObservationOf, driven: string | undefined): void {
    this.#observationOf = lookup;
    this.#driven = driven;
    this.forgetLists();
  }

  /** Lists are read anew when they are next asked for; what was stored stays known. */
  forgetLists(): void {
    this.#recent.clear();
  }

  columnsOf(thread: number, message: BaseMessage, after: BaseMessage | "unknown" | undefined): MessageColumns {
    const parent = after === undefined ? null : after === "unknown" ? unplaced : this.#keyOf(thread, after);
    return { ...this.#encode(thread, message), parent };
  }

  stored(thread: number, message: BaseMessage, row: { key: number; parent: number | null }): void {
    const placement = { thread, ...row };
    this.#placed.set(message, placement);
    this.#give(placement, message);
  }

  read(thread: number, key: number): BaseMessage | undefined {
    const given = this.#givenOf({ thread, key });
    if (given !== undefined) return given;
    const row = this.#row(key);
    if (row?.thread !== thread) return undefined;
    const message = this.#decode(row);
    this.#give(row, message);
    return message;
  }

  /** Stores what is new in a list. `slot` tells lists of one thread apart. Inside `write` only. */
  place(thread: number, slot: string, messages: BaseMessage[]): Settled<{ end: ListEnd }> {
    const recent = this.#recent.get(slot);
    const same = recent === undefined ? 0 : commonLength(recent.messages, messages);
    const keys = recent === undefined ? [] : recent.keys.slice(0, same);
    const fresh: [BaseMessage, Placement][] = [];
    for (const message of messages.slice(same)) {
      const placement = this.#placement(thread, message, keys.at(-1) ?? null);
      keys.push(placement.key);
      fresh.push([message, placement]);
      this.#placing.set(message, placement);
    }
    const settle = (): void => {
      for (const [message, placement] of fresh) this.#placed.set(message, placement);
      this.#keep(slot, [...messages], keys);
    };
    return { end: { head: keys.at(-1) ?? unplaced, count: keys.length }, settle };
  }

  /** The list that ends so. Where its beginning is lost, a message at the start says so. */
  load(slot: string, { head, count }: ListEnd): BaseMessage[] {
    const recent = this.#recent.get(slot);
    const rows = recent === undefined ? this.#chain(head, count) : [];
    let at = rows.length === 0 ? head : (rows.at(-1)?.parent ?? null);
    while (at !== null && rows.length < count && recent?.keys[count - rows.length - 1] !== at) {
      const row = this.#row(at);
      if (row === undefined) break;
      rows.push(row);
      at = row.parent;
    }
    const missing = count - rows.length;
    const known = missing > 0 && recent !== undefined && recent.keys[missing - 1] === at ? missing : 0;
    const newer = rows.reverse();
    const wordsOf = this.#wordsInOneGo();
    const tail = newer.map((row) => this.#givenOf(row) ?? this.#decode(row, wordsOf(row.thread)));
    if (known !== missing) return [lost(missing), ...tail];
    const messages = [...(recent?.messages.slice(0, known) ?? []), ...tail];
    this.#keep(slot, messages, [...(recent?.keys.slice(0, known) ?? []), ...newer.map((row) => row.key)]);
    return [...messages];
  }

  /** After rows were deleted: nothing that was known is sure any more. */
  forget(): void {
    this.#placed = new WeakMap();
    this.#placing = new WeakMap();
    this.#given.clear();
    this.#recent.clear();
  }

  #give({ thread, key }: Pick<Placement, "thread" | "key">, message: BaseMessage): void {
    this.#given.set(key, { thread, message: new WeakRef(message) });
  }

  #givenOf({ thread, key }: Pick<Placement, "thread" | "key">): BaseMessage | undefined {
    const given = this.#given.get(key);
    return given?.thread === thread ? given.message.deref() : undefined;
  }

  #keyOf(thread: number, message: BaseMessage): number {
    const known = this.#placed.get(message) ?? this.#placing.get(message);
    return known?.thread === thread ? known.key : unplaced;
  }

  #placement(thread: number, message: BaseMessage, parent: number | null): Placement {
    const known = this.#placed.get(message);
    if (known?.thread === thread) {
      if (known.parent === parent) return known;
      if (known.parent === unplaced && this.#link(known.key, parent)) return { ...known, parent };
    }
    const text = this.#encode(thread, message);
    return { thread, key: this.#adopt(thread, text, parent) ?? this.#insert(thread, text, parent), parent };
  }

  /** An equal message that waits for its place: one made anew after a restart. */
  #adopt(thread: number, { type, id, body }: MessageText, parent: number | null): number | undefined {
    const found = this.#db.get<{ key: number }>(
      "SELECT key FROM message WHERE thread = ? AND id IS ? AND parent = 0 AND type = ? AND body = ?",
      ...[thread, id, type, body],
    );
    return found !== undefined && this.#link(found.key, parent) ? found.key : undefined;
  }

  #link(key: number, parent: number | null): boolean {
    return this.#db.run("UPDATE message SET parent = ? WHERE key = ? AND parent = 0", parent, key).changes === 1;
  }

  #insert(thread: number, { type, id, body }: MessageText, parent: number | null): number {
    const sql = "INSERT INTO message (thread, parent, id, type, body) VALUES (?, ?, ?, ?, ?)";
    return this.#db.run(sql, thread, parent, id, type, body).key;
  }

  #row(key: number): Row | undefined {
    return this.#db.get<Row>("SELECT key, thread, parent, id, type, body FROM message WHERE key = ?", key);
  }

  /** Up to `count` rows from the last back, in one query. */
  #chain(head: number, count: number): Row[] {
    const columns = "m.key, m.thread, m.parent, m.id, m.type, m.body";
    return this.#db.all<Row>(
      `WITH RECURSIVE chain AS (
         SELECT ${columns}, 1 AS place FROM message m WHERE m.key = ?
         UNION ALL SELECT ${columns}, c.place + 1 FROM chain c JOIN message m ON m.key = c.parent WHERE c.place < ?)
       SELECT key, thread, parent, id, type, body FROM chain ORDER BY place`,
      ...[head, count],
    );
  }

  #encode(thread: number, message: BaseMessage): MessageText {
    // Most have no call: the thread is looked up for those alone.
    return encodeMessage(message, (callId) => this.#wordsOf(thread).wordsOf(callId));
  }

  #wordsOf(thread: number): WordsOfThread {
    const name = this.#db.get<{ id: string }>("SELECT id FROM thread WHERE key = ?", thread)?.id;
    const wordsOf: CallWords = (callId) => (name === undefined ? undefined : this.#observationOf?.(name, callId));
    return { wordsOf, filled: name !== undefined && name === this.#driven ? "read" : "loaded" };
  }

  /** The same for a list, which may have messages of several threads: each is looked up once. */
  #wordsInOneGo(): (thread: number) => WordsOfThread {
    const known = new Map<number, WordsOfThread>();
    return (thread) => {
      const words = known.get(thread) ?? this.#wordsOf(thread);
      known.set(thread, words);
      return words;
    };
  }

  #decode(row: Row, { wordsOf, filled } = this.#wordsOf(row.thread)): BaseMessage {
    const message = decodeMessage(row, wordsOf, filled);
    this.#placed.set(message, { thread: row.thread, key: row.key, parent: row.parent });
    return message;
  }

  #keep(slot: string, messages: BaseMessage[], keys: number[]): void {
    this.#recent.delete(slot);
    this.#recent.set(slot, { messages, keys });
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > keptLists && oldest !== undefined) this.#recent.delete(oldest);
  }
}

const lost = (count: number): BaseMessage =>
  new SystemMessage({ content: `[${count} earlier messages could not be read from the store]`, id: `lost-${count}` });
