import type { AIMessage } from "@langchain/core/messages";
import type { Journal } from "../store/types.ts";
import type { JsonObject } from "../tools/contract/json.ts";
import type { TranscriptEntry } from "./events.ts";
import { textOf } from "./transcript.ts";

type Readable = Pick<Journal, "turns" | "findReply" | "call" | "answersOf">;

export interface History {
  transcript: TranscriptEntry[];
  /** The lines of a script that plays the same words and calls, and the person's answers. */
  script: JsonObject[];
}

/** What was said and done in a session, from its journal alone: a session that is driven elsewhere can be read too. */
export function historyOf(journal: Readable): History {
  const transcript: TranscriptEntry[] = [];
  const script: JsonObject[] = [{ v: 1, kind: "holdfast-script" }];
  for (const turn of journal.turns()) {
    if (turn.state === "queued") continue;
    transcript.push({ role: "user", id: turn.messageId, text: turn.text });
    for (let step = 1; ; step++) {
      const reply = journal.findReply(`${turn.turn}.${step}`);
      if (reply === undefined) break;
      const text = textOf(reply.message);
      const calls = reply.calls.map((call) => call.callId);
      transcript.push({ role: "assistant", id: reply.message.id ?? "", text, calls });
      for (const call of reply.calls) transcript.push({ role: "call", call });
      script.push(
        replyLine(
          reply.message as AIMessage,
          text,
          reply.calls.map((call) => call.rawArguments),
        ),
      );
      const person = reply.calls.flatMap((call) => answerLines(journal, call.callId, call.toolName));
      if (person.length > 0) script.push({ person });
    }
  }
  return { transcript, script };
}

function replyLine(message: AIMessage, text: string, raw: readonly (string | undefined)[]): JsonObject {
  const calls = (message.tool_calls ?? []).map(
    (call, i): JsonObject => ({
      name: call.name,
      arguments: raw[i] ?? (call.args as JsonObject),
      ...(call.id === undefined ? {} : { id: call.id }),
    }),
  );
  return { text, ...(calls.length > 0 ? { calls } : {}) };
}

function answerLines(journal: Readable, callId: string, toolName: string): JsonObject[] {
  return journal.answersOf(callId).flatMap((answer): JsonObject[] => {
    if (answer.decision !== "approve" && answer.decision !== "deny" && answer.decision !== "edit") return [];
    return [
      {
        match: { toolName },
        decision: answer.decision,
        ...(answer.reason === undefined ? {} : { reason: answer.reason }),
        ...(answer.arguments === undefined ? {} : { arguments: answer.arguments }),
      },
    ];
  });
}

/** All that the session's calls changed, in their order: the diffs of the plans that were applied. */
export function diffOf(journal: Pick<Journal, "allCalls" | "planOf">): string {
  const diffs = journal.allCalls().flatMap((call) => {
    const diff = call.status === "success" && call.effect === "file" ? journal.planOf(call.callId)?.diff : undefined;
    return diff === undefined ? [] : [diff.trimEnd()];
  });
  return diffs.length === 0 ? "" : `${diffs.join("\n")}\n`;
}
