import type { Tool } from "../core/tool.ts";
import { endToolsBeside } from "../tools/ending/end-tools.ts";
import { createPlanTool } from "../tools/goals/present-plan.ts";
import { createSearchTool } from "../tools/offering/search-tools.ts";
import { createToolCatalogue, type ToolCatalogue } from "../tools/tool-catalogue.ts";
import type { UndoSource } from "../tools/undo/take-back.ts";
import { createUndoTool } from "../tools/undo/undo-changes.ts";
import { checkWorkspace } from "../tools/use/own-workspace.ts";
import type { SessionTools } from "./agent-parts.ts";
import { ownCommandTools } from "./own-command-tool.ts";

type Opened = Pick<SessionTools, "tools" | "current">;

/** Makes the catalogue of a session's calls: its tools, which may become others, and those of the person's own commands. */
export function catalogueOf({ tools, current }: Opened, undo: UndoSource, workspace: string): ToolCatalogue {
  const search = createSearchTool(() => catalogue.all());
  const own = [createPlanTool(), search, ...ownCommandTools(tools), createUndoTool(undo)];
  const withOwn = (given: readonly Tool[]): Tool[] => [...given, ...endToolsBeside(given), ...own];
  const now = async (read: NonNullable<Opened["current"]>): Promise<Tool[]> => {
    const given = await read();
    for (const tool of given) await checkWorkspace(tool, workspace);
    return withOwn(given);
  };
  const catalogue = createToolCatalogue(withOwn(tools), current && (() => now(current)));
  return catalogue;
}

/** All of them are ended, whatever one of them throws. @throws the first of these errors. */
export async function closeTools({ tools, shared = [], tree, close }: SessionTools): Promise<void> {
  const own = tools.filter((tool) => !shared.includes(tool));
  const ends = await Promise.allSettled(own.map(async (tool) => tool.dispose?.()));
  await tree?.close();
  const [end] = await Promise.allSettled([(async () => close())()]);
  const failed = [...ends, end].find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
