import { realpath } from "node:fs/promises";
import type { Tool } from "../../core/tool.ts";

/**
 * Refuses a tool that was made for another workspace than the one it is to work in: a defect of the program, which no model can
 * mend. @throws TypeError
 * @param workspace absolute, symlinks resolved
 */
export async function checkWorkspace({ name, workspace: own }: Tool, workspace: string): Promise<void> {
  if (own === undefined || own === workspace) return;
  const real = await realpath(own).catch(() => own);
  if (real !== workspace) throw new TypeError(`${name} was made for ${own} and cannot work in ${workspace}`);
}
