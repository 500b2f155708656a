import { amountOf } from "./amount.ts";

/** The tokens that requests took, and their cost. */
interface Taken {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost?: number;
  unpriced: number;
}

/** Sums up the tokens and costs of several. */
export function summedSpent(rows: readonly Taken[]): Taken {
  const known = rows.flatMap(({ cost }) => cost ?? []);
  const sum = (of: (row: Taken) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    inputTokens: sum((row) => row.inputTokens),
    cachedTokens: sum((row) => row.cachedTokens),
    outputTokens: sum((row) => row.outputTokens),
    unpriced: sum((row) => row.unpriced),
    ...(known.length === 0 ? {} : { cost: amountOf(known.reduce((total, cost) => total + cost, 0)) }),
  };
}
