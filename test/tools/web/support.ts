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
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One web_fetch after another, as a program calls it: what would be asked runs. */
export function fetcher(
  options: WebFetchOptions = {},
  signal = new AbortController().signal,
): (args: FetchArgs) => Promise<ToolResult> {
  const [tool, workspace] = [createWebFetchTool(options), tempTree()];
  return (args) => executeTool(tool, args, { workspace, signal });
}

export async function planOf(
  url: string,
  options: WebFetchOptions = {},
  more: Omit<FetchArgs, "url"> = {},
): Promise<Plan> {
  const plan = await createWebFetchTool(options).plan?.({ url, ...more }, createToolContext({ workspace: "/ws" }));
  if (plan === undefined) throw new Error("no plan");
  return plan;
}
