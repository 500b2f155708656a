import { type PendingWrite, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";
import type { Json } from "../../../core/json.ts";
import type { Spot } from "../../checkpoints/put.ts";
import { type CallColumns, decodeValue, encodeValue, fillIn, leaveOut } from "../../checkpoints/value-codec.ts";
import type { Database } from "../database.ts";

/** As LangGraph wants them: task, channel, value. */
export type TaskWrite = [task: string, channel: string, value: unknown];
type Row = { task: string; ordinal: number; channel: string; value: string };

/** LangGraph's channel for what a task asks. */
const INTERRUPT = "__interrupt__";

const nameOf = ({ thread, ns, id }: Spot): string => JSON.stringify([thread, ns, id]);
const isSpecial = ([channel]: PendingWrite): boolean => Object.hasOwn(WRITES_IDX_MAP, channel);

/**
 * The writes of a superstep's tasks before its checkpoint was put. The writes of a single task are kept in memory only: the
 * checkpoint follows at once, and after a death in between the task runs again, which the journal answers for. An
 * interrupt, an error, a resume value or a second task puts them on disk, since then a checkpoint does not follow.
 */
export class PendingWrites {
  readonly #db: Database;
  readonly #keepAll: boolean;
  /** By checkpoint: the writes of its one task so far, or "disk" once they had to go there. */
  readonly #waiting = new Map<string, { task: string; writes: PendingWrite[] } | "disk">();

  constructor(db: Database, keepAll: boolean) {
    this.#db = db;
    this.#keepAll = keepAll;
  }

  /** @returns what must go to disk now, to be handed to `store` in a transaction; else keeps it in memory. */
  add(spot: Spot, writes: PendingWrite[], task: string): [task: string, writes: PendingWrite[]][] {
    const name = nameOf(spot);
    const waiting = this.#waiting.get(name);
    if (this.#keepAll || waiting === "disk") return [[task, writes]];
    const alone = waiting === undefined || waiting.task === task;
    if (alone && !writes.some(isSpecial)) {
      // As on disk, what the task wrote first stays.
      if (waiting === undefined) this.#waiting.set(name, { task, writes });
      return [];
    }
    this.#waiting.set(name, "disk");
    return [
      ...(waiting === undefined ? [] : [[waiting.task, waiting.writes] as [string, PendingWrite[]]]),
      [task, writes],
    ];
  }

  /** Takes the writes that are in memory only, to be handed to `store`: a checkpoint after it will ask for it. */
  take(spot: Spot): [task: string, writes: PendingWrite[]][] {
    const name = nameOf(spot);
    const waiting = this.#waiting.get(name);
    if (waiting === undefined || waiting === "disk") return [];
    this.#waiting.set(name, "disk");
    return [[waiting.task, waiting.writes]];
  }

  /** Inside `write` only. A special write takes the place of the one before it, an ordinary one never. */
  store(thread: number, { ns, id }: Spot, task: string, writes: PendingWrite[]): void {
    for (const [index, write] of writes.entries()) {
      const [channel, value] = write;
      const verb = isSpecial(write) ? "REPLACE" : "IGNORE";
      const json = encodeValue(value);
      const stored = channel === INTERRUPT ? leaveOut(json, this.#callsOf(thread)) : json;
      this.#db.run(
        `INSERT OR ${verb} INTO pending_write (thread, ns, checkpoint, task, ordinal, channel, value)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[thread, ns, id, task, WRITES_IDX_MAP[channel] ?? index, channel, JSON.stringify(stored)],
      );
    }
  }

  /** By task, and in the order of writing. */
  async of(thread: number, spot: Spot): Promise<TaskWrite[]> {
    const waiting = this.#waiting.get(nameOf(spot));
    const stored = await this.#stored(thread, spot);
    if (waiting === undefined || waiting === "disk") return stored;
    return [...stored, ...waiting.writes.map(([channel, value]): TaskWrite => [waiting.task, channel, value])];
  }

  /** After the next checkpoint: what is in memory is asked for no more. */
  drop(spot: Spot): void {
    this.#waiting.delete(nameOf(spot));
  }

  dropThread(thread: string): void {
    for (const name of this.#waiting.keys())
      if ((JSON.parse(name) as string[])[0] === thread) this.#waiting.delete(name);
  }

  async #stored(thread: number, { ns, id }: Spot): Promise<TaskWrite[]> {
    const rows = this.#db.all<Row>(
      `SELECT task, ordinal, channel, value FROM pending_write
       WHERE thread = ? AND ns = ? AND checkpoint = ? ORDER BY task, ordinal`,
      ...[thread, ns, id],
    );
    const decode = async ({ task, channel, value }: Row): Promise<TaskWrite> => {
      const json = JSON.parse(value) as Json;
      const whole = channel === INTERRUPT ? fillIn(json, this.#callsOf(thread)) : json;
      return [task, channel, await decodeValue(whole)];
    };
    return await Promise.all(rows.map(decode));
  }

  #callsOf(thread: number): CallColumns {
    const sql = "SELECT plan, arguments FROM tool_call WHERE thread = ? AND id = ?";
    return (callId) => this.#db.get<{ plan: string | null; arguments: string }>(sql, thread, callId);
  }
}
