import { wellFormed } from "../../plain-codec.ts";
import type { NewTurn, TurnRow } from "../../types.ts";
import type { MessageShelf } from "../checkpoints/message-shelf.ts";
import type { Database } from "../database.ts";

/**
 * Stores the person's words as the session's next turn. Inside `write` only.
 * @returns the row, and what to do once it is committed
 */
export function storeTurn(
  db: Database,
  shelf: MessageShelf,
  thread: number,
  { text, message, queued, title }: NewTurn,
): { row: TurnRow; settle: () => void } {
  if (message.id === undefined) throw new TypeError("a message needs an id before it is stored");
  const { key, settle } = shelf.add(thread, message, "unknown");
  const last = db.get<{ last: number | null }>("SELECT max(turn) AS last FROM turn WHERE thread = ?", thread);
  const row: TurnRow = {
    turn: (last?.last ?? 0) + 1,
    text,
    messageId: message.id,
    state: queued ? "queued" : "running",
  };
  db.run(
    "INSERT INTO turn (thread, turn, message, text, state) VALUES (?, ?, ?, ?, ?)",
    ...[thread, row.turn, key, text === message.content ? null : wellFormed(text), row.state],
  );
  if (title !== undefined)
    db.run("UPDATE session SET title = ? WHERE thread = ? AND title = ''", wellFormed(title), thread);
  return { row, settle };
}
