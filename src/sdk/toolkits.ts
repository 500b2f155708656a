import type { Tool, ToolResult } from "../core/tool.ts";
import { isNamed, wrongPattern } from "../core/tool-names.ts";
import { type ExecuteOptions, executeTool } from "../graph/calls/execute-tool.ts";
import { unknownToolText } from "../graph/calls/unknown-tool.ts";
import {
  createToolRegistry,
  type HeldSources,
  isRegistry,
  type ToolRegistry,
  type ToolSource,
} from "../tools/registry.ts";

/** The tools of one agent. */
export interface Toolkit {
  /** Of the agent. */
  readonly name: string;
  list(): Promise<Tool[]>;
  get(tool: string): Promise<Tool | undefined>;
  /** As `executeTool`, for tools of this toolkit; any other is UNKNOWN_TOOL and nothing runs. @throws what that throws */
  execute(tool: string, rawArguments: unknown, options: ExecuteOptions): Promise<ToolResult>;
}

export interface Toolkits {
  /** The tools of one toolkit, or all that toolkits are taken from. @throws TypeError where there is no toolkit of this name */
  list(name?: string): Promise<Tool[]>;
  /** Undefined where none has this agent's name. */
  toolkitOf(agent: string): Toolkit | undefined;
}

/**
 * Sets of tools by the names of the agents that have them. A tool for the person alone is in none. What a registry comes to have later is
 * in each set whose patterns name it.
 * @param kits of each the names of its tools, in which `*` stands for any text; `!` before one leaves it out
 * @throws TypeError for a toolkit without patterns, a pattern that is none, or as `createToolRegistry` does.
 */
export function createToolkits<Sources extends readonly ToolSource[] | []>(
  kits: Readonly<Record<string, readonly string[]>>,
  tools: HeldSources<Sources> | ToolRegistry,
): Toolkits {
  const registry = isRegistry(tools) ? tools : createToolRegistry(tools);
  const byName = new Map(Object.entries(kits).map(([name, patterns]) => [name, checked(name, patterns)]));
  const all = async (): Promise<Tool[]> => (await registry.snapshot()).filter(({ audience }) => audience !== "person");

  const toolkitOf = (name: string): Toolkit | undefined => {
    const patterns = byName.get(name);
    if (patterns === undefined) return undefined;
    const list = async (): Promise<Tool[]> => (await all()).filter((tool) => isNamed(patterns, tool.name));
    const get = async (tool: string): Promise<Tool | undefined> => (await list()).find((one) => one.name === tool);
    return {
      name,
      list,
      get,
      async execute(tool, rawArguments, options) {
        const found = await get(tool);
        if (found !== undefined) return executeTool(found, rawArguments, options);
        return { output: "", error: unknownToolText(tool, await list(), name), metadata: { code: "UNKNOWN_TOOL" } };
      },
    };
  };

  return {
    toolkitOf,
    async list(name) {
      if (name === undefined) return all();
      const kit = toolkitOf(name);
      if (kit === undefined) throw new TypeError(`there is no toolkit ${JSON.stringify(name)}`);
      return kit.list();
    },
  };
}

function checked(name: string, patterns: readonly string[]): readonly string[] {
  // Without a pattern it would be every tool.
  if (patterns.length === 0) throw new TypeError(`the toolkit ${name} has no pattern: "!*" is for none, "*" for all`);
  for (const pattern of patterns) {
    const wrong = wrongPattern(pattern);
    if (wrong !== undefined) throw new TypeError(`the toolkit ${name}: ${JSON.stringify(pattern)} is not ${wrong}`);
  }
  return [...patterns];
}
