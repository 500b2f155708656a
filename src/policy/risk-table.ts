import type { RiskLevel } from "../core/tool.ts";

export interface RiskRow {
  tool: string;
  risk: RiskLevel;
  /** In words that can follow "because". */
  why: string;
}

/** The risk of the tools this program brings; it wins over what a tool says of itself. */
export const riskTable: readonly RiskRow[] = [
  { tool: "read_file", risk: "low", why: "it only reads a file of the workspace" },
  { tool: "ls", risk: "low", why: "it only lists names in the workspace" },
  { tool: "glob", risk: "low", why: "it only lists names in the workspace" },
  { tool: "grep", risk: "low", why: "it only searches files of the workspace" },
  { tool: "save_memory", risk: "low", why: "it adds one line to the user's own memories, which can be undone" },
  { tool: "write_file", risk: "medium", why: "it writes a whole file" },
  { tool: "edit_file", risk: "medium", why: "it changes a file" },
  { tool: "shell", risk: "high", why: "a command can do anything that you can" },
];

/** Table row, else what the tool declares of itself, else medium. */
export function riskOf(tool: string, declared?: RiskLevel): { risk: RiskLevel; why: string } {
  const row = riskTable.find((candidate) => candidate.tool === tool);
  if (row !== undefined) return { risk: row.risk, why: row.why };
  if (declared !== undefined) return { risk: declared, why: `the tool itself declares a ${declared} risk` };
  return { risk: "medium", why: "the tool is not in the risk table and declares no risk" };
}
