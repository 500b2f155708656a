import type { JsonObject } from "../../core/json.ts";
import { effectOf, type Tool } from "../../core/tool.ts";
import { riskOf } from "../../policy/risk-table.ts";
import { createToolContext } from "../../tools/run-tool.ts";
import { toolSchema } from "../../tools/schema.ts";

/** One line of `agent tools`. */
export interface ToolRow {
  name: string;
  source: string;
  risk: string;
  effect: string;
  description: string;
  schema: JsonObject;
  endsTurn: boolean;
  /** What its schema costs in each request, about. */
  tokens: number;
}

/** Each tool as a person reads of it. */
export async function describeTools(tools: readonly Tool[], workspace: string): Promise<ToolRow[]> {
  const ctx = createToolContext({ workspace });
  return Promise.all(
    tools.map(async (tool) => {
      const schema = await toolSchema(tool, ctx);
      return {
        name: tool.name,
        source: "builtin",
        risk: riskOf(tool.name, effectOf(tool), tool.risk).risk,
        effect: effectOf(tool),
        description: schema.description,
        schema: schema.parameters,
        endsTurn: tool.endsTurn !== undefined && tool.endsTurn !== false,
        tokens: Math.ceil(JSON.stringify(schema).length / 4),
      };
    }),
  );
}
