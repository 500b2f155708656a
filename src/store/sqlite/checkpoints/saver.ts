import { randomBytes } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import { faultPoint } from "../../../core/fault-point.ts";
import type { Json } from "../../../core/json.ts";
import { LatePuts } from "../../checkpoints/late-puts.ts";
import type { Put, Spot } from "../../checkpoints/put.ts";
import { decodeValue } from "../../checkpoints/value-codec.ts";
import { type CheckpointSaver, type ObservationOf, SessionBusy, StoreFailure } from "../../types.ts";
import type { Database } from "../database.ts";
import { brokenSession } from "../failures.ts";
import type { Leases } from "../sessions/leases.ts";
import { findThread, threadKey } from "../sessions/sessions.ts";
import {
  type Body,
  configOf,
  encodeCheckpoint,
  insertCheckpoint,
  pruneAbove,
  slotOf,
  spotOf,
  turnOf,
} from "./checkpoint-put.ts";
import type { MessageShelf } from "./message-shelf.ts";
import { PendingWrites } from "./pending-writes.ts";

type Row = {
  thread: number;
  thread_id: string;
  ns: string;
  id: string;
  parent: string | null;
  body: string;
  metadata: string;
};
/** From this format on a checkpoint holds a superstep's sends itself; before it they are among its parent's writes. */
const holdsSends = 4;
const needsAll = "a DeltaChannel needs every checkpoint: open the store so that it keeps all";
const select = "SELECT c.*, t.id AS thread_id FROM checkpoint c JOIN thread t ON t.key = c.thread";

/**
 * LangGraph's checkpoints in the store: each message once, and of the rest the last checkpoint and the last of each turn
 * (by the state channel `turn`), or all of them. Commits may be taken back by a power cut, never by the death of
 * the process: the journal answers for what calls did.
 */
export class StoreSaver extends BaseCheckpointSaver implements CheckpointSaver {
  readonly #db: Database;
  readonly #shelf: MessageShelf;
  readonly #leases: Leases;
  readonly #keepAll: boolean;
  readonly #writes: PendingWrites;
  readonly #late = new LatePuts();
  /** The thread that was put last. */
  #last: { thread: string; key: number } | undefined;
  /** Tells the versions of this saver from those of any other. */
  readonly #origin = randomBytes(8).toString("hex");
  #minted = 0;

  constructor(db: Database, shelf: MessageShelf, leases: Leases, keepAll: boolean) {
    super();
    this.#db = db;
    this.#shelf = shelf;
    this.#leases = leases;
    this.#keepAll = keepAll;
    this.#writes = new PendingWrites(db, keepAll);
  }

  fillObservations(lookup: ObservationOf, driven?: string): void {
    this.#shelf.fillObservations(lookup, driven);
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: thread, checkpoint_ns: ns = "" } = config.configurable ?? {};
    if (typeof thread !== "string") return undefined;
    const id = getCheckpointId(config);
    // What waits is read from memory, so a store that cannot be written now can still be read.
    const waiting = this.#late.last(thread, ns);
    if (waiting !== undefined && (id === "" || id === waiting.spot.id)) return await this.#unwritten(waiting);
    if (waiting !== undefined) await this.#db.flush();
    // The last by the order of writing: ids are made from a clock that may go back.
    const row =
      id === ""
        ? this.#db.get<Row>(`${select} WHERE t.id = ? AND c.ns = ? ORDER BY c.key DESC LIMIT 1`, thread, ns)
        : this.#db.get<Row>(`${select} WHERE t.id = ? AND c.ns = ? AND c.id = ?`, thread, ns, id);
    return row === undefined ? undefined : await this.#tuple(row);
  }

  /** Newest first. The filter compares metadata here and never becomes SQL. */
  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: thread = null, checkpoint_ns: ns = null, checkpoint_id: id = null } = config.configurable ?? {};
    const before = (options.before?.configurable?.["checkpoint_id"] as string | undefined) ?? null;
    await this.#db.flush();
    const rows = this.#db.all<Row>(
      `${select} WHERE t.id = coalesce(?, t.id) AND c.ns = coalesce(?, c.ns) AND c.id = coalesce(?, c.id)
         AND c.id < coalesce(?, c.id || '~') ORDER BY c.key DESC`,
      ...[thread, ns, id, before],
    );
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (const row of rows) {
      if (left <= 0) return;
      const tuple = await this.#tuple(row);
      if (!matches(tuple.metadata, options.filter)) continue;
      left -= 1;
      yield tuple;
    }
  }

  /** @throws StoreFailure unserialisable; SessionBusy when another process drives the thread. */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const spot = spotOf(config, checkpoint.id);
    const parent = getCheckpointId(config) || null;
    if (!this.#keepAll && metadata.counters_since_delta_snapshot !== undefined) throw new Error(needsAll);
    const old = checkpoint.v < holdsSends;
    if (old && parent !== null) await this.#writeDown({ ...spot, id: parent });
    const put: Put = {
      spot,
      parent,
      turn: turnOf(checkpoint.channel_values),
      checkpoint,
      metadata,
      encode: () => encodeCheckpoint(checkpoint, metadata, parent === null ? newVersions : undefined),
      prunes: !this.#keepAll && metadata.source !== "fork" && !old,
    };
    faultPoint("before checkpoint put");
    if (this.#mayWait(spot)) {
      if (this.#late.add(put)) this.#db.defer(() => this.#late.store((one) => this.#store(one)));
    } else {
      const settle = await this.#db.write("normal", () => this.#store(put));
      settle();
    }
    if (parent !== null) this.#writes.drop({ ...spot, id: parent });
    return configOf(spot);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const id = getCheckpointId(config);
    if (id === "") throw new TypeError("writes need a checkpoint_id in config.configurable");
    const spot = spotOf(config, id);
    const due = this.#writes.add(spot, writes, taskId);
    if (due.length > 0) await this.#storeWrites(spot, due);
  }

  /** @throws Error where checkpoints were dropped that the history would lie in. */
  override async getDeltaChannelHistory(
    options: Parameters<BaseCheckpointSaver["getDeltaChannelHistory"]>[0],
  ): ReturnType<BaseCheckpointSaver["getDeltaChannelHistory"]> {
    const begun = this.#keepAll || options.channels.length === 0 ? undefined : await this.getTuple(options.config);
    if (begun !== undefined) throw new Error(needsAll);
    return await super.getDeltaChannelHistory(options);
  }

  /** Messages that the journal names (prompts, replies) stay, without a place in a list, until the session is removed. */
  async deleteThread(threadId: string): Promise<void> {
    await this.#db.write("normal", () => {
      const thread = findThread(this.#db, threadId);
      this.#leases.checkThread(thread, threadId);
      if (thread === undefined) return;
      this.#db.run("DELETE FROM checkpoint WHERE thread = ?", thread);
      this.#db.run("DELETE FROM pending_write WHERE thread = ?", thread);
      this.#db.run(
        `DELETE FROM message WHERE thread = ? AND key NOT IN (SELECT message FROM turn UNION SELECT message FROM step)`,
        thread,
      );
      this.#db.run("UPDATE message SET parent = 0 WHERE thread = ?", thread);
    });
    this.#shelf.forget();
    this.#last = undefined;
    this.#writes.dropThread(threadId);
  }

  /**
   * Unique and rising strings: two branches of one checkpoint must not mint the same version. The base class speaks of
   * numbers; LangGraph itself compares strings as well.
   */
  override getNextVersion(current: number | undefined): number {
    const count = current === undefined ? 0 : Number.parseInt(String(current), 10);
    this.#minted += 1;
    return `${String(count + 1).padStart(16, "0")}.${this.#origin}${this.#minted.toString(36)}` as unknown as number;
  }

  /**
   * A session that is driven here has a journal, which answers for its calls and replies: after a death the graph goes on from
   * an earlier checkpoint of the same step. So its checkpoints go to disk with the journal's next transaction.
   */
  #mayWait({ thread }: Spot): boolean {
    if (this.#keepAll) return false;
    if (this.#last?.thread !== thread) {
      const key = findThread(this.#db, thread);
      this.#last = key === undefined ? undefined : { thread, key };
    }
    return this.#last !== undefined && this.#leases.drives(this.#last.key);
  }

  async #storeWrites(spot: Spot, due: ReturnType<PendingWrites["add"]>): Promise<void> {
    faultPoint("before pending writes put");
    await this.#db.write("normal", () => {
      const thread = this.#thread(spot.thread);
      for (const [task, values] of due) this.#writes.store(thread, spot, task, values);
    });
    faultPoint("after pending writes put");
  }

  /** Writes that are in memory only, for a checkpoint that will find its sends among them. */
  async #writeDown(spot: Spot): Promise<void> {
    const waiting = this.#writes.take(spot);
    if (waiting.length > 0) await this.#storeWrites(spot, waiting);
  }

  /** Inside `write` only. @returns what is to be done once it is committed. */
  #store({ spot, parent, turn, encode, prunes }: Put): () => void {
    const { rest, values, messages, metadata } = encode();
    const thread = this.#thread(spot.thread);
    const placed = messages.map(([channel, list]) => ({
      channel,
      ...this.#shelf.place(thread, slotOf(thread, spot.ns, channel), list),
    }));
    const lists = Object.fromEntries(placed.map(({ channel, end }) => [channel, end]));
    const body = JSON.stringify({ rest, values, lists } satisfies Body);
    const left = prunes ? pruneAbove(this.#db, thread, spot, { parent, turn }) : parent;
    insertCheckpoint(this.#db, thread, spot, { parent: left, turn, body, metadata });
    return () => {
      for (const { settle } of placed) settle();
      faultPoint("after checkpoint put");
    };
  }

  #thread(id: string): number {
    const found = findThread(this.#db, id);
    this.#leases.checkThread(found, id);
    return found ?? threadKey(this.#db, id);
  }

  /** @throws StoreFailure corrupt, which names the session where only what it saved is damaged. */
  async #tuple(row: Row): Promise<CheckpointTuple> {
    try {
      return await this.#decode(row);
    } catch (error) {
      if (error instanceof SessionBusy) throw error;
      const ofTheFile = error instanceof StoreFailure && error.message.startsWith(this.#db.file);
      throw ofTheFile ? error : brokenSession(row.thread_id, this.#db.file, error);
    }
  }

  async #decode(row: Row): Promise<CheckpointTuple> {
    const { thread, thread_id, ns, id, parent } = row;
    const spot = { thread: thread_id, ns, id };
    const body = JSON.parse(row.body) as Body;
    const checkpoint = { ...((await decodeValue(body.rest)) as Omit<Checkpoint, "id" | "channel_values">), id };
    const values = (await decodeValue(body.values)) as Record<string, unknown>;
    for (const [channel, end] of Object.entries(body.lists))
      values[channel] = this.#shelf.load(slotOf(thread, ns, channel), end);
    const full: Checkpoint = { ...checkpoint, channel_values: values };
    if (full.v < holdsSends && parent !== null) await this.#addPendingSends(full, thread, { ...spot, id: parent });
    return {
      config: configOf(spot),
      checkpoint: full,
      metadata: (await decodeValue(JSON.parse(row.metadata) as Json)) as CheckpointMetadata,
      pendingWrites: await this.#writes.of(thread, spot),
      ...(parent === null ? {} : { parentConfig: configOf({ ...spot, id: parent }) }),
    };
  }

  async #unwritten({ spot, parent, checkpoint, metadata }: Put): Promise<CheckpointTuple> {
    const key = findThread(this.#db, spot.thread);
    return {
      config: configOf(spot),
      checkpoint: copyCheckpoint(checkpoint),
      metadata,
      pendingWrites: key === undefined ? [] : await this.#writes.of(key, spot),
      ...(parent === null ? {} : { parentConfig: configOf({ ...spot, id: parent }) }),
    };
  }

  /** Checkpoints before format 4 had a superstep's sends among its parent's writes. */
  async #addPendingSends(checkpoint: Checkpoint, thread: number, parent: Spot): Promise<void> {
    const writes = await this.#writes.of(thread, parent);
    checkpoint.channel_values[TASKS] = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }
}

const matches = (metadata: CheckpointMetadata | undefined, filter: Record<string, unknown> | undefined): boolean =>
  Object.entries(filter ?? {}).every(
    ([key, value]) => (metadata as Record<string, unknown> | undefined)?.[key] === value,
  );
