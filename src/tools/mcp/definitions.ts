import { z } from "zod";
import { canonicalJson, isJsonObject, type Json, type JsonObject, sha256 } from "../../core/json.ts";
import { schemaProblem } from "../../core/json-schema/keywords.ts";
import { limits } from "../../core/limits.ts";
import { holdsUnseen } from "../../core/unseen.ts";
import { visibleText } from "../use/visible-text.ts";
import { mirroredIn } from "./modern/mirrored-headers.ts";

/** A tool of a server as a person was shown it and the model is told of it, and what shows that it is another one. */
export const toolDefinition = z.strictObject({
  /** As the server calls it. */
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.json()),
  /** The reason why its arguments are not checked here, in words: then the schema is that of any object. */
  unchecked: z.string().optional(),
  /** Of what the server says, letter for letter. */
  said: z.strictObject({ description: z.string(), schema: z.string() }),
});
export type ToolDefinition = Omit<z.infer<typeof toolDefinition>, "inputSchema"> & { inputSchema: JsonObject };

/** The tools that a server offers, and those of them that cannot be used, each with the reason in words. */
export interface ServerTools {
  tools: ToolDefinition[];
  leftOut: { name: string; why: string }[];
}

const listedTool = z.looseObject({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.json()),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
});

/**
 * One that cannot be used costs none of the others.
 * @param how `only`: those that its entry names, where it names some; `mirrors`: arguments go into headers, too, where a schema says so
 */
export function readTools(
  listed: readonly Json[],
  { only, mirrors = false }: { only?: readonly string[] | undefined; mirrors?: boolean } = {},
): ServerTools {
  const found: ServerTools = { tools: [], leftOut: [] };
  const names = new Set<string>();
  for (const [index, one] of listed.entries()) {
    const read = readTool(one, mirrors);
    const name = isJsonObject(one) && typeof one["name"] === "string" ? one["name"].slice(0, 256) : `tool ${index + 1}`;
    const leave = (why: string): void => void found.leftOut.push({ name, why });
    if (only?.includes(name) === false) leave("its entry does not name it among its tools");
    else if (typeof read === "string") leave(read);
    else if (names.has(name)) leave("the server has two tools of this name");
    else if (found.tools.length >= limits.mcpTools.most)
      leave(`the server has more than ${limits.mcpTools.most} tools`);
    else found.tools.push(read);
    names.add(name);
  }
  return found;
}

function readTool(listed: Json, mirrors: boolean): ToolDefinition | string {
  const read = listedTool.safeParse(listed);
  if (!read.success) return `its definition cannot be read (${read.error.issues[0]?.path.join(".") ?? ""})`;
  const { name, description = "", inputSchema, execution } = read.data;
  if (execution?.taskSupport === "required") return "it is for tasks alone, and this version has none";
  const schema = inputSchema as JsonObject;
  const mirrored = mirrors ? mirroredIn(schema) : "";
  if (typeof mirrored === "string" && mirrored !== "") return mirrored;
  const depth = depthOf(schema, limits.mcpSchemaDepth.most);
  if (depth < 0 || Buffer.byteLength(JSON.stringify([name, description, schema])) <= limits.mcpToolText.most) {
    const usable = depth < 0 ? { unchecked: "its schema is too deep" } : usableSchema(schema);
    return {
      name,
      description: visibleText(description),
      inputSchema: anyObject,
      ...usable,
      said: {
        description: sha256(description),
        schema: depth < 0 ? sha256(JSON.stringify(schema)) : sha256(canonicalJson(schema)),
      },
    };
  }
  return `its definition has more than ${limits.mcpToolText.most / 1000} kB`;
}

const anyObject: JsonObject = { type: "object", properties: {}, additionalProperties: true };

/** As the server wrote it, where it can be checked by; any object where not, so that it costs no other tool its place in a request. */
function usableSchema(schema: JsonObject): Pick<ToolDefinition, "inputSchema"> | { unchecked: string } {
  const { type = "object" } = schema;
  if (type !== "object") return { unchecked: "its schema is not that of an object" };
  const problem = schemaProblem({ type, ...schema });
  if (problem !== undefined) return { unchecked: problem.slice(0, 200) };
  const shown = shownSchema({ ...schema, type, ...openOf(schema) });
  return isVisible(shown) ? { inputSchema: shown } : { unchecked: "its schema has signs in it that nobody sees" };
}

/** The keywords of a schema that only explain it, and may be told in other words. */
const explaining = new Set(["title", "description", "$comment"]);

/** The same with nothing in its explanations that a person does not see. */
function shownSchema<T extends Json>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(shownSchema) as T;
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    explaining.has(name) && typeof value === "string" ? visibleText(value) : shownSchema(value),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Tells whether a person sees all of it as it is printed, names, values and patterns too. */
function isVisible(schema: Json): boolean {
  if (typeof schema === "string") return !holdsUnseen(schema);
  if (typeof schema !== "object" || schema === null) return true;
  return Object.entries(schema).every(([name, value]) => !holdsUnseen(name) && isVisible(value));
}

/** A schema that names no arguments takes any; one that names some takes these, so that a mistyped one is told. */
const openOf = ({ properties, patternProperties, additionalProperties }: JsonObject): JsonObject =>
  additionalProperties !== undefined || (properties !== undefined && patternProperties === undefined)
    ? {}
    : { additionalProperties: true };

/** Counts its levels; -1 for more than `most`. */
function depthOf(value: Json, most: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (most === 0) return -1;
  const below = Object.values(value).map((one) => depthOf(one, most - 1));
  return below.includes(-1) ? -1 : 1 + Math.max(0, ...below);
}

/** Says how a tool differs from the one that was trusted, in words; undefined where it does not. */
export function changeOf(trusted: ToolDefinition, now: ServerTools): string | undefined {
  const found = now.tools.find(({ name }) => name === trusted.name);
  if (found === undefined) return "the server does not have it any more";
  const parts = [
    ...(found.said.description === trusted.said.description ? [] : ["its description"]),
    ...(found.said.schema === trusted.said.schema ? [] : ["the schema of its arguments"]),
  ];
  return parts.length === 0 ? undefined : `the server changed ${parts.join(" and ")}`;
}

/** Lists the names of the tools that a server offers and that were not there when it was trusted. */
export const newTools = (trusted: readonly ToolDefinition[], now: ServerTools): string[] =>
  now.tools.map(({ name }) => name).filter((name) => !trusted.some((one) => one.name === name));
