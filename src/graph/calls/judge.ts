import type { ToolCallInfo } from "../../core/call.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { digestOf } from "../../core/digest.ts";
import type { Sha } from "../../core/json.ts";
import type { Overlay, Plan, Tool, ToolContext } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import { PolicyProblem } from "../../policy/problem.ts";
import type { CallFacts, Policy, RuleSource, Verdict } from "../../policy/types.ts";
import { SessionBusy, StoreFailure } from "../../store/types.ts";
import { effectOf, type Runtime, toolContext } from "../runtime.ts";

export type Judged =
  | { kind: "judged"; facts: CallFacts; verdict: Verdict; plan: Plan; digest: Sha }
  /** Policy says no; no plan was made. */
  | { kind: "denied"; verdict: Verdict }
  /** The tool cannot do this: told to the model. */
  | { kind: "refused"; code: ErrorCode; message: string };

/** "user:/home/x/policy.json:4", "grant:g-1a2b3c4d", "table": where a decision came from, for journal and events. */
export function ruleName(rule: RuleSource): string {
  if (rule.grant !== undefined) return `${rule.source}:${rule.grant}`;
  if (rule.file === undefined) return rule.source;
  return rule.line === undefined ? `${rule.source}:${rule.file}` : `${rule.source}:${rule.file}:${rule.line}`;
}

/** What a tool cannot do is told to the model, a defect of the tool too; what stops the run is thrown on. */
function refusalOf(error: unknown): Judged {
  if (error instanceof ToolRefusal) return { kind: "refused", code: error.code, message: error.message };
  if (stopsRun(error)) throw error;
  return {
    kind: "refused",
    code: "FAILED",
    message: `the tool failed: ${error instanceof Error ? error.message : String(error)}`,
  };
}

const stopsRun = (error: unknown): boolean =>
  error instanceof StoreFailure || error instanceof SessionBusy || error instanceof PolicyProblem;

/** All that policy looks at of one call. @throws ToolRefusal where its paths lead nowhere. */
export async function callFacts(tool: Tool, args: unknown, ctx: ToolContext): Promise<CallFacts> {
  const found = (await tool.facts?.(args, ctx)) ?? {};
  return {
    tool: tool.name,
    effect: effectOf(tool),
    ...(tool.risk === undefined ? {} : { risk: tool.risk }),
    ...(tool.confirm === undefined ? {} : { confirm: tool.confirm }),
    paths: found.paths ?? [],
    commands: found.commands ?? [],
    hosts: found.hosts ?? [],
    workspace: ctx.workspace,
  };
}

export const factsOf = (runtime: Runtime, tool: Tool, call: ToolCallInfo, stepId: string): Promise<CallFacts> =>
  callFacts(tool, call.arguments, toolContext(runtime, { callId: call.callId, stepId }));

/** Short enough for one line of a dialog, for tools that plan nothing. */
function barePlan(runtime: Runtime, call: ToolCallInfo, facts: CallFacts): Plan {
  const text = JSON.stringify(call.arguments);
  const shown = text.length > 160 ? `${text.slice(0, 159)}…` : text;
  const reads = facts.paths.map(({ asked, real }) => ({ asked, real }));
  return { summary: `${call.toolName} ${shown}`, cwd: runtime.workspace, ...(reads.length > 0 ? { reads } : {}) };
}

/**
 * Facts, verdict, then (unless denied) the plan and its digest; reads only. With an overlay the plan sees the "after" of
 * earlier calls and adds its own.
 */
export async function judge(
  runtime: Runtime,
  call: ToolCallInfo,
  stepId: string,
  policy: Policy,
  overlay?: Overlay,
): Promise<Judged> {
  const tool = runtime.registry.get(call.toolName);
  if (tool === undefined)
    return { kind: "refused", code: "UNKNOWN_TOOL", message: `there is no tool ${call.toolName}` };
  try {
    const facts = await factsOf(runtime, tool, call, stepId);
    const verdict = decide(facts, policy);
    if (verdict.decision === "deny") return { kind: "denied", verdict };
    const ctx = toolContext(runtime, { callId: call.callId, stepId }, overlay === undefined ? {} : { overlay });
    const plan = (await tool.plan?.(call.arguments, ctx)) ?? barePlan(runtime, call, facts);
    const digest = digestOf({ toolName: call.toolName, arguments: call.arguments, cwd: plan.cwd, plan });
    return { kind: "judged", facts, verdict, plan, digest };
  } catch (error) {
    return refusalOf(error);
  }
}

/** For reads that policy allows: the verdict alone, without a plan nobody will look at. */
export async function judgeRead(
  runtime: Runtime,
  call: ToolCallInfo,
  stepId: string,
  policy: Policy,
): Promise<Judged | { kind: "allowed"; verdict: Verdict }> {
  const tool = runtime.registry.get(call.toolName);
  if (tool === undefined || effectOf(tool) !== "none") return judge(runtime, call, stepId, policy);
  try {
    const verdict = decide(await factsOf(runtime, tool, call, stepId), policy);
    return verdict.decision === "allow" ? { kind: "allowed", verdict } : judge(runtime, call, stepId, policy);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Whether policy would let a file be read (asked about or not): what it denies a search does not quote either. */
export function mayRead(real: string, policy: Policy, workspace: string): boolean {
  const paths = [{ asked: real, real, access: "read" as const }];
  const facts: CallFacts = { tool: "read_file", effect: "none", paths, commands: [], hosts: [], workspace };
  return decide(facts, policy).decision !== "deny";
}
