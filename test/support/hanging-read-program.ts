/**
 * `hanging-read-program.ts FOLDER [ID]`: an agent whose model asks for a read that never ends and does not heed its signal, on the
 * folder's store; with an id it goes on with that session. Prints the events. On SIGTERM it closes the agent, and ends.
 */
import { join } from "node:path";
import { z } from "zod";
import { createAgent, defineTool, type Model } from "../../src/index.ts";

const [folder = "", id] = process.argv.slice(2);

const stare = defineTool({
  name: "stare",
  description: "Looks at something for ever.",
  args: z.strictObject({}),
  risk: "low",
  effect: "none",
  execute: () => new Promise<string>(() => void setInterval(() => undefined, 60_000)),
});

const model: Model = {
  spec: "the test's",
  async *stream({ messages }, signal) {
    signal.throwIfAborted();
    const last = messages.at(-1);
    const calls = last?.getType() === "tool" ? [] : [{ id: "", name: "stare", rawArguments: "{}" }];
    yield { type: "done", reply: { text: calls.length === 0 ? `Read: ${last?.content}` : "", calls, finish: "stop" } };
  },
};

const agent = createAgent({ workspace: join(folder, "work"), model, tools: [stare], store: join(folder, "agent.db") });
const older = id === undefined ? undefined : await agent.resume(id);
const session = older ?? agent.start();
const heard = (async () => {
  for await (const event of session.events()) process.stdout.write(`${JSON.stringify(event)}\n`);
})();
process.on("SIGTERM", () => void agent.close());
await (older === undefined ? session.submit("look") : older.proceed());
await session.settled();
await agent.close();
await heard;
process.exit(); // the read still hangs
