import { relative } from "node:path";
import type { PastCall } from "../../policy/suggest/past-call.ts";
import type { Suggestion } from "../../policy/suggest/suggestions.ts";
import { suggestions as words } from "../../words/en/suggestions.ts";
import { momentText } from "../print/moments.ts";
import { cleanLine } from "../ui/safe-text.ts";

/** So many calls are named; of more their number is said. */
const mostNamed = 5;

/** A day by the clock of this place, e.g. 2026-11-25. */
export const dayText = (at: number): string => momentText(at).slice(0, 10);

/** Returns the meaning of the rule, in one line: `allow shell: npm test`. */
export function ruleLine({ rule }: Pick<Suggestion, "rule">): string {
  const what = [rule.command, ...(rule.paths ?? []), ...(rule.hosts ?? [])].filter((one) => one !== undefined);
  return cleanLine(`${rule.decision} ${rule.tool}: ${what.join(", ")}`);
}

/** A suggestion as a person reads it before it is written: what was answered, where it would hold, and what else it would decide. */
export function suggestionLines(suggestion: Suggestion): string[] {
  const { rule, answered, decided, also } = suggestion;
  const said = rule.decision === "allow" ? words().saidYes : words().saidNo;
  const last = Math.max(...answered.map(({ at }) => at));
  return [
    ruleLine(suggestion),
    said({ times: answered.length, last: dayText(last), decided }),
    words().holds({ where: whereOf(rule) }),
    ...(also.length === 0
      ? [words().nothingElse]
      : [words().alsoDecides({ calls: also.length }), ...namedCalls(also).map((line) => `  ${line}`)]),
  ];
}

function whereOf({ workspace = "", cwd, piped, sandbox, scripts, paths, decision }: Suggestion["rule"]): string[] {
  const { in: inWorkspace, inFolder, anyChange, sandboxed, notPiped, whileAsNow } = words();
  const folder =
    cwd === undefined || cwd === "." ? inWorkspace({ folder: workspace }) : inFolder({ workspace, folder: cwd });
  return [
    cleanLine(folder),
    ...(paths !== undefined && decision === "allow" ? [anyChange] : []),
    ...(sandbox === true ? [sandboxed] : []),
    ...(piped === false ? [notPiped] : []),
    ...(scripts === undefined || scripts.length === 0
      ? []
      : [whileAsNow({ files: scripts.map(({ path }) => cleanLine(relative(workspace, path))) })]),
  ];
}

function namedCalls(calls: readonly PastCall[]): string[] {
  const named = calls.slice(0, mostNamed).map(({ summary, session, callId, verdict }) => {
    const how = verdict?.decision === "ask" ? words().asked : words().notAsked;
    return cleanLine(`${summary}  ·  ${how}, ${session} ${callId}`);
  });
  return calls.length > mostNamed ? [...named, words().more({ calls: calls.length - mostNamed })] : named;
}
