import type { BaseMessage } from "@langchain/core/messages";
import type { Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { Json } from "../../core/json.ts";

/** A checkpoint of a thread and a namespace. */
export interface Spot {
  thread: string;
  ns: string;
  id: string;
}

/** A checkpoint's channels as they are stored: lists of messages apart from all others. */
export interface Encoded {
  rest: Json;
  values: Json;
  messages: [channel: string, list: BaseMessage[]][];
  metadata: string;
}

/** A checkpoint as it goes to disk. */
export interface Put {
  spot: Spot;
  parent: string | null;
  turn: number | null;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
  /** Worked out when it goes to disk: most are dropped before. @throws StoreFailure unserialisable. */
  encode(): Encoded;
  /** Drops the checkpoint before it, as far as that is not the last of its turn. */
  prunes: boolean;
}
