import { isAbsolute } from "node:path";
import { env } from "node:process";
import { ToolRefusal } from "../core/codes.ts";
import type { Tool } from "../core/tool.ts";
import { asBuiltIn } from "./built-in.ts";
import { createEditFileTool } from "./files/edit-file.ts";
import { createReadFileTool } from "./files/read-file.ts";
import { createWriteFileTool } from "./files/write-file.ts";
import { createGoalTool } from "./goals/goal.ts";
import { createSaveMemoryTool } from "./memory/save-memory.ts";
import { createGlobTool } from "./search/glob.ts";
import { createGrepTool } from "./search/grep.ts";
import type { MorePatterns } from "./search/ignore-rules.ts";
import { createLsTool } from "./search/ls.ts";
import { createJobs } from "./shell/running/jobs.ts";
import type { ShellSettings } from "./shell/running/surroundings.ts";
import { createShellTool } from "./shell/shell.ts";
import { createShellOutputTool } from "./shell/shell-output.ts";
import { createShellStopTool } from "./shell/shell-stop.ts";
import { createWebFetchTool } from "./web/fetch-page.ts";
import { createWebSearchTool, type SearchSettings, searchAccess } from "./web/search-web.ts";

export interface DefaultToolsOptions {
  /** Absolute path of the folder they work in: used in another, they are a TypeError. */
  workspace: string;
  /** The user's CONTEXT.md. Without it save_memory is known to the model but refuses. */
  memoryFile?: string;
  /** The names that ls, glob and grep leave out beside those of .gitignore: patterns of its kind, relative to the workspace. */
  ignore?: MorePatterns;
  /** The settings that commands get; of the environment of this process by default. */
  shell?: Partial<ShellSettings>;
  /** The search service of web_search, which is offered only where it can be asked; and where proxies and its key are looked for. */
  web?: { search?: SearchSettings; env?: Readonly<Record<string, string | undefined>> };
}

/**
 * The tools every session has, in the order the model is told of them. New instances on each call.
 * @throws TypeError where `workspace` is not absolute.
 */
export function createDefaultTools({
  workspace,
  memoryFile,
  ignore = [],
  shell = {},
  web = {},
}: DefaultToolsOptions): Tool[] {
  if (!isAbsolute(workspace)) throw new TypeError(`workspace must be absolute: ${workspace}`);
  const jobs = createJobs();
  const tools = [
    createReadFileTool(),
    createWriteFileTool(),
    createEditFileTool(),
    createLsTool({ ignore }),
    createGlobTool({ ignore }),
    createGrepTool({ ignore }),
    memoryFile === undefined
      ? withoutMemoryFile(createSaveMemoryTool({ memoryFile: "" }))
      : createSaveMemoryTool({ memoryFile }),
    createGoalTool(),
    createShellTool({ ...plainShell, env, ...shell }, jobs),
    createShellOutputTool(jobs),
    createShellStopTool(jobs),
    ...webTools(web),
  ];
  return tools.map((tool) => asBuiltIn({ ...tool, workspace }));
}

const plainShell = {
  shellEnv: [],
  shellPath: [],
  sandbox: "auto",
  sandboxWrite: [],
  sandboxRead: [],
  hidden: [],
} as const;

function webTools({ search, env: given = env }: NonNullable<DefaultToolsOptions["web"]>): Tool[] {
  const access = searchAccess(search, given);
  return [createWebFetchTool({ env: given }), ...("missing" in access ? [] : [createWebSearchTool(access, given)])];
}

function withoutMemoryFile(tool: Tool): Tool {
  const refuse = (): never => {
    throw new ToolRefusal("NOT_FOUND", "nothing can be remembered here: no memory file is configured");
  };
  return { ...tool, plan: async () => refuse(), execute: async () => refuse() };
}
