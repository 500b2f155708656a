import { isFinal, type ToolCallInfo } from "../core/call.ts";
import type { Tool } from "../core/tool.ts";
import type { AgentEventBody } from "../graph/events.ts";
import { checkWorkspace } from "../tools/own-workspace.ts";
import { createLiveToolSet, createToolSet, type LiveToolSet, type ToolSet } from "../tools/tool-set.ts";
import type { UndoSource } from "../tools/undo/take-back.ts";
import { createUndoTool } from "../tools/undo/undo-changes.ts";
import type { SessionTools } from "./open-agent.ts";
import { ownCommandTool } from "./own-command-tool.ts";

type Opened = Pick<SessionTools, "tools" | "current">;

/** What a session's calls are made with: its tools, which may become others, and those of the person's own commands. */
export function toolSetOf({ tools, current }: Opened, undo: UndoSource, workspace: string): ToolSet | LiveToolSet {
  const own = [...ownCommandTool(tools), createUndoTool(undo)];
  if (current === undefined) return createToolSet([...tools, ...own]);
  return createLiveToolSet([...tools, ...own], async () => {
    const now = await current();
    for (const tool of now) await checkWorkspace(tool, workspace);
    return [...now, ...own];
  });
}

/** Tells, and then lets tools forget the call that is over. What a tool throws there is a defect of its, which ends nothing. */
export function releasing(
  emit: (body: AgentEventBody) => void,
  tools: () => ToolSet,
  reportDefect: (error: unknown) => void,
): (body: AgentEventBody) => void {
  const names = new Map<string, string>();
  const release = (tool: Tool | undefined, callId: string): void =>
    void (async () => tool?.release?.(callId))().catch(reportDefect);
  return (body) => {
    emit(body);
    if (body.type !== "tool_call") return;
    const { callId, status } = body.call;
    if ("toolName" in body.call) names.set(callId, body.call.toolName);
    if (!isFinal(body.call as ToolCallInfo) && status !== "interrupted") return;
    release(tools().get(names.get(callId) ?? ""), callId);
    names.delete(callId);
  };
}
