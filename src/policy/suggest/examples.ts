import { escapeWords } from "../../tools/shell/reading/argv-pattern.ts";
import { hostText } from "../hosts.ts";
import { judgedPaths } from "../names.ts";
import type { PastCall } from "./past-call.ts";
import type { SuggestedRule } from "./rule-of.ts";

/** So many of each kind are read. */
const most = 3;

/** Gives examples of a rule: calls that it means, and of calls like them those that it does not mean, then the next thing beside it. */
export function examplesOf(rule: SuggestedRule, others: readonly PastCall[]): { match: string[]; notMatch: string[] } {
  const { command, paths, hosts } = rule;
  if (command !== undefined) {
    const beside = [`${command} more`, ...(rule.piped === false ? [`cat a.txt | ${command}`] : [])];
    return { match: [command], notMatch: [...linesLike(command, others).slice(0, most - 1), ...beside] };
  }
  if (paths !== undefined) {
    const seen = others.flatMap(({ facts }) => judgedPaths(facts).map(({ path }) => path));
    const plain = paths.filter((path) => !path.includes("\\"));
    const beside = plain.map((path) => `${path}.new`);
    return { match: plain, notMatch: besides([...seen, ...beside], paths) };
  }
  const seen = others.flatMap(({ facts }) => facts.hosts.map(hostText));
  return {
    match: hosts ?? [],
    notMatch: besides([...seen, ...(hosts ?? []).map((host) => `other.${host}`)], hosts ?? []),
  };
}

const besides = (found: readonly string[], meant: readonly string[]): string[] =>
  [...new Set(found)].filter((one) => !meant.includes(one)).slice(0, most);

/** Other commands of the same program. */
function linesLike(command: string, others: readonly PastCall[]): string[] {
  const [program = ""] = command.split(" ");
  const lines = others.flatMap(({ facts }) =>
    facts.commands.flatMap(({ argv }) => {
      const words = argv.filter((word) => word !== null);
      return words.length === argv.length ? [escapeWords(words)] : [];
    }),
  );
  return [...new Set(lines)].filter((line) => line !== command && line.split(" ")[0] === program && line.length < 200);
}
