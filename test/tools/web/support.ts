import type { Plan, ToolResult } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";
import { createWebFetchTool, type WebFetchOptions } from "../../../src/tools/web/fetch-page.ts";
import { tempTree } from "../temp-tree.ts";

interface FetchArgs {
  url: string;
  max_chars?: number;
  start?: number;
  format?: string;
}

/** One web_fetch after another, as a program calls it: what would be asked runs. */
export function fetcher(options: WebFetchOptions = {}): (args: FetchArgs) => Promise<ToolResult> {
  const [tool, workspace] = [createWebFetchTool(options), tempTree()];
  return (args) => executeTool(tool, args, { workspace });
}

export async function planOf(url: string, options: WebFetchOptions = {}): Promise<Plan> {
  const plan = await createWebFetchTool(options).plan?.({ url }, createToolContext({ workspace: "/ws" }));
  if (plan === undefined) throw new Error("no plan");
  return plan;
}
