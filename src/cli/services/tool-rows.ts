import { describeTools, type ToolRow } from "../../graph/talk/describe-tools.ts";
import type { Composition } from "../composition.ts";
import type { OpenedTools } from "../open-tools.ts";

/** The tools of a folder, without those that are left out. */
export async function toolRows(composition: Composition, workspace: string): Promise<ToolRow[]> {
  const opened = await composition.tools(workspace);
  return rowsOf(composition, opened).finally(opened.close);
}

/** These tools, as they are listed. */
export async function rowsOf(
  { workspace, mode, policy, config: { uid } }: Composition,
  opened: OpenedTools,
): Promise<ToolRow[]> {
  const { risks } = await policy({ session: "", workspace, mode });
  return describeTools(opened.tools, workspace, { risks, uid, sourceOf: opened.sourceOf });
}
