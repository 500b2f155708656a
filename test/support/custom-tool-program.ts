/**
 * `custom-tool-program.ts FOLDER [ID]`: an agent with a tool of its own, on the folder's store. Without an id it begins a session,
 * which asks for the tool, and waits until it is killed; with one it goes on, approves what is asked, and ends. `whole` for an id
 * does both in one process. Prints the events; what the tool was given and when it was disposed goes into `tool.log`.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createAgent, defineTool, type Model } from "../../src/index.ts";

const [folder = "", id] = process.argv.slice(2);
const log = (line: object): void => appendFileSync(join(folder, "tool.log"), `${JSON.stringify(line)}\n`);

const remind = () =>
  defineTool({
    name: "remind",
    description: "Reminds the person of something on a day.",
    args: z.strictObject({
      day: z.string().transform((text) => new Date(text)),
      text: z.string().default("call home"),
      zone: z.string(),
      user: z.string(),
      token: z.string(),
      uid: z.string(),
    }),
    inject: { zone: "UTC", user: ({ services }) => String(services["user"]), token: "s3cret-token" },
    hidden: ["user", "token", "uid"],
    async plan({ day, user }, { cwd }) {
      log({ planned: day instanceof Date && user === "user-of-the-process" });
      return { summary: `remind on ${day.toISOString().slice(0, 10)}`, cwd };
    },
    async execute({ day, ...rest }) {
      log({ isDate: day instanceof Date, day, ...rest });
      return {
        output: "It is noted.",
        title: "noted",
        display: "a bell\non that day",
        images: [
          {
            name: "bell",
            mediaType: "image/png",
            data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC",
          },
        ],
        attachments: ["bell.ics"],
      };
    },
    dispose: () => log({ disposed: true }),
  });

const model: Model = {
  spec: "the test's",
  async *stream({ messages }) {
    const asked = messages.some((message) => message.getType() === "ai");
    const call = { id: "", name: "remind", rawArguments: '{"day":"2026-12-24"}' };
    yield { type: "done", reply: { text: asked ? "Noted." : "", calls: asked ? [] : [call], finish: "stop" } };
  },
};

const agent = createAgent({
  workspace: join(folder, "work"),
  model,
  tools: [{ name: "remind", factory: remind }],
  services: { user: "user-of-the-process" },
  uid: "ada-of-the-settings",
  store: join(folder, "agent.db"),
});
const older = id === undefined || id === "whole" ? undefined : await agent.resume(id);
const session = older ?? agent.start();
const waiting: { callId: string; digest: string }[] = [];
const heard = (async () => {
  for await (const event of session.events()) {
    process.stdout.write(`${JSON.stringify(event)}\n`);
    if (event.type === "approval_requested") waiting.push(...event.calls);
  }
})();

await (older === undefined ? session.submit("remind me") : older.proceed());
await session.settled();
await new Promise((resolve) => setImmediate(resolve));
if (id === undefined) {
  // Killed here, while the question waits.
  setInterval(() => undefined, 60_000);
} else {
  for (const { callId, digest } of waiting)
    await session.answer({ session: session.id, call: callId }, { decision: "approve", digest });
  await session.settled();
  await agent.close();
  await heard;
}
