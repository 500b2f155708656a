import type { Journal } from "../store/types.ts";
import type { TranscriptEntry } from "./events.ts";
import { textOf } from "./message-text.ts";
import { recordedTurns } from "./recorded-turns.ts";

export interface History {
  transcript: TranscriptEntry[];
}

/** What was said and done in a session, from its journal alone: a session that is driven elsewhere can be read too. */
export function historyOf(journal: Pick<Journal, "turns" | "turnMessage" | "findReply">): History {
  const transcript = recordedTurns(journal).flatMap(({ turn, steps }): TranscriptEntry[] => [
    { role: "user", id: turn.messageId, text: turn.text },
    ...steps.flatMap(({ message, calls }): TranscriptEntry[] => [
      {
        role: "assistant",
        id: message.id ?? "",
        text: textOf(message),
        calls: calls.map((call) => call.callId),
      },
      ...calls.map((call): TranscriptEntry => ({ role: "call", call })),
    ]),
  ]);
  return { transcript };
}
