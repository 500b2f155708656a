// An agent with a tool of its own. You are asked before it is used, and what you said yes to is what is done.
//
//   node custom-tool.mjs "tell the house about the water" --model openai:gpt-5
//
// Without --model a script plays the model, so that no key is needed.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, defineTool, refOf, z } from "holdfast";

const script = fileURLToPath(new URL("custom-tool.script.ndjson", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: `script:${script}` } },
});

const putUp = defineTool({
  name: "put_up_notice",
  description: "Puts one line on the notice board of the house.",
  args: z.strictObject({ text: z.string().max(80) }),
  effect: "once", // a killed program never does it a second time by itself
  plan: async ({ text }, { cwd }) => ({ summary: `put on the board: ${text}`, cwd }),
  execute: async ({ text }, { workspace }) => {
    await appendFile(join(workspace, "board.txt"), `${text}\n`);
    return "It is on the board.";
  },
});

const agent = createAgent({ workspace: process.cwd(), model: values.model, tools: [putUp] });
const session = agent.start();
const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

await session.submit(positionals.join(" ") || "Tell the house that the water is off on Monday.");
for await (const event of session.events()) {
  if (event.type === "turn_ended") {
    console.log(event.text ?? event.reason);
    break;
  }
  if (event.type !== "approval_requested") continue;
  for (const call of event.calls) {
    process.stdout.write(`${call.plan.summary}\nDo it? [y/N] `);
    const { value = "" } = await typed.next();
    const { digest } = call;
    await session.answer(refOf(call), value === "y" ? { decision: "approve", digest } : { decision: "deny" });
  }
}
await agent.close();
process.stdin.destroy();
