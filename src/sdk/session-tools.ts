import type { Tool } from "../core/tool.ts";
import type { AgentParts, SessionTools } from "../session/agent-parts.ts";
import { createDefaultTools } from "../tools/create-default-tools.ts";
import { createToolRegistry, makersOf, replacedIn, type ToolRegistry, type ToolSource } from "../tools/registry.ts";
import { perCall } from "../tools/use/per-call.ts";

interface ToolOptions {
  workspace: string;
  tools?: readonly ToolSource[] | ToolRegistry;
}

/** One tool of a session, and the instance behind it that other sessions may work with too. */
interface Used {
  readonly tool: Tool;
  readonly first: Tool;
}

/**
 * Opens the tools of one session. Of a class or a factory each call has an instance of its own. What sessions share, all objects and
 * all that is in a registry, is disposed with the last of those that use it, so that none loses a tool it works with, and a session
 * that is alone ends its tools when it ends.
 */
export function openSessionTools({ workspace, tools }: ToolOptions): AgentParts["openTools"] {
  const users = new Map<Tool, number>();
  const leave = async (tool: Tool): Promise<void> => {
    const left = (users.get(tool) ?? 1) - 1;
    users.set(tool, left);
    if (left > 0) return;
    users.delete(tool);
    await tool.dispose?.();
  };

  return async (): Promise<SessionTools> => {
    if (tools === undefined) return { tools: createDefaultTools({ workspace }), services: {}, close: () => undefined };
    const registry = isRegistry(tools) ? tools : createToolRegistry(tools);
    // All that it has used, so that each is left once, also what is no longer in the registry.
    const used = new Map<Tool, Used>();
    const current = async (): Promise<readonly Tool[]> =>
      (await makersOf(registry)).map(({ first, make }) => {
        const known = used.get(first) ?? { first, tool: make === undefined ? first : perCall(first, make) };
        if (!used.has(first)) users.set(first, (users.get(first) ?? 0) + 1);
        used.set(first, known);
        return known.tool;
      });
    const all = await current();
    const notices = replacedIn(registry).map((name) => ({ code: "tool_replaced", text: replacedText(name) }));
    const close = async (): Promise<void> => {
      const mine = [...used.values()].filter(({ tool, first }) => tool !== first);
      const ends = [
        ...(await Promise.allSettled(mine.map(async ({ tool }) => tool.dispose?.()))),
        ...(await Promise.allSettled([...used.values()].map(({ first }) => leave(first)))),
      ];
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    };
    return { tools: all, shared: all, services: {}, notices, close, ...(isRegistry(tools) ? { current } : {}) };
  };
}

const replacedText = (name: string): string =>
  `${name} is a tool of the program that runs this session, in the place of the agent's own: no rule, grant or risk that was set for that one lets it run`;

const isRegistry = (tools: readonly ToolSource[] | ToolRegistry): tools is ToolRegistry => !Array.isArray(tools);
