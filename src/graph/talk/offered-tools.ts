import { toolSearchName } from "../../core/call.ts";
import { charactersPerToken } from "../../core/token-weight.ts";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { isEndTool } from "../../tools/ending/end-tools.ts";
import { isPlanTool } from "../../tools/goals/present-plan.ts";
import { weightOfTool } from "../../tools/offering/search-tools.ts";
import type { OfferChange } from "../../tools/tool-catalogue.ts";
import { parameterProblem } from "../../tools/use/fill-in.ts";
import { offeredSchema } from "../../tools/use/offered-shape.ts";
import { type ToolSchema, toolSchema } from "../../tools/use/schema.ts";
import { isOfferedAt } from "../../tools/use/url-patterns.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import { outputOf } from "../output.ts";
import type { Runtime } from "../runtime.ts";
import { isPlanning } from "./prompt/planning.ts";

// Keeps graph 25.
/**
 * Lists the tools that the model is offered in this turn, on the page that was last seen to be open. Where the definitions of those that can be
 * searched for would take too much of its window, only those are there that its own calls have found, and the tool that finds them.
 */
export function offered(runtime: Runtime, turn: number): Tool[] {
  const { catalogue, journal, toolChoice, endTools, page } = runtime;
  const mayEnd = endTools || toolChoice === "required" || outputOf(journal, turn) !== undefined;
  const tools = catalogue
    .all()
    .filter((tool) => tool.audience !== "person" && isOfferedAt(tool.urlPatterns, page?.url))
    .filter((tool) => mayEnd || !isEndTool(tool))
    .filter((tool) => isPlanning(runtime) || !isPlanTool(tool));
  const weight = tools.reduce((sum, tool) => sum + (tool.searchable === true ? weightOfTool(tool) : 0), 0);
  if (weight <= mostSearchable(runtime.model.contextWindow)) return tools.filter(({ name }) => name !== toolSearchName);
  const found = runtime.foundTools();
  return tools.filter(({ name, searchable }) => searchable !== true || found.has(name));
}

/** Returns the most that definitions of tools that can be searched for may take, as `weightOf` counts; the window is in tokens. */
const mostSearchable = (window = 128_000): number => (window / 10) * charactersPerToken;

/** Tools that could not be described when they were last asked: they are not offered. */
const broken = new WeakSet<Tool>();

export const isDescribed = (tool: Tool): boolean => !broken.has(tool);

/** Makes the definitions of the tools that are sent to the model. One that cannot be described is left out of this request, and told once. */
export async function offeredSchemas(
  runtime: Runtime,
  tools: readonly Tool[],
  ctx: ToolContext,
): Promise<ToolSchema[]> {
  const made = await Promise.all(tools.map((tool) => schemaOf(runtime, tool, ctx)));
  return made.filter((schema) => schema !== undefined);
}

async function schemaOf(runtime: Runtime, tool: Tool, ctx: ToolContext): Promise<ToolSchema | undefined> {
  const leave = (why: string): undefined => {
    const isNew = isDescribed(tool);
    broken.add(tool);
    const text = turnNotices.toolLeftOut({ tool: tool.name, why });
    if (isNew) runtime.emit({ type: "notice", code: "tool_left_out", text });
  };
  try {
    const problem = parameterProblem(tool, ctx.uid);
    if (problem !== undefined) return leave(problem);
    const schema = offeredSchema(await toolSchema(tool, ctx));
    broken.delete(tool);
    return schema;
  } catch (error) {
    if (ctx.signal.aborted) return undefined;
    return leave(`it could not be described: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** On the stored message that answers the first request with other tools than those before it: which came and which went. */
const offerMark = "offer_change";

export const markOffer = (change: OfferChange | undefined) => (change === undefined ? {} : { [offerMark]: change });

/** Once it is stored. */
export function tellOffer({ catalogue, emit }: Runtime, change: OfferChange | undefined): void {
  if (change === undefined) return;
  catalogue.noteOffer();
  const { added, removed } = change;
  const text = [
    ...(added.length === 0 ? [] : [turnNotices.newTools({ tools: added })]),
    ...(removed.length === 0 ? [] : [turnNotices.goneTools({ tools: removed })]),
  ].join("; ");
  emit({ type: "notice", code: "tools_changed", text });
}
