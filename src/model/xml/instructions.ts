import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { inOneLine } from "../../core/linear-text.ts";
import { resolveRef } from "../../tools/use/coerce.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { formatCall } from "./format-calls.ts";
import { type DescribedTool, requiredOf, schemasOf } from "./parse-calls.ts";
import { parametersOf } from "./typed-values.ts";

const form = `# Calling tools

You call a tool by writing XML in your message, as plain text on lines of its own, never in a code fence, a quote, a list or a comment:

<tool_call>
  <name>TOOL</name>
  <params>
    <PARAMETER><![CDATA[VALUE]]></PARAMETER>
  </params>
</tool_call>

- Put each value into CDATA, exactly as it is meant: nothing in it is escaped. Only ]]> is written in two parts: ]]]]><![CDATA[>
- Numbers, true, false and null are written as in JSON; arrays and objects are JSON.
- Leave out optional parameters that you do not need.
- A message may hold several calls, which run in their order. Write nothing after the last one: what came of each is in the next message, in <tool_result>.
- A message without a call ends your turn.`;

/**
 * Writes the instructions for calling these tools in XML, for the prompt of a model without function calling.
 * @throws TypeError for a tool that is described only in a session: give what `toolSchema` makes of it.
 */
export const formatXmlInstructions = (tools: readonly DescribedTool[]): string =>
  [
    form,
    ...schemasOf(tools).map((tool) => [...described(tool, "## ", ""), "Example:", exampleOf(tool)].join("\n")),
  ].join("\n\n");

/**
 * Describes the tools and what they take, in Markdown, without a word on how they are called.
 * @throws TypeError as `formatXmlInstructions`.
 */
export function formatMarkdownInstructions(tools: readonly DescribedTool[]): string {
  const schemas = schemasOf(tools);
  const head = `# Available Tools\n\nYou have access to the following ${schemas.length} tool(s):`;
  return [head, ...schemas.map((tool) => described(tool, "## ", "\n").join("\n"))].join("\n\n");
}

function described(tool: ToolSchema, mark: string, gap: string): string[] {
  const required = new Set(requiredOf(tool));
  const lines = [...parametersOf(tool)].map(([name, schema]) =>
    parameterLine(name, schema, required.has(name), tool.parameters),
  );
  const { definitions, $defs, anyOf, oneOf } = tool.parameters;
  const more: JsonObject = Object.fromEntries(
    Object.entries({ definitions, $defs, anyOf, oneOf }).filter(([, part]) => part !== undefined),
  ) as JsonObject;
  return [
    `${mark}${tool.name}`,
    `Description: ${tool.description}`,
    `${gap}${lines.length === 0 ? "Parameters: none" : "Parameters:"}`,
    ...lines,
    ...(Object.keys(more).length === 0 ? [] : [`As JSON Schema: ${JSON.stringify(more)}`]),
  ];
}

function parameterLine(name: string, schema: Json, required: boolean, root: JsonObject): string {
  const about = isJsonObject(schema) ? schema : {};
  const { description, default: fallback } = about;
  const optional = fallback === undefined ? "optional" : `optional, default ${JSON.stringify(fallback)}`;
  const says = typeof description === "string" ? ` - ${inOneLine(description)}` : "";
  return `  - ${name}: ${typeText(schema, root)} (${required ? "required" : optional})${says}`;
}

/** A type in a word where one is enough, else as JSON Schema. */
function typeText(schema: Json, root: JsonObject): string {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted)) return "any JSON value";
  const { type, items, enum: allowed, const: only, anyOf, oneOf } = wanted;
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return [...new Set(options.map((one) => typeText(one, root)))].join(" or ");
  if (Array.isArray(allowed)) return `one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}`;
  if (only !== undefined) return `always ${JSON.stringify(only)}`;
  if (type === "array") return `array of ${items === undefined ? "any JSON value" : typeText(items, root)}, as JSON`;
  if (type === "object") {
    const { description: _text, default: _value, ...shape } = wanted;
    return wanted["properties"] === undefined
      ? "object, as JSON"
      : `object, as JSON of this schema: ${JSON.stringify(shape)}`;
  }
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "any JSON value";
}

/** A call with what is required, or with the first parameter where nothing is. */
function exampleOf(tool: ToolSchema): string {
  const all = parametersOf(tool);
  const needed = requiredOf(tool);
  const names = needed.length > 0 ? needed : [...all.keys()].slice(0, 1);
  const params = names.map((name) => [name, exampleValue(name, all.get(name), tool.parameters, 0)] as const);
  return formatCall(tool.name, Object.fromEntries(params), tool);
}

const examples: Record<string, Json> = { integer: 1, number: 1.5, boolean: true, null: null };

function exampleValue(name: string, schema: Json | undefined, root: JsonObject, depth: number): Json {
  const wanted = resolveRef(schema, root);
  if (!isJsonObject(wanted) || depth > 5) return `your ${name}`;
  const {
    examples: given,
    default: fallback,
    enum: allowed,
    const: only,
    anyOf,
    oneOf,
    type,
    items,
    properties,
  } = wanted;
  const ready = [...(Array.isArray(given) ? given : []), fallback, only, ...(Array.isArray(allowed) ? allowed : [])];
  const found = ready.find((one) => one !== undefined);
  if (found !== undefined) return found;
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return exampleValue(name, options[0], root, depth + 1);
  const first = Array.isArray(type) ? type[0] : type;
  if (first === "array") return [exampleValue("item", items, root, depth + 1)];
  if (first === "object") return exampleObject(isJsonObject(properties) ? properties : {}, wanted, root, depth);
  return typeof first === "string" && first in examples ? (examples[first] ?? null) : `your ${name}`;
}

function exampleObject(properties: JsonObject, { required }: JsonObject, root: JsonObject, depth: number): JsonObject {
  const needed = Object.entries(properties).filter(([key]) => Array.isArray(required) && required.includes(key));
  return Object.fromEntries(needed.map(([key, field]) => [key, exampleValue(key, field, root, depth + 1)]));
}
