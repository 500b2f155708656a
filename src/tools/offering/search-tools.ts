import { z } from "zod";
import { type ToolCallInfo, toolSearchName } from "../../core/call.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { oneLine } from "../../core/fence.ts";
import { isJsonObject } from "../../core/json.ts";
import { weightOf } from "../../core/token-weight.ts";
import { defineTool, type Tool } from "../../core/tool.ts";
import { asBuiltIn } from "../built-in.ts";
import { plainToolSchema } from "../use/schema.ts";

const args = z.strictObject({
  query: z.string().min(1).max(500).describe("Words for what is to be done, or names of tools."),
});

/** Tools that one search tells. */
const mostFound = 8;
/** Characters of names in the description. */
const mostNames = 8_000;

const head =
  "Finds tools of the person's servers, which are too many to be described all at once. What it finds can be called from the next message on. Their names:";

/**
 * The tool by which a model finds the tools that are not described to it. It changes nothing and asks nothing; a call of what it found is
 * judged as ever. @param all the session's tools as they are now
 */
export function createSearchTool(all: () => readonly Tool[]): Tool {
  const searched = () => all().filter(({ searchable }) => searchable === true);
  return asBuiltIn(
    defineTool({
      name: toolSearchName,
      description: () => `${head}\n${namesIn(searched())}`,
      args,
      risk: "low",
      effect: "none",
      display: {
        en: { name: "Find tools", params: { query: "For" } },
        zh: { name: "查找工具", params: { query: "内容" } },
      },
      execute: ({ query }) => {
        const found = findTools(searched(), query);
        if (found.length === 0)
          throw new ToolRefusal("NOT_FOUND", `no tool has anything of ${JSON.stringify(query)}: try other words`);
        return {
          output: `From the next message on you can call:\n${found.map(lineOf).join("\n")}`,
          title: `${found.length === 1 ? "1 tool" : `${found.length} tools`} for ${oneLine(query)}`,
          metadata: { tools: found.map(({ name }) => name) },
        };
      },
    }),
  );
}

/** Names that such a call made known. */
export function namesFound({ toolName, ...call }: ToolCallInfo): string[] {
  const metadata = toolName === toolSearchName && call.status === "success" ? call.result.metadata : undefined;
  const names = isJsonObject(metadata) ? metadata["tools"] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function namesIn(tools: readonly Tool[]): string {
  const lines: string[] = [];
  let room = mostNames;
  for (const { name } of tools) {
    room -= name.length + 2;
    if (room < 0) return `${lines.join(", ")}, and ${tools.length - lines.length} more`;
    lines.push(name);
  }
  return lines.join(", ");
}

const textOf = ({ description }: Tool): string => (typeof description === "string" ? description : "");

const lineOf = (tool: Tool): string => `${tool.name}: ${oneLine(textOf(tool)).slice(0, 200)}`;

/** Those that are named whole; else those whose names and descriptions have most of its words. */
function findTools(tools: readonly Tool[], query: string): Tool[] {
  const asked = new Set(query.split(/[\s,;"'`]+/u));
  const named = tools.filter(({ name }) => asked.has(name));
  if (named.length > 0) return named.slice(0, mostFound);
  const words = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ tool }) => tool);
}

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];

function scoreOf(tool: Tool, words: readonly string[]): number {
  const [name, text] = [tool.name.toLowerCase(), textOf(tool).toLowerCase()];
  return words.reduce((sum, word) => sum + (name.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0), 0);
}

/** Weighs the schema of this tool that a model is sent, as `weightOf` counts. */
export function weightOfTool(tool: Tool): number {
  const known = weights.get(tool);
  if (known !== undefined) return known;
  const isPlain = typeof tool.description === "string" && typeof tool.args !== "function";
  const weight = isPlain ? weightOf(JSON.stringify(plainToolSchema(tool))) : 0;
  weights.set(tool, weight);
  return weight;
}

/** A tool does not change, and each request asks for it. */
const weights = new WeakMap<Tool, number>();
