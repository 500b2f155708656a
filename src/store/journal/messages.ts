import type { BaseMessage } from "@langchain/core/messages";
import type { MessageColumns } from "../tables.ts";

/** The messages of sessions, as their journals use them. */
export interface Messages {
  /** The message of one row of a thread; undefined where the row is gone. */
  read(thread: number, key: number): BaseMessage | undefined;
  /**
   * The columns of a message that no checkpoint holds yet.
   * @param after undefined at the start of the list, "unknown" where only a checkpoint will tell its place
   */
  columnsOf(thread: number, message: BaseMessage, after: BaseMessage | "unknown" | undefined): MessageColumns;
  /** Once the row is committed. */
  stored(thread: number, message: BaseMessage, row: { key: number; parent: number | null }): void;
}
