import type { Tool } from "../core/tool.ts";
import type { AgentParts, SessionTools } from "../session/open-agent.ts";
import { createDefaultTools } from "../tools/create-default-tools.ts";
import { createToolRegistry, type ToolRegistry, type ToolSource } from "../tools/registry.ts";

interface ToolOptions {
  workspace: string;
  tools?: readonly ToolSource[] | ToolRegistry;
  services?: Readonly<Record<string, unknown>>;
}

const isShared = (source: ToolSource): source is Tool => typeof source === "object" && !("factory" in source);

/**
 * Opens the tools of one session. What sessions share is disposed with the last of those that use it, so that none loses a tool
 * it works with, and a session that is alone ends its tools when it ends.
 */
export function openSessionTools({ workspace, tools, services = {} }: ToolOptions): AgentParts["openTools"] {
  const users = new Map<Tool, number>();

  const open = async (): Promise<{ all: readonly Tool[]; shared: readonly Tool[] }> => {
    if (tools === undefined) return { all: createDefaultTools({ workspace }), shared: [] };
    if (!isRegistry(tools)) return { all: await createToolRegistry(tools).snapshot(), shared: tools.filter(isShared) };
    const all = await tools.snapshot();
    return { all, shared: all };
  };
  const leave = async (tool: Tool): Promise<void> => {
    const left = (users.get(tool) ?? 1) - 1;
    users.set(tool, left);
    if (left > 0) return;
    users.delete(tool);
    await tool.dispose?.();
  };
  return async (): Promise<SessionTools> => {
    const { all, shared } = await open();
    for (const tool of shared) users.set(tool, (users.get(tool) ?? 0) + 1);
    const close = async (): Promise<void> => {
      const ends = await Promise.allSettled(shared.map(leave));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    };
    return { tools: all, shared, services, close };
  };
}

const isRegistry = (tools: readonly ToolSource[] | ToolRegistry): tools is ToolRegistry => !Array.isArray(tools);
