import { wellFormed } from "../plain-codec.ts";
import type { NewTurn, SessionRow, TurnRow } from "../rows.ts";
import type { SessionColumns, TurnColumns } from "../tables.ts";
import { type Draft, textOrNull } from "./draft.ts";

export const nextTurn = (turns: readonly TurnColumns[]): number => (turns.at(-1)?.turn ?? 0) + 1;

/** The person's words as the session's next turn. @throws TypeError where the message has no id */
export function draftTurn(draft: Draft, { text, message, queued }: NewTurn): TurnRow {
  if (message.id === undefined) throw new TypeError("a message needs an id before it is stored");
  const turn = nextTurn(draft.rows.all("turn"));
  const state = queued ? "queued" : "running";
  const key = draft.message(message, "unknown");
  draft.must("turn", { turn }, "absent");
  draft.insert("turn", {
    ...{ turn, message: key, state, reason: null },
    text: text === message.content ? null : wellFormed(text),
  });
  return { turn, text, messageId: message.id, state };
}

/** For a session that has no title yet. */
export function untitled(draft: Draft, title: SessionRow["title"] | undefined): Partial<SessionColumns> {
  const isDue = title !== undefined && draft.rows.stored.session()?.title === "";
  return isDue ? { title: wellFormed(title) } : {};
}

/** @throws Error where there is no such turn */
export function draftTurnState(draft: Draft, turn: number, state: TurnRow["state"], reason: string | undefined): void {
  if (!draft.rows.all("turn").some((row) => row.turn === turn))
    throw new Error(`session ${draft.session} has no turn ${turn}`);
  draft.patch("turn", { turn }, { state, reason: textOrNull(reason) });
}
