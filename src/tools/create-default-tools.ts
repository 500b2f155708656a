import { createSaveMemoryTool } from "./agent-ops/save-memory.ts";
import { ToolRefusal } from "./contract/codes.ts";
import type { Tool } from "./contract/tool.ts";
import { createEditFileTool } from "./file-ops/edit-file.ts";
import { createGlobTool } from "./file-ops/glob.ts";
import { createGrepTool } from "./file-ops/grep.ts";
import type { MorePatterns } from "./file-ops/ignore-rules.ts";
import { createLsTool } from "./file-ops/ls.ts";
import { createReadFileTool } from "./file-ops/read-file.ts";
import { createWriteFileTool } from "./file-ops/write-file.ts";

export interface DefaultToolsOptions {
  /** Absolute path of the folder the agent works in; the tools take it from their context. */
  workspace: string;
  /** The user's CONTEXT.md. Without it save_memory is known to the model but refuses. */
  memoryFile?: string;
  /** What ls, glob and grep leave out beside what .gitignore names: patterns of its kind, relative to the workspace. */
  ignore?: MorePatterns;
}

/** The tools every session has, in the order the model is told of them. New instances on each call. */
export function createDefaultTools({ memoryFile, ignore = [] }: DefaultToolsOptions): Tool[] {
  return [
    createReadFileTool(),
    createWriteFileTool(),
    createEditFileTool(),
    createLsTool({ ignore }),
    createGlobTool({ ignore }),
    createGrepTool({ ignore }),
    memoryFile === undefined
      ? withoutMemoryFile(createSaveMemoryTool({ memoryFile: "" }))
      : createSaveMemoryTool({ memoryFile }),
  ];
}

function withoutMemoryFile(tool: Tool): Tool {
  const refuse = (): never => {
    throw new ToolRefusal("NOT_FOUND", "nothing can be remembered here: no memory file is configured");
  };
  return { ...tool, facts: refuse, plan: async () => refuse(), execute: async () => refuse() };
}
