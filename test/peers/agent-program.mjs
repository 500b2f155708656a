// agent-program.mjs WORKSPACE ask | WORKSPACE answer ID: a program on the SDK. It dies at the question, and answers it in its next life.
import { createAgent } from "holdfast";

const [workspace, what, id] = process.argv.slice(2);
const agent = createAgent({ workspace, model: "openai:test-model", store: `${workspace}/../agent.db` });
const session = what === "ask" ? agent.start() : await agent.resume(id);
if (what === "ask") await session.submit("write it");
else await session.proceed();
for await (const event of session.events()) {
  if (event.type === "error") throw new Error(event.message);
  if (event.type === "turn_ended") {
    console.log(JSON.stringify({ reason: event.reason, text: event.text }));
    break;
  }
  if (event.type !== "approval_requested") continue;
  const [{ callId, digest }] = event.calls;
  if (what === "ask") {
    process.stdout.write(`${JSON.stringify({ id: session.id })}\n`, () => process.kill(process.pid, "SIGKILL"));
    await new Promise(() => undefined);
  }
  await session.answer({ session: session.id, call: callId }, { decision: "approve", digest });
}
await agent.close();
