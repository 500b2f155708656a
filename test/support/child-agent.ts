import { join } from "node:path";
import { z } from "zod";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import { openScript } from "../../src/model/script.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import { textOfOutput } from "../../src/process/capped-output.ts";
import { runChild } from "../../src/process/run-child.ts";
import { openAgent } from "../../src/session/open-agent.ts";
import { openStore } from "../../src/store/open-store.ts";

/** A tool of effect once whose work is done by a child process: it runs `script` in the workspace. */
export const runScript = (script: string): Tool =>
  defineTool({
    name: "run_script",
    description: "runs the test's script",
    args: z.strictObject({}),
    risk: "low",
    effect: "once",
    execute: async (_, ctx) => {
      const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
      const end = await runChild({ program: "sh", args: ["-c", script], cwd: ctx.workspace, env }, ctx);
      const output = textOfOutput(end.stdout);
      return end.how === "exit" && end.code === 0 ? output : { output, error: `it ended by ${end.how}` };
    },
  });

/** Says the message in a session of its own whose model calls `run_script` once. */
async function drive(root: string, workspace: string, script: string): Promise<void> {
  const requests = [
    { line: 1, calls: [{ name: "run_script", arguments: {} }] },
    { line: 2, text: "Done." },
  ];
  const model = openScript({ requests, person: [] }, { spec: "script", name: "the test" });
  const grants = openGrantBook(join(root, "grants.json"));
  const store = await openStore({ file: join(root, "agent.db"), beatMs: 50 });
  const tools = [runScript(script)];
  const agent = openAgent({
    openStore: async () => store,
    openTools: async () => ({ tools, services: {}, close: () => undefined }),
    openModel: async () => model,
    loadPolicy: async ({ mode }) => ({ rules: [], grants: [], mode, sealed: { roots: [] } }),
    grants: { book: grants, file: join(root, "grants.json") },
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: 5,
  });
  const session = agent.start({ workspace, model: "script", mode: "ask", id: "brave-otter-0001" });
  const print = (async () => {
    for await (const event of session.events()) process.stdout.write(`${JSON.stringify(event)}\n`);
  })();
  await session.submit("run it");
  await session.settled();
  await session.close();
  await print;
  store.close();
}

const [root, workspace, script] = process.argv.slice(2);
if (process.argv[1]?.endsWith("child-agent.mjs") === true && root !== undefined)
  await drive(root, workspace ?? "", script ?? "");
