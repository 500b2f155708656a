import { amountOf } from "../../core/amount.ts";
import type { HelperInfo } from "../../records/helpers.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { costText, spokenTokens } from "../print/figures.ts";
import { helpersText } from "../print/helper-words.ts";

/** Of many helpers only those that took the most are named. */
const mostHelpers = 8;

/** Tells how much the session's helpers took beside it: together, and each of them. */
export function helperFacts(helpers: readonly HelperInfo[]): [string, string][] {
  if (helpers.length === 0) return [];
  const took = (one: HelperInfo): number => one.inputTokens + one.outputTokens;
  const sum = (of: (one: HelperInfo) => number): number => helpers.reduce((total, one) => total + of(one), 0);
  const named = helpers.toSorted((one, other) => took(other) - took(one)).slice(0, mostHelpers);
  const more = helpers.length - named.length;
  const known = helpers.flatMap(({ cost }) => cost ?? []);
  const cost = known.length === 0 ? undefined : costText(amountOf(known.reduce((all, one) => all + one, 0)));
  const tokens = (of: (one: HelperInfo) => number): string => spokenTokens(sum(of));
  const [read, written] = [tokens((one) => one.inputTokens), tokens((one) => one.outputTokens)];
  const together = cellWords().helpersTogether({ read, written, cost });
  return [
    [cellWords().helpersFact, cellWords().helpersAll({ helpers: helpersText(helpers), together })],
    ...named.map((one): [string, string] => [
      "",
      cellWords().helperTook({ agent: one.agent, tokens: spokenTokens(took(one)), steps: one.steps }),
    ]),
    ...(more === 0 ? [] : ([["", cellWords().more({ count: more })]] as [string, string][])),
  ];
}
