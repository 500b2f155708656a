import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect } from "vitest";
import type { ModelRequest } from "../../src/model/port.ts";
import { calls, type Life, openStage, type Stage, says } from "../support/play.ts";

/** A request as roles and words, without the system's. */
export const toldTo = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).slice(1).map((message) => {
    if (HumanMessage.isInstance(message)) return `person: ${String(message.content)}`;
    if (ToolMessage.isInstance(message)) return `result: ${String(message.content)}`;
    return AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0 ? "model calls" : "model speaks";
  });

/** What waits, or goes on. */
export const openCalls = (life: Life) => life.journal().openCalls();

/** The model changes a file, which is asked. */
export const edit = calls(["edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }]);

/** A stage whose model makes that change, and these calls after it. */
export const askedStage = (more: Parameters<typeof calls>[] = []): Promise<Stage> =>
  openStage({ files: { "a.txt": "one\n" }, lines: [edit, ...more.map((made) => calls(...made)), says("Done.")] });

/** The person's yes to the call that waits, and what follows on it. */
export async function approve(life: Life): Promise<void> {
  const [call] = life.last("approval_requested").calls;
  if (call === undefined) throw new Error("nothing waits");
  expect(
    await life.session.answer(
      { session: life.session.id, call: call.callId },
      { decision: "approve", digest: call.digest },
    ),
  ).toEqual({ ok: true });
  await life.session.settled();
}
