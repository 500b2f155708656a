import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { errnoOf } from "../../core/errno.ts";
import { jsonLine } from "../../core/json-line.ts";
import { checkToolName } from "../../core/tool-name.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";
import { projectToolFolder } from "../settings/tool-files.ts";
import { cleanText } from "../terminal/sanitise.ts";

/**
 * `agent tools new NAME`: a commented tool for the project and its test, to begin with. Nothing that is there is written over.
 * @throws CliProblem where the name is none, or a file of it is there
 */
export async function newTool({ io, flags, workspace, tools }: Composition, name: string): Promise<number> {
  checkName(name);
  const { tools: known, close } = await tools(workspace);
  await close();
  if (known.some((tool) => tool.name === name))
    throw new CliProblem("usage", `there is a tool ${name} already`, { hint: `agent tools ${name} shows it` });
  const folder = join(workspace, projectToolFolder);
  makeFolder(folder);
  const files = [
    [join(folder, `${name}.mjs`), toolText(name)],
    [join(folder, `${name}.test.mjs`), testText(name)],
  ] as const;
  for (const [file, text] of files) write(file, text);
  const [tool = "", test = ""] = files.map(([file]) => relative(workspace, file));
  if (flags.json === true) io.stdout.write(jsonLine({ tool: name, files: [tool, test] }));
  else
    io.stdout.write(cleanText(`wrote ${tool}\nwrote ${test}\ntry it:   node --test ${test}\nuse it:   agent trust\n`));
  return 0;
}

function checkName(name: string): void {
  try {
    checkToolName(name);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliProblem("usage", message, { hint: "a verb and a noun say best what it does: count_lines", cause });
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    if (errnoOf(cause) !== "EEXIST") throw cause;
    throw new CliProblem("usage", `${file} is there already`, { hint: "take another name, or remove it", cause });
  }
}

const toolText = (
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

const testText = (
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
