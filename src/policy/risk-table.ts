import type { Effect, RiskLevel } from "../core/tool.ts";
import type { PlainReason, Reason } from "../words/contract/policy-reasons.ts";
import type { RiskSetting, RiskSettings, RuleSource } from "./types.ts";

export interface RiskRow {
  tool: string;
  effect: Effect;
  risk: RiskLevel;
  /** The field by which a rule for it is restricted where it is written in short, `tool(pattern)`; default paths. */
  by?: "command" | "hosts";
  why: PlainReason;
}

// Keeps policy 1.
/** The risk of the tools this program brings; it wins over what they say of themselves. */
export const riskTable: readonly RiskRow[] = [
  { tool: "read_file", effect: "none", risk: "low", why: "reads_file" },
  { tool: "ls", effect: "none", risk: "low", why: "lists_names" },
  { tool: "glob", effect: "none", risk: "low", why: "lists_names" },
  { tool: "grep", effect: "none", risk: "low", why: "searches_files" },
  {
    tool: "web_search",
    effect: "none",
    risk: "low",
    by: "hosts",
    why: "sends_query",
  },
  {
    tool: "web_fetch",
    effect: "none",
    risk: "medium",
    by: "hosts",
    why: "reads_page",
  },
  {
    tool: "save_memory",
    effect: "store",
    risk: "low",
    why: "adds_memory",
  },
  {
    tool: "agent",
    effect: "child",
    risk: "low",
    why: "judged_by_call",
  },
  {
    tool: "evaluate",
    effect: "child",
    risk: "low",
    why: "helper_only_reads",
  },
  {
    tool: "skill",
    effect: "none",
    risk: "low",
    why: "reads_skill",
  },
  { tool: "goal", effect: "store", risk: "low", why: "keeps_plan" },
  { tool: "present_plan", effect: "store", risk: "low", why: "shows_plan" },
  { tool: "create_artifact", effect: "store", risk: "low", why: "keeps_text" },
  { tool: "read_artifact", effect: "none", risk: "low", why: "reads_text" },
  { tool: "update_artifact", effect: "store", risk: "low", why: "adds_version" },
  { tool: "rewrite_artifact", effect: "store", risk: "low", why: "adds_version" },
  { tool: "write_file", effect: "file", risk: "medium", why: "writes_file" },
  { tool: "edit_file", effect: "file", risk: "medium", why: "changes_file" },
  {
    tool: "shell",
    effect: "once",
    risk: "medium",
    by: "command",
    why: "changes_and_reaches",
  },
];

/** This program's tools without a row: their risk is what they say of themselves. */
const withoutRow = ["shell_output", "shell_stop"];

/** Tells whether a tool has the name of one of this program's without being it: words about that name do not mean it. */
export const tookName = ({ tool, own }: Pick<RiskAsked, "tool" | "own">): boolean =>
  own === true && (withoutRow.includes(tool) || riskTable.some((row) => row.tool === tool));

/** Of a call, or of a tool as such, what its risk comes from. */
export interface RiskAsked {
  tool: string;
  effect: Effect;
  /** The risk that the tool declares of itself. */
  risk?: RiskLevel;
  own?: true;
}

export interface Risk {
  risk: RiskLevel;
  why: Reason;
  /** The policy file that set it. */
  set?: RuleSource;
}

/**
 * Table row, else what the tool declares of itself, else medium; then what the policy files set. A row is for the program's own tool
 * that does what the row says: another one that took its name is judged as what it is, and what is set for the name only raises it.
 */
export const riskOf = (asked: RiskAsked, settings?: RiskSettings): Risk =>
  (tookName(asked) ? raisedBySettings : asSet)(asked.tool, ofTool(asked), settings);

function ofTool({ tool, effect, risk, own }: RiskAsked): Risk {
  const row = own ? undefined : riskTable.find((candidate) => candidate.tool === tool && candidate.effect === effect);
  if (row !== undefined) return { risk: row.risk, why: { code: row.why } };
  if (risk !== undefined) return { risk, why: { code: "own_word", risk } };
  return { risk: "medium", why: { code: "no_row" } };
}

/** Returns the risk with the settings applied: the user's word in place of the found one first, then the project's, only where it is higher. */
function asSet(tool: string, found: Risk, { user = {}, project = {} }: RiskSettings = {}): Risk {
  const mine = Object.hasOwn(user, tool) ? user[tool] : undefined;
  return raised(
    mine === undefined ? found : fromFile(mine, "user"),
    Object.hasOwn(project, tool) ? project[tool] : undefined,
    "project",
  );
}

/** The same where what was found says more than the name, as of a command whose words were judged: what is set only raises it. */
export function raisedBySettings(tool: string, found: Risk, { user = {}, project = {} }: RiskSettings = {}): Risk {
  const mine = raised(found, Object.hasOwn(user, tool) ? user[tool] : undefined, "user");
  return raised(mine, Object.hasOwn(project, tool) ? project[tool] : undefined, "project");
}

const order = { low: 0, medium: 1, high: 2 } as const;

const raised = (found: Risk, setting: RiskSetting | undefined, source: "user" | "project"): Risk =>
  setting === undefined || order[setting.risk] <= order[found.risk] ? found : fromFile(setting, source);

const fromFile = ({ risk, file, line }: RiskSetting, source: "user" | "project"): Risk => ({
  risk,
  why: { code: "set_in_file", file, line },
  set: { source, file, line },
});
