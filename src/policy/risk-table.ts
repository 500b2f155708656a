import type { Effect, RiskLevel } from "../core/tool.ts";

export interface RiskRow {
  tool: string;
  effect: Effect;
  risk: RiskLevel;
  /** What a rule for it is restricted by where it is written in short, `tool(pattern)`; default paths. */
  by?: "command" | "hosts";
  /** In words that can follow "because". */
  why: string;
}

/** The risk of the tools this program brings; it wins over what they say of themselves. */
export const riskTable: readonly RiskRow[] = [
  { tool: "read_file", effect: "none", risk: "low", why: "it only reads a file of the workspace" },
  { tool: "ls", effect: "none", risk: "low", why: "it only lists names in the workspace" },
  { tool: "glob", effect: "none", risk: "low", why: "it only lists names in the workspace" },
  { tool: "grep", effect: "none", risk: "low", why: "it only searches files of the workspace" },
  {
    tool: "web_search",
    effect: "none",
    risk: "low",
    by: "hosts",
    why: "it sends its query to the search service of your settings, and nothing else",
  },
  {
    tool: "web_fetch",
    effect: "none",
    risk: "medium",
    by: "hosts",
    why: "it reads a page, and all that its address says reaches that host",
  },
  {
    tool: "save_memory",
    effect: "store",
    risk: "low",
    why: "it adds one line that is told in this project alone, and can be undone",
  },
  { tool: "write_file", effect: "file", risk: "medium", why: "it writes a whole file" },
  { tool: "edit_file", effect: "file", risk: "medium", why: "it changes a file" },
  {
    tool: "shell",
    effect: "once",
    risk: "medium",
    by: "command",
    why: "a command can change files and reach the network",
  },
];

/**
 * Table row, else what the tool declares of itself, else medium. A row is for a tool that does what the row says: another one that
 * took its name, with another effect, is judged as what it is.
 */
export function riskOf(
  tool: string,
  effect: Effect,
  declared: RiskLevel | undefined,
): { risk: RiskLevel; why: string } {
  const row = riskTable.find((candidate) => candidate.tool === tool && candidate.effect === effect);
  if (row !== undefined) return { risk: row.risk, why: row.why };
  if (declared !== undefined) return { risk: declared, why: `the tool itself declares a ${declared} risk` };
  return { risk: "medium", why: "the tool is not in the risk table and declares no risk" };
}
