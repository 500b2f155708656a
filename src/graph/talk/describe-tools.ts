import type { JsonObject } from "../../core/json.ts";
import { effectOf, type RiskLevel, type Tool } from "../../core/tool.ts";
import { riskOf } from "../../policy/risk-table.ts";
import type { RiskSettings } from "../../policy/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import { createToolContext } from "../../tools/use/run-tool.ts";
import { toolSchema } from "../../tools/use/schema.ts";

/** One line of `agent tools`. */
export interface ToolRow {
  name: string;
  source: string;
  category?: string;
  risk: RiskLevel;
  effect: string;
  description: string;
  schema: JsonObject;
  endsTurn: boolean;
  /** The cost of its schema in each request, in tokens, about. */
  tokens: number;
}

interface DescribeOptions {
  risks?: RiskSettings | undefined;
  /** The id by which the tools know the person. */
  uid?: string | undefined;
  sourceOf?(tool: Tool): string;
}

/** Each tool as a person reads of it. */
export async function describeTools(
  tools: readonly Tool[],
  workspace: string,
  { risks, uid, sourceOf = plainSource }: DescribeOptions = {},
): Promise<ToolRow[]> {
  const ctx = createToolContext({ workspace, ...(uid === undefined ? {} : { uid }) });
  return Promise.all(
    tools.map(async (tool) => {
      const schema = await toolSchema(tool, ctx);
      return {
        name: tool.name,
        source: sourceOf(tool),
        ...(tool.category === undefined ? {} : { category: tool.category }),
        risk: riskOf(askedOf(tool), risks).risk,
        effect: effectOf(tool),
        description: schema.description,
        schema: schema.parameters,
        endsTurn: tool.endsTurn !== undefined && tool.endsTurn !== false,
        tokens: Math.ceil(JSON.stringify(schema).length / 4),
      };
    }),
  );
}

/** Returns the source of a tool where it is not known who brought it. */
const plainSource = (tool: Tool): string => (isBuiltIn(tool) ? "builtin" : "sdk");

const askedOf = (tool: Tool) => ({
  tool: tool.name,
  effect: effectOf(tool),
  ...(tool.risk === undefined ? {} : { risk: tool.risk }),
  ...(isBuiltIn(tool) ? {} : { own: true as const }),
});
