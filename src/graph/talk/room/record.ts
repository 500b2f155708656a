import { isFinal, type ToolCallInfo } from "../../../core/call.ts";
import { oneLine } from "../../../core/fence.ts";
import { openGoalLines } from "../../../core/goal-lines.ts";
import { goalCalls, goalsOf } from "../../../core/goals.ts";
import type { JournalReading } from "../../../store/types.ts";
import { changedBy } from "../../calls/partly.ts";

export type Recorded = Pick<JournalReading, "allCalls" | "succeeded" | "planOf" | "doneOf" | "call" | "runningJobs">;

/** Files of the record that are named, and calls whose outcome is unknown. */
const mostFiles = 40;
const mostUnknown = 20;

/** Characters of a job's command. */
const mostOfCommand = 120;

/** Lists the open goals of the session's plan. */
export const openGoals = (journal: Recorded): string[] =>
  openGoalLines(goalsOf(goalCalls(journal).map(({ call }) => call)));

/** Lists the changed files by the journal, one line each. */
export function changedFiles(journal: Recorded): string[] {
  const files = new Map<string, string[]>();
  for (const call of journal.allCalls())
    for (const { real } of changedBy(journal, call)) files.set(real, [...(files.get(real) ?? []), call.callId]);
  const named = [...files].slice(-mostFiles).map(([real, by]) => `changed by ${some(by)}: ${real}`);
  const more = files.size > mostFiles ? [`and ${files.size - mostFiles} files before these`] : [];
  return [...more, ...named];
}

/** Lists all that is open by the journal: calls, jobs in the background, and work that was begun and never seen to end. One line each. */
export function whatIsOpen(journal: Recorded): string[] {
  const calls = journal.allCalls();
  const unknown = calls.filter(isUnknown).slice(-mostUnknown);
  return [
    ...calls.filter((call) => !isFinal(call)).map((call) => `open: call ${named(call)}, ${how(call.status)}`),
    ...journal
      .runningJobs()
      .map((id) => `running in the background: the job of call ${id} (${commandOf(journal, id)})`),
    ...unknown.map((call) => `outcome unknown: call ${named(call)}`),
  ];
}

const isUnknown = (call: ToolCallInfo): boolean => call.status === "cancelled" && call.ended.unknown === true;

const named = ({ callId, toolName }: ToolCallInfo): string => `${callId} (${oneLine(toolName, 64)})`;

const how = (status: ToolCallInfo["status"]): string => {
  switch (status) {
    case "awaiting_approval":
      return "which waits for the person";
    case "interrupted":
      return "which waits for the person's word on how it ended";
    case "executing":
      return "which runs";
    default:
      return "which is not run yet";
  }
};

const commandOf = (journal: Recorded, id: string): string =>
  oneLine(String(journal.call(id)?.arguments["command"] ?? ""), mostOfCommand);

const some = (ids: readonly string[]): string =>
  ids.length <= 4 ? ids.join(", ") : `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more`;
