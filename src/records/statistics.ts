import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadPart } from "../core/agent-packages.ts";
import { orderStats, type StatOrder, type ToolStats } from "../core/tool-stats.ts";
import type { CallFigures, CallFilter } from "../store/types.ts";

/** The part of an open store that figures are read from. Named by what is read alone, so that programs need no type of LangChain's for it. */
interface Counted {
  callFigures(filter?: CallFilter): CallFigures[];
}

/** Counts the outcomes of each tool's calls in all sessions, most calls first. @throws StoreFailure. */
export const statsOf = (store: Counted, filter: CallFilter = {}): ToolStats[] =>
  orderStats(store.callFigures(filter).map(statsFrom), "calls");

/** An open store, or the path of its file (`createAgent({ store })`), which may be one that cannot be written to. */
export type StatsStore = string | Counted;

/** The same for programs. @throws Error where there is no such file; StoreFailure, SessionBusy, MissingPackage. */
export async function toolStats(store: StatsStore, filter: CallFilter = {}): Promise<ToolStats[]> {
  if (typeof store !== "string") return statsOf(store, filter);
  const file = resolve(store);
  if (!existsSync(file)) throw new Error(`there is no store ${file}`);
  const { openStore, orToRead } = await loadPart(() => import("../store/open-store.ts"));
  const opened = await orToRead(file, () => openStore({ file }));
  try {
    return statsOf(opened, filter);
  } finally {
    opened.close();
  }
}

export interface TopOptions extends CallFilter {
  /** The most tools to list; 5 where nobody says. */
  limit?: number;
  /** Default `calls`. */
  by?: StatOrder;
  /** Fewest, worst, quickest or longest unused first. */
  ascending?: boolean;
}

/** The tools that come first in this order: by times the slowest. @throws as `toolStats`. */
export async function topTools(store: StatsStore, options: TopOptions = {}): Promise<ToolStats[]> {
  const { limit = 5, by = "calls", ascending = false, ...filter } = options;
  return orderStats(await toolStats(store, filter), by, ascending).slice(0, limit);
}

function statsFrom({ tool, success, error, cancelled, interrupted, used, runs }: CallFigures): ToolStats {
  const own = success + error;
  return {
    ...{ tool, calls: own + cancelled + interrupted, success, error, cancelled, interrupted },
    successRate: own === 0 ? null : rounded(success / own, 4),
    ...timesOf(runs),
    lastUsed: used,
  };
}

function timesOf(runs: readonly number[]): Pick<ToolStats, "meanMs" | "p95Ms" | "totalMs"> {
  if (runs.length === 0) return { meanMs: null, p95Ms: null, totalMs: 0 };
  const sorted = Float64Array.from(runs).sort();
  const totalMs = sorted.reduce((sum, ms) => sum + ms, 0);
  const p95Ms = sorted[Math.ceil(runs.length * 0.95) - 1] ?? null;
  return { meanMs: rounded(totalMs / runs.length, 1), p95Ms, totalMs };
}

const rounded = (value: number, places: number): number => Number(value.toFixed(places));
