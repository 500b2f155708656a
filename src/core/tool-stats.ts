/** The ends of the calls of one tool, over all sessions. A call that waits or runs now is not among them. */
export interface ToolStats {
  tool: string;
  /** The sum of the four ends. */
  calls: number;
  success: number;
  error: number;
  /** Denied, called off, or stopped while it ran. */
  cancelled: number;
  /** Its end was not seen. */
  interrupted: number;
  /** From 0 to 1: of the calls that came to an end of their own, success or error; null where none did. */
  successRate: number | null;
  /** Milliseconds of the runs whose start and end were seen, without the time in which a call waited for the person; null where there is none. */
  meanMs: number | null;
  /** 95 of 100 took no longer. */
  p95Ms: number | null;
  totalMs: number;
  /** The time when the last call began, or was asked for where none ever did; milliseconds since the epoch; null without calls. */
  lastUsed: number | null;
}

/** The figures that tools can be put in order by. */
export const statOrders = ["calls", "successRate", "meanMs", "p95Ms", "totalMs", "lastUsed"] as const;
export type StatOrder = (typeof statOrders)[number];

export const noCalls = (tool: string): ToolStats => ({
  tool,
  ...{ calls: 0, success: 0, error: 0, cancelled: 0, interrupted: 0 },
  ...{ successRate: null, meanMs: null, p95Ms: null, totalMs: 0, lastUsed: null },
});

/** Fewer calls say little of a tool. */
const fewCalls = 10;
const leastRate = 0.8;
const longMean = 5_000;

export type ToolMark = "failing" | "slow";

/** Returns the marks that a person should know of a tool: more than 10 calls, of which under 80 % succeeded, or more than 5 s a call. Pure. */
export function marksOf({ calls, successRate, meanMs }: ToolStats): ToolMark[] {
  const failing = calls > fewCalls && successRate !== null && successRate < leastRate;
  return [...(failing ? ["failing" as const] : []), ...(meanMs !== null && meanMs > longMean ? ["slow" as const] : [])];
}

/** Tools, those that were called most first; else as they were. Pure. */
export function byUse<T extends { readonly name: string }>(tools: readonly T[], stats: readonly ToolStats[]): T[] {
  const calls = new Map(stats.map((one) => [one.tool, one.calls]));
  return [...tools].sort((a, b) => (calls.get(b.name) ?? 0) - (calls.get(a.name) ?? 0));
}

/**
 * The same in another order: most, best, slowest or latest first, what has no such figure last; `ascending` turns it. Those of one figure
 * stay by name. Pure.
 */
export function orderStats(stats: readonly ToolStats[], by: StatOrder, ascending = false): ToolStats[] {
  const turn = ascending ? 1 : -1;
  return [...stats].sort((a, b) => {
    const [one, other] = [a[by], b[by]];
    if (one !== null && other !== null && one !== other) return turn * (one - other);
    if ((one === null) !== (other === null)) return one === null ? 1 : -1;
    return a.tool < b.tool ? -1 : 1;
  });
}
