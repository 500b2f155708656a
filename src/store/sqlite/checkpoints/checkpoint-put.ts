import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { Json } from "../../../core/json.ts";
import type { Encoded, Spot } from "../../checkpoints/put.ts";
import { encodeValue } from "../../checkpoints/value-codec.ts";
import type { Database } from "../database.ts";
import type { ListEnd } from "./message-shelf.ts";

/** A checkpoint's row: lists of messages by their ends, all other channels by value. */
export type Body = { rest: Json; values: Json; lists: Record<string, ListEnd> };

/** LangGraph's channel for a run's input. */
const START = "__start__";

/** Encodes a checkpoint; where there is no parent to carry values over from, only channels that have a new version are part of it. */
export function encodeCheckpoint(
  checkpoint: Checkpoint,
  metadata: CheckpointMetadata,
  only: ChannelVersions | undefined,
): Encoded {
  const { id: _id, channel_values: channels, ...rest } = checkpoint;
  const kept = Object.entries(channels).filter(([channel]) => only === undefined || Object.hasOwn(only, channel));
  const isList = ([, value]: [string, unknown]): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((item) => isBaseMessage(item));
  return {
    rest: encodeValue(rest),
    values: encodeValue(Object.fromEntries(kept.filter((entry) => !isList(entry)))),
    messages: kept.filter(isList) as [string, BaseMessage[]][],
    metadata: JSON.stringify(encodeValue(metadata)),
  };
}

/** A checkpoint of source `input` holds the new turn's values in the channel of the start alone. */
export function turnOf({ [START]: input, turn: last }: Record<string, unknown>): number | null {
  const next = typeof input === "object" && input !== null && "turn" in input ? input.turn : undefined;
  const turn = next ?? last;
  return typeof turn === "number" && Number.isFinite(turn) ? turn : null;
}

/** Names the list of one channel. */
export const slotOf = (thread: number, ns: string, channel: string): string => JSON.stringify([thread, ns, channel]);

/** @throws TypeError where the config names no thread. */
export function spotOf(config: RunnableConfig, id: string): Spot {
  const { thread_id: thread, checkpoint_ns: ns = "" } = config.configurable ?? {};
  if (typeof thread !== "string" || thread === "")
    throw new TypeError("a checkpoint needs a thread_id in config.configurable");
  return { thread, ns, id };
}

/** Returns the config by which LangGraph names a checkpoint. */
export const configOf = ({ thread, ns, id }: Spot): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

/** The place of a checkpoint in its thread. */
type Place = { parent: string | null; turn: number | null };

/** Inside `write` only. */
export function insertCheckpoint(
  db: Database,
  thread: number,
  { ns, id }: Spot,
  { parent, turn, body, metadata }: Place & { body: string; metadata: string },
): void {
  db.run(
    `INSERT INTO checkpoint (thread, ns, id, parent, turn, body, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (thread, ns, id) DO UPDATE SET parent = excluded.parent, turn = excluded.turn,
       body = excluded.body, metadata = excluded.metadata`,
    ...[thread, ns, id, parent, turn, body, metadata],
  );
}

/**
 * Drops the checkpoint before this one, unless it was its turn's last or others were written since: then this is a
 * branch. Inside `write` only. @returns the parent that is left.
 */
export function pruneAbove(db: Database, thread: number, { ns, id }: Spot, { parent, turn }: Place): string | null {
  if (parent === null || parent === id) return parent;
  const above = db.get<{ key: number; parent: string | null }>(
    `SELECT key, parent FROM checkpoint WHERE thread = ? AND ns = ? AND id = ? AND turn IS ?
       AND key = (SELECT max(key) FROM checkpoint WHERE thread = ? AND ns = ?)`,
    ...[thread, ns, parent, turn, thread, ns],
  );
  if (above === undefined) return parent;
  db.run("DELETE FROM checkpoint WHERE key = ?", above.key);
  db.run("DELETE FROM pending_write WHERE thread = ? AND ns = ? AND checkpoint = ?", thread, ns, parent);
  return above.parent;
}
