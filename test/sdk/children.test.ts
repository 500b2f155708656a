import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAgent, createDefaultTools, refOf } from "../../src/index.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { asks, says, startModelServer } from "../support/model-server.ts";

it("answers what a child asks by the session that its call names, and keeps the caller's tools for the next one", async () => {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "holdfast-sdk-")));
  const server = await startModelServer(async ({ body }) => {
    const said = String(body.messages.find(({ role }) => role === "user")?.content);
    const spoken = body.messages.filter(({ role }) => role === "assistant").length;
    const own = said === "go" ? asks("ask_helpers", { tasks: ["one", "two"], inTurn: true }) : undefined;
    if (spoken > 0) return says(`Did ${said}.`);
    return own ?? asks("write_file", { file_path: `${said}.txt`, content: said });
  });
  onTestFinished(async () => {
    await server.close();
    await rm(workspace, { recursive: true });
  });
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url };
  const tools = [...createDefaultTools({ workspace }), askHelpers()];
  const agent = createAgent({ workspace, model: "openai:test-model", tools, env });
  const session = agent.start();
  await session.submit("go");
  const asked: string[] = [];
  for await (const event of session.events()) {
    if (event.type === "turn_ended" && event.parent === undefined) {
      expect([event.reason, event.text]).toEqual(["done", "Did go."]);
      break;
    }
    if (event.type !== "approval_requested") continue;
    for (const call of event.calls) {
      const { session: child, callId, digest } = call;
      asked.push(`${child}:${callId}`);
      const listed = { session: child, callId, toolName: "write_file", agent: call.agent, summary: expect.any(String) };
      expect(await agent.sessions.get(session.id)).toMatchObject({ state: "awaiting_approval", waitsFor: [listed] });
      const waits = session.progress().filter(({ status }) => status === "awaiting_approval");
      expect(waits.map(refOf)).toContainEqual(refOf(call));
      // The name alone is a call of the parent's.
      expect(await session.answer({ session: session.id, call: callId }, { decision: "deny" })).toMatchObject({
        ok: false,
      });
      expect(await session.answer(refOf(call), { decision: "approve", digest })).toEqual({ ok: true });
    }
  }
  expect(asked).toEqual([`${session.id}@c1.1:c1`, `${session.id}@c1.2:c1`]);
  await expect(agent.sessions.remove(`${session.id}@c1.1`)).rejects.toThrow(`is driven by a call of ${session.id}`);
  expect(await agent.sessions.get(`${session.id}@c1.1`)).toMatchObject({ state: "idle" });
  await agent.close();
});
