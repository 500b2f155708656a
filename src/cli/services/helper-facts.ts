import { amountOf } from "../../core/amount.ts";
import type { HelperInfo } from "../../records/helpers.ts";
import { costText, spokenTokens } from "../print/figures.ts";
import { helpersText } from "../print/helper-words.ts";

/** Of many helpers only those that took the most are named. */
const mostHelpers = 8;

/** What the session's helpers took beside it: together, and who how much. */
export function helperFacts(helpers: readonly HelperInfo[]): [string, string][] {
  if (helpers.length === 0) return [];
  const took = (one: HelperInfo): number => one.inputTokens + one.outputTokens;
  const sum = (of: (one: HelperInfo) => number): number => helpers.reduce((total, one) => total + of(one), 0);
  const named = helpers.toSorted((one, other) => took(other) - took(one)).slice(0, mostHelpers);
  const more = helpers.length - named.length;
  const known = helpers.flatMap(({ cost }) => cost ?? []);
  const cost = known.length === 0 ? "" : `, which cost ${costText(amountOf(known.reduce((all, one) => all + one, 0)))}`;
  const together = `${spokenTokens(sum((one) => one.inputTokens))} read, ${spokenTokens(sum((one) => one.outputTokens))} written${cost}`;
  return [
    ["helpers", `${helpersText(helpers)}: ${together}; /agents shows them`],
    ...named.map((one): [string, string] => [
      "",
      `${one.agent}: ${spokenTokens(took(one))} tokens in ${one.steps} step${one.steps === 1 ? "" : "s"}`,
    ]),
    ...(more === 0 ? [] : ([["", `and ${more} more`]] as [string, string][])),
  ];
}
