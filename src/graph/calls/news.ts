import type { ToolCallInfo } from "../../core/call.ts";
import type { PlannedCommand } from "../../core/command.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Plan } from "../../core/tool.ts";
import type { JournalReading } from "../../store/types.ts";

/** What is new about a call against those of its session that the person approved before. `times`: how many changes of the file. */
export type News =
  | { is: "same" | "same_words" | "same_program" | "first_command" }
  | { is: "same_file"; times: number }
  | { is: "other_file" | "first_folder" | "first_deletion" }
  | { is: "other_arguments" | "first_of_tool" };

/** So many of the latest approvals are looked at. */
export const mostApprovals = 200;

interface Approved {
  call: ToolCallInfo;
  plan: Plan;
}

type Reading = Pick<JournalReading, "allCalls" | "call" | "planOf">;

/**
 * Compares a waiting call with the latest approved ones, by their plans alone. Nothing is said of a call of high risk, which is read whole; nor where
 * nothing was approved; nor is a call told to be the first where older approvals were not looked at.
 */
export function newsOf(journal: Reading, callId: string): News | undefined {
  const [call, plan] = [journal.call(callId), journal.planOf(callId)];
  if (call === undefined || plan === undefined || call.risk === "high") return undefined;
  const before = approvedBefore(journal, callId);
  if (before.length === 0) return undefined;
  const news = newsAgainst({ call, plan }, before.slice(0, mostApprovals));
  return before.length > mostApprovals && news.is.startsWith("first_") ? undefined : news;
}

/** The newest first, one more than are looked at. */
function approvedBefore(journal: Reading, callId: string): Approved[] {
  const found: Approved[] = [];
  for (const call of journal.allCalls().toReversed()) {
    if (found.length > mostApprovals) break;
    if (call.callId === callId || !isApproved(call)) continue;
    const plan = journal.planOf(call.callId);
    if (plan !== undefined) found.push({ call, plan });
  }
  return found;
}

/** By the person, and done. What the person said in a recovery is no approval. */
const isApproved = (call: ToolCallInfo): boolean =>
  call.status === "success" && call.by?.actor === "person" && call.by.rule !== "recovery";

/** `same`: by the digest, so letter for letter with its folder, what surrounds it and the files that it runs. */
function newsAgainst({ call, plan }: Approved, before: readonly Approved[]): News {
  if (call.digest !== undefined && before.some((one) => one.call.digest === call.digest)) return { is: "same" };
  if (plan.command !== undefined) return ofCommand(plan, before);
  // Whichever tool changed it.
  if (plan.files !== undefined && plan.files.length > 0) return ofFiles(plan, before);
  const isKnown = before.some((one) => one.call.toolName === call.toolName);
  return { is: isKnown ? "other_arguments" : "first_of_tool" };
}

function ofCommand(plan: Plan, before: readonly Approved[]): News {
  if (before.some((one) => one.plan.command === plan.command)) return { is: "same_words" };
  const programs = programsOf(plan);
  const isSeen = programs !== undefined && before.some((one) => programsOf(one.plan) === programs);
  return { is: isSeen ? "same_program" : "first_command" };
}

/** The programs of a line, in its order; undefined where one is known only when it runs, or nothing is known of the line. */
function programsOf({ commands = [] }: Plan): string | undefined {
  const isKnown = ({ argv, understood }: PlannedCommand): boolean => understood && typeof argv[0] === "string";
  if (commands.length === 0 || !commands.every(isKnown)) return undefined;
  return canonicalJson(commands.map(({ argv, program }) => [argv[0] ?? "", program ?? ""]));
}

function ofFiles(plan: Plan, before: readonly Approved[]): News {
  const files = plan.files ?? [];
  const changed = before.flatMap((one) => one.plan.files ?? []);
  if (files.some(({ kind }) => kind === "delete") && !changed.some(({ kind }) => kind === "delete"))
    return { is: "first_deletion" };
  const times = files.map(({ real }) => changed.filter((one) => one.real === real).length);
  const least = Math.min(...times);
  if (least > 0) return { is: "same_file", times: least };
  const folders = new Set(changed.map(({ real }) => folderOf(real)));
  return { is: files.every(({ real }) => folders.has(folderOf(real))) ? "other_file" : "first_folder" };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
