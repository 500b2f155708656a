import { ToolRefusal } from "../../core/codes.ts";
import type { Tool } from "../../core/tool.ts";
import { checkCall } from "../../policy/check.ts";
import type { Policy, PolicyCheckLine } from "../../policy/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { createToolContext } from "../../tools/execute-tool.ts";
import { callFacts } from "./judge.ts";

/** What policy would decide of a call that nobody proposed; reads only, makes no plan. */
export async function checkProposed(
  tool: Tool,
  raw: unknown,
  policy: Policy,
  workspace: string,
): Promise<PolicyCheckLine> {
  const ctx = createToolContext({ workspace });
  const parsed = await parseArguments(tool, raw, ctx);
  if (!parsed.ok) return { error: parsed.message };
  try {
    return checkCall(await callFacts(tool, parsed.args, ctx), policy);
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const risk = tool.risk ?? "medium";
    return { tool: tool.name, decision: "deny", risk, rule: { source: "sealed" }, why: error.message };
  }
}
