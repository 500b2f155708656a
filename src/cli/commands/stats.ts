import { jsonLine } from "../../core/json-line.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { marksOf, noCalls, orderStats, type StatOrder, statOrders, type ToolStats } from "../../core/tool-stats.ts";
import { statsOf } from "../../records/statistics.ts";
import type { Store } from "../../store/types.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { statistics as statWords } from "../../words/en/statistics.ts";
import type { Composition } from "../composition.ts";
import { type CostRow, costRows } from "../print/cost-rows.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { statRows } from "../print/stat-rows.ts";
import { CliProblem } from "../problem.ts";
import { sinceFrom } from "../since.ts";

/** The question about the figures, as it was typed. */
interface StatsRequest {
  tool: string | undefined;
  top: number | undefined;
  by: StatOrder;
  ascending: boolean;
  /** Milliseconds since the epoch, and as it was typed. */
  since: { at: number; typed: string } | undefined;
}

/** `agent stats`: how tools did, or with `--cost` what sessions took. @throws CliProblem usage. */
export async function showStats(composition: Composition, options: Record<string, unknown>): Promise<number> {
  const asked = askedOf(options);
  const store = await composition.reading();
  return options["cost"] === true ? showCost(composition, store, asked) : showTools(composition, store, asked);
}

function askedOf(options: Record<string, unknown>): StatsRequest {
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const [tool, top, by, since] = ["tool", "top", "by", "since"].map(text);
  if (options["cost"] === true && (tool ?? by) !== undefined)
    throw new CliProblem("usage", statWords().ofTools({ flag: tool === undefined ? "by" : "tool" }), {
      hint: statWords().ofToolsHint,
    });
  return {
    tool,
    top: top === undefined ? undefined : topFrom(top),
    by: by === undefined ? "calls" : orderFrom(by),
    ascending: options["asc"] === true,
    since: since === undefined ? undefined : { at: sinceFrom(since, Date.now()), typed: since },
  };
}

function topFrom(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CliProblem("usage", statWords().top({ text }));
}

function orderFrom(text: string): StatOrder {
  const found = statOrders.find((order) => order === text);
  if (found !== undefined) return found;
  throw new CliProblem("usage", statWords().by({ orders: statOrders, text }));
}

async function showTools({ io, flags }: Composition, store: Store, asked: StatsRequest): Promise<number> {
  const { tool, top, by, ascending, since } = asked;
  const found = statsOf(store, { since: since?.at, tool });
  const all = tool !== undefined && found.length === 0 ? [noCalls(tool)] : found;
  const rows = orderStats(all, by, ascending).slice(0, top);
  if (flags.json === true) {
    for (const row of rows) io.stdout.write(jsonLine(statLine(row)));
    return 0;
  }
  if (found.length === 0) {
    const near =
      tool === undefined
        ? undefined
        : nearestName(
            tool,
            statsOf(store).map((one) => one.tool),
          );
    const meant = near === undefined || near === tool ? "" : statWords().near({ name: near });
    const text = statWords().noCalls({ of: tool, since: since?.typed, near: meant });
    await printRows(io, [[span(text)]]);
    return 0;
  }
  await printRows(io, statRows(rows, { by, width: pageOf(io).width, now: Date.now(), utc: flags.utc === true }));
  return 0;
}

/** As other programs read it: times of day as ISO. */
function statLine(stats: ToolStats) {
  const { lastUsed, ...figures } = stats;
  const marks = marksOf(stats);
  return {
    ...figures,
    lastUsed: lastUsed === null ? null : new Date(lastUsed).toISOString(),
    ...(marks.length > 0 && { marks }),
  };
}

async function showCost({ io, flags }: Composition, store: Store, asked: StatsRequest): Promise<number> {
  const { top, ascending, since } = asked;
  const all = costsOf(store, since?.at);
  const ordered = (ascending ? all.toReversed() : all).slice(0, top);
  if (flags.json === true) {
    for (const row of ordered) io.stdout.write(jsonLine(row));
    return 0;
  }
  if (all.length === 0) {
    io.stdout.write(
      `${since === undefined ? cellWords().noReplies : cellWords().noRepliesSince({ since: since.typed })}\n`,
    );
    return 0;
  }
  await printRows(io, costRows(ordered, all, pageOf(io).width));
  return 0;
}

/** The dearest first, then by tokens. */
function costsOf(store: Store, since: number | undefined): CostRow[] {
  const spent = store.spent(since);
  return store.sessions
    .list()
    .flatMap(({ id, title, workspace }) => {
      const of = spent.get(id);
      return of === undefined ? [] : [{ session: id, title, workspace, ...of }];
    })
    .sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.inputTokens + b.outputTokens - (a.inputTokens + a.outputTokens));
}
