import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";

/** Calls of default tools, one after the other, in a process of its own, which a test can end. Prints a result a line. */
const { workspace, rgPath, calls } = JSON.parse(process.argv[2] ?? "{}") as {
  workspace: string;
  /** Another search program for grep. */
  rgPath?: string;
  calls: { tool: string; args: object }[];
};
const tools = createDefaultTools({ workspace });
for (const { tool: name, args } of calls) {
  const known = tools.find((one) => one.name === name);
  const tool = name === "grep" && rgPath !== undefined ? createGrepTool({ rgPath }) : known;
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  process.stdout.write(`${JSON.stringify(await executeTool(tool, args, { workspace }))}\n`);
}
