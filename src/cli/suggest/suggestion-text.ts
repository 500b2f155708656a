import { relative } from "node:path";
import type { PastCall } from "../../policy/suggest/past-call.ts";
import type { Suggestion } from "../../policy/suggest/suggestions.ts";
import { momentText } from "../print/moments.ts";
import { cleanLine } from "../ui/safe-text.ts";

/** So many calls are named; of more their number is said. */
const mostNamed = 5;

/** A day by the clock of this place, e.g. 2026-11-25. */
export const dayText = (at: number): string => momentText(at).slice(0, 10);

const callsText = (count: number): string => (count === 1 ? "1 call" : `${count} calls`);
const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** What the rule means, in one line: `allow shell: npm test`. */
export function ruleLine({ rule }: Pick<Suggestion, "rule">): string {
  const what = [rule.command, ...(rule.paths ?? []), ...(rule.hosts ?? [])].filter((one) => one !== undefined);
  return cleanLine(`${rule.decision} ${rule.tool}: ${what.join(", ")}`);
}

/** A suggestion as a person reads it before it is written: what was answered, where it would hold, and what else it would decide. */
export function suggestionLines(suggestion: Suggestion): string[] {
  const { rule, answered, decided, also } = suggestion;
  const said = rule.decision === "allow" ? "yes" : "no";
  const last = Math.max(...answered.map(({ at }) => at));
  return [
    ruleLine(suggestion),
    `you said ${said} ${times(answered.length)} (last on ${dayText(last)}) and never otherwise; it would have decided ${callsText(decided)} that you were asked about`,
    `it holds ${placeText(rule)}`,
    ...(also.length === 0
      ? ["of all that is recorded here it would have decided nothing else"]
      : [`it would have decided ${callsText(also.length)} more:`, ...namedCalls(also).map((line) => `  ${line}`)]),
  ];
}

function placeText({ workspace = "", cwd, piped, sandbox, scripts, paths, decision }: Suggestion["rule"]): string {
  const where = cleanLine(cwd === undefined || cwd === "." ? workspace : `${workspace}, in ${cwd}`);
  const what = paths === undefined ? [] : [decision === "allow" ? "for any change of the file by this tool" : ""];
  const held = [
    `in ${where}`,
    ...what.filter((one) => one !== ""),
    ...(sandbox === true ? ["only in the sandbox and without the network"] : []),
    ...(piped === false ? ["with nothing piped into it"] : []),
    ...(scripts === undefined || scripts.length === 0
      ? []
      : [
          `while ${scripts.map(({ path }) => cleanLine(relative(workspace, path))).join(", ")} ${scripts.length === 1 ? "is" : "are"} as now`,
        ]),
  ];
  return held.join(", ");
}

function namedCalls(calls: readonly PastCall[]): string[] {
  const named = calls.slice(0, mostNamed).map(({ summary, session, callId, verdict }) => {
    const how = verdict?.decision === "ask" ? "asked" : "not asked";
    return cleanLine(`${summary}  ·  ${how}, ${session} ${callId}`);
  });
  return calls.length > mostNamed ? [...named, `and ${calls.length - mostNamed} more`] : named;
}
