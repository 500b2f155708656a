import { amountOf } from "./amount.ts";

/** What requests took. */
interface Taken {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost?: number;
  unpriced: number;
}

/** What several took together. */
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
