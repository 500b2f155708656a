import type { Bounds, Tool, ToolContext } from "../../core/tool.ts";
import type { Policy, PolicyCheckLine, Verdict } from "../../policy/types.ts";
import { createToolContext } from "../../tools/use/run-tool.ts";
import { prepareCall } from "./prepare.ts";

/**
 * Returns the verdict that policy would give on a call that nobody proposed; reads only. It judges also where the call itself would fail (a text
 * that is not found, a file that is not there); a path that leads out of the workspace is denied. Arguments that do not fit are an error.
 */
export async function checkProposed(
  tool: Tool,
  raw: unknown,
  policy: Policy,
  bounds: Bounds & Pick<ToolContext, "coverage" | "secrets">,
): Promise<PolicyCheckLine> {
  const prepared = await prepareCall(tool, raw, createToolContext(bounds), policy);
  const line = (verdict: Verdict): PolicyCheckLine => ({ tool: tool.name, ...verdict });
  if (prepared.kind !== "refused") return line(prepared.verdict);
  if (prepared.verdict !== undefined) return line(prepared.verdict);
  if (prepared.code === "INVALID_ARGUMENT") return { error: prepared.message };
  const risk = tool.risk ?? "medium";
  return line({ decision: "deny", risk, rule: { source: "sealed" }, why: prepared.message });
}
