import { type ZodType, z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolArgs, ToolContext } from "../../core/tool.ts";
import { looking } from "./look-time.ts";
import { visibleShape } from "./visible-shape.ts";

/** A tool as the model sees it. */
export interface ToolSchema {
  name: string;
  description: string;
  /** JSON Schema (draft 7) of the visible arguments. */
  parameters: JsonObject;
}

/** Returns the arguments that a tool takes, by zod or JSON Schema. Those that are a function of the context are worked out once a turn. */
export function argumentsOf(tool: Tool, ctx: ToolContext): ToolArgs<unknown> | Promise<ToolArgs<unknown>> {
  const { args } = tool;
  return typeof args === "function"
    ? onceATurn(tool, ctx, "args", () => looking(tool, ctx, async () => args(ctx)))
    : args;
}

/** JSON Schema of what the tool takes, hidden fields included. */
export const shapeOf = (args: ToolArgs<unknown>): JsonObject =>
  "jsonSchema" in args ? args.jsonSchema : jsonSchemaOf(args);

function descriptionOf(tool: Tool, ctx: ToolContext): string | Promise<string> {
  const { description } = tool;
  return typeof description === "function"
    ? onceATurn(tool, ctx, "description", () => looking(tool, ctx, async () => description(ctx)))
    : description;
}

interface WorkedOut {
  turn: string;
  description?: Promise<string>;
  args?: Promise<ToolArgs<unknown>>;
}

/** The values that the functions of a tool last gave: the model is sent them, and its calls are parsed by them, for a whole turn. */
const workedOut = new WeakMap<Tool, WorkedOut>();

/** Outside a session there are no turns: then it is worked out each time. A failure is not kept. */
function onceATurn<Key extends "description" | "args">(
  tool: Tool,
  { sessionId, stepId }: ToolContext,
  key: Key,
  work: () => NonNullable<WorkedOut[Key]>,
): NonNullable<WorkedOut[Key]> {
  if (sessionId === "" || stepId === "") return work();
  const turn = `${sessionId}/${stepId.split(".", 1)[0]}`;
  const last = workedOut.get(tool);
  const current: WorkedOut = last?.turn === turn ? last : { turn };
  workedOut.set(tool, current);
  const known = current[key];
  if (known !== undefined) return known;
  const made = work();
  current[key] = made;
  made.catch(() => delete current[key]);
  return made;
}

/**
 * JSON Schema of what a zod schema accepts. Objects that name their fields are closed (`additionalProperties: false`)
 * unless the schema is a loose one; what JSON Schema cannot say (a Date, a transform) accepts anything there.
 */
function jsonSchemaOf(schema: ZodType): JsonObject {
  const known = converted.get(schema);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(schema, { io: "input", target: "draft-7", unrepresentable: "any" });
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(made)) as JsonObject;
  const result = closed(plain) as JsonObject;
  converted.set(schema, result);
  return result;
}

/** A schema does not change, and each request to the model and each call needs it. */
const converted = new WeakMap<ZodType, JsonObject>();

/**
 * Makes the schema of a tool that is sent to the model. Hidden fields are left out, and fields that are filled in when absent are not
 * required. Throws what the tool's own functions throw: a defect of the tool.
 */
export async function toolSchema(tool: Tool, ctx: ToolContext): Promise<ToolSchema> {
  return described(tool, await descriptionOf(tool, ctx), await argumentsOf(tool, ctx));
}

/**
 * The same, without a context.
 * @throws TypeError for a tool whose description or arguments are functions of one.
 */
export function plainToolSchema(tool: Tool): ToolSchema {
  const { name, description, args } = tool;
  if (typeof description === "function" || typeof args === "function")
    throw new TypeError(
      `${name} is described by functions of a context: give what toolSchema(tool, context) makes of it`,
    );
  return described(tool, description, args);
}

function described(tool: Tool, description: string, args: ToolArgs<unknown>): ToolSchema {
  const parameters = visibleShape(tool, shapeOf(args));
  const last = lastDescribed.get(tool);
  if (last?.parameters === parameters && last.description === description) return last;
  const schema = { name: tool.name, description, parameters };
  lastDescribed.set(tool, schema);
  return schema;
}

/** Each request asks for it, and what is worked out of it is kept by the object. */
const lastDescribed = new WeakMap<Tool, ToolSchema>();

/** The keys under which a schema keeps instance data or names, not schemas. */
const literal = new Set(["enum", "const", "default", "examples", "required"]);

function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key, value]) => !isSafeIntegerBound(key, value) && !isAnyName(key, value))
    .map(([key, value]) => [key, keepOrClose(key, value)] as const);
  const copy: JsonObject = Object.fromEntries(entries);
  const names = isJsonObject(copy["properties"]) && copy["type"] === "object";
  return names && copy["additionalProperties"] === undefined ? { ...copy, additionalProperties: false } : copy;
}

/** Every name is a text. */
const isAnyName = (key: string, value: Json): boolean =>
  key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}';

/** `properties` and the like map names to schemas: a field that is itself called "enum" is a schema all the same. */
const maps = new Set(["properties", "definitions", "$defs", "patternProperties"]);

function keepOrClose(key: string, value: Json): Json {
  if (literal.has(key)) return value;
  // A closed part of an intersection would refuse the fields of the other parts.
  if (key === "allOf" && Array.isArray(value)) return value.map((part) => reopened(part));
  if (!maps.has(key) || !isJsonObject(value)) return closed(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
}

function reopened(part: Json): Json {
  const copy = closed(part);
  if (!isJsonObject(part) || !isJsonObject(copy) || part["additionalProperties"] !== undefined) return copy;
  const { additionalProperties: _, ...open } = copy;
  return open;
}

/** zod bounds every integer by what a double holds; that says nothing to a model and costs tokens in each request. */
const isSafeIntegerBound = (key: string, value: Json): boolean =>
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER);
