import type { GivenSecrets } from "../core/secrets/given-secrets.ts";
import type { Tool } from "../core/tool.ts";
import { unusedText } from "../core/tool-settings.ts";
import type { AgentParts, SessionTools } from "../session/agent-parts.ts";
import { createAgentTool } from "../tools/agents/agent-tool.ts";
import { createEvaluateTool } from "../tools/agents/evaluate-tool.ts";
import { createArtifactTools } from "../tools/artifacts/artifact-tools.ts";
import { isBuiltIn } from "../tools/built-in.ts";
import { createDefaultTools } from "../tools/create-default-tools.ts";
import {
  createToolRegistry,
  isRegistry,
  makersOf,
  replacedIn,
  type ToolMaker,
  type ToolRegistry,
  type ToolSource,
} from "../tools/registry.ts";
import { perCall } from "../tools/use/per-call.ts";
import { withSettings } from "../tools/use/with-settings.ts";
import { type SettingsOfTools, settingsFor } from "./tool-settings.ts";

interface ToolOptions {
  workspace: string;
  tools?: readonly ToolSource[] | ToolRegistry;
  /** The session outlasts the program: what is made in it can be read afterwards. */
  isKept: boolean;
  secrets?: GivenSecrets;
}

/** One tool of a session, and the instance behind it that other sessions may work with too. */
interface Used {
  readonly tool: Tool;
  readonly first: Tool;
  /** The tool that is the session's alone, and ended with it. */
  readonly own: Tool | undefined;
}

// Keeps sdk 3.
/**
 * Opens the tools of one session. Of a class or a factory each call has an instance of its own. What sessions share, all objects and
 * all that is in a registry, is disposed with the last of those that use it, so that none loses a tool it works with, and a session
 * that is alone ends its tools when it ends.
 */
export function openSessionTools(
  { workspace, tools, isKept, secrets = {} }: ToolOptions,
  settings: SettingsOfTools,
): AgentParts["openTools"] {
  const users = new Map<Tool, number>();
  const leave = async (tool: Tool): Promise<void> => {
    const left = (users.get(tool) ?? 1) - 1;
    users.set(tool, left);
    if (left > 0) return;
    users.delete(tool);
    await tool.dispose?.();
  };

  return async (): Promise<SessionTools> => {
    if (tools === undefined) {
      const kept = isKept ? createArtifactTools() : [];
      const own = createDefaultTools({ workspace, shell: { secrets: Object.keys(secrets).length > 0 } });
      const defaults = [...own, ...kept, createAgentTool(), createEvaluateTool()];
      return { tools: defaults, services: {}, notices: unusedSettings(settings, defaults), close: () => undefined };
    }
    const registry = isRegistry(tools) ? tools : createToolRegistry(tools);
    // All that it has used, so that each is left once, also what is no longer in the registry.
    const used = new Map<Tool, Used>();
    const current = async (): Promise<readonly Tool[]> =>
      (await makersOf(registry)).map((maker) => {
        const { first } = maker;
        const known = used.get(first) ?? usedAs(maker, settings);
        if (!used.has(first)) users.set(first, (users.get(first) ?? 0) + 1);
        used.set(first, known);
        return known.tool;
      });
    const all = await current();
    const replaced = replacedIn(registry).map((name) => ({ code: "tool_replaced", text: replacedText(name) }));
    const notices = [...replaced, ...unusedSettings(settings, all)];
    const close = async (): Promise<void> => {
      const ends = [
        ...(await Promise.allSettled([...used.values()].map(async ({ own }) => own?.dispose?.()))),
        ...(await Promise.allSettled([...used.values()].map(({ first }) => leave(first)))),
      ];
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    };
    return { tools: all, shared: all, services: {}, notices, close, ...(isRegistry(tools) ? { current } : {}) };
  };
}

function usedAs({ first, make }: ToolMaker, settings: SettingsOfTools): Used {
  const own = make === undefined ? undefined : perCall(first, make);
  const tool = own ?? first;
  const config = settingsFor(settings, first.name);
  const hasSettings = !isBuiltIn(first) && Object.keys(config).length > 0;
  return { first, own, tool: hasSettings ? withSettings(tool, config) : tool };
}

/** Settings that nobody reads are said to be that: a name may be mistyped. */
const unusedSettings = ({ byName }: SettingsOfTools, tools: readonly Tool[]) =>
  Object.keys(byName).flatMap((name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool !== undefined && !isBuiltIn(tool)) return [];
    return [{ code: "tool_settings_unused", text: unusedText(name, tool === undefined ? "no tool" : "builtin") }];
  });

const replacedText = (name: string): string =>
  `${name} is a tool of the program that runs this session, in the place of the agent's own: no rule, grant or risk that was set for that one lets it run`;
