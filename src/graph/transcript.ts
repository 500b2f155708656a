import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Journal } from "../store/types.ts";
import type { TranscriptEntry } from "./events.ts";

/** The plain text of a message; blocks other than text are left out. */
export function textOf(message: BaseMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content
    .map((block) => (block.type === "text" && typeof block["text"] === "string" ? block["text"] : ""))
    .join("");
}

/** What a person would read back: words and calls in their order, outcomes from the journal. */
export function transcriptOf(messages: readonly BaseMessage[], journal: Pick<Journal, "call">): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const message of messages) {
    const id = message.id ?? "";
    if (message.getType() === "human") entries.push({ role: "user", id, text: textOf(message) });
    if (!AIMessage.isInstance(message)) continue;
    const calls = (message.tool_calls ?? []).map((call) => call.id ?? "");
    entries.push({ role: "assistant", id, text: textOf(message), calls });
    for (const callId of calls) {
      const call = journal.call(callId);
      if (call !== undefined) entries.push({ role: "call", call });
    }
  }
  return entries;
}
