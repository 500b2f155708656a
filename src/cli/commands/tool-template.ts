/** A tool that a project begins with, as a module. */
export const toolText = (
  name: string,
): string => `// A tool of this project. What else a tool can say of itself: docs/tools.md of holdfast.
import { defineTool, z } from "holdfast";

export default defineTool({
  name: "${name}",
  // The model reads this, and decides by it when to call the tool.
  description: "Greets somebody by name.",
  // What the model must give; .describe() tells it what is meant.
  args: z.object({ who: z.string().describe("the name of whom to greet") }),
  // "none": it only reads, and may be run again. "once", the default: it does something, at most once.
  effect: "none",
  // "low" runs without asking, "medium" (the default) asks, "high" asks with a warning.
  risk: "low",
  // While the model still writes the call, with what is there by then: only to show something.
  onPartial: ({ who = "" }, ctx) => ctx.progress({ tip: \`is to greet \${who}\` }),
  execute: async ({ who }, ctx) => {
    // Shown while it runs; ctx.signal tells that it is to stop.
    ctx.progress({ tip: \`greeting \${who}\` });
    // The model reads output; title and display are for the person.
    return { output: \`hello \${who}\`, title: \`greeted \${who}\` };
  },
});
`;

/** Its test, as a module. */
export const testText = (
  name: string,
): string => `// Runs the tool as the agent runs it, with a model that follows a script: node --test .holdfast/tools/${name}.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
// Its own settings and sessions, so that yours stay as they are.
const home = mkdtempSync(join(tmpdir(), "${name}-"));
after(() => rmSync(home, { recursive: true }));
const agent = (...args) =>
  execFileSync("agent", args, { cwd: project, env: { ...process.env, AGENT_HOME: home }, encoding: "utf8" });

/** What the call of the tool came to. */
function call(args) {
  const script = join(home, "script.ndjson");
  const lines = [{ v: 1, kind: "holdfast-script" }, { calls: [{ name: "${name}", arguments: args }] }, { text: "Done." }];
  writeFileSync(script, lines.map((line) => JSON.stringify(line)).join("\\n"));
  agent("trust", "--yes");
  const told = agent("run", "go", "--json", "--allow", "${name}", "--model", \`script:\${script}\`);
  const events = told.trim().split("\\n").map((line) => JSON.parse(line));
  return events.findLast((event) => event.type === "tool_call").call;
}

test("${name} greets whom it is told to", () => {
  const { status, result } = call({ who: "you" });
  assert.deepEqual([status, result.output], ["success", "hello you"]);
});

test("${name} needs a name", () => {
  assert.equal(call({}).errorCode, "INVALID_ARGUMENT");
});
`;
