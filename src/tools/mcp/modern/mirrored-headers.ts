import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import { isModern, modernVersion } from "./envelope.ts";

/** By the name of a header: where the argument stands whose value goes there, name by name from the outermost. */
export type Mirrored = ReadonlyMap<string, readonly string[]>;

type Headers = Record<string, string>;

const key = "x-mcp-header";

/** Words of a schema behind which schemas stand: by names; in a list or one by itself. */
const byName = ["patternProperties", "dependentSchemas", "$defs", "definitions"];
const others = [
  ...["items", "prefixItems", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"],
  ...["propertyNames", "oneOf", "anyOf", "allOf", "not", "if", "then", "else"],
];

/** A schema that stands in another, and whether it is that of an argument: one behind names of properties alone. */
interface Standing {
  node: JsonObject;
  path: readonly string[];
  isArgument: boolean;
}

/**
 * Finds the arguments of a tool that its schema wants in headers too (MCP 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").
 * @returns them, or why it cannot be had so, in words: such a tool is not offered over HTTP
 */
export function mirroredIn(schema: JsonObject): Mirrored | string {
  const found = new Map<string, readonly string[]>();
  for (const { node, path, isArgument } of standingIn({ node: schema, path: [], isArgument: true }, 0)) {
    if (!Object.hasOwn(node, key)) continue;
    const name = node[key];
    const wrong = wrongHeader(name, node["type"], isArgument && path.length > 0);
    if (wrong !== undefined) return wrong;
    const header = `mcp-param-${String(name).toLowerCase()}`;
    if (found.has(header)) return "two of its arguments want one header";
    found.set(header, path);
  }
  return found;
}

/** It and all that stand in it, as deep as schemas are looked at. */
function* standingIn(one: Standing, depth: number): Generator<Standing> {
  yield one;
  if (depth >= limits.mcpSchemaDepth.most) return;
  for (const child of childrenOf(one)) yield* standingIn(child, depth + 1);
}

function childrenOf({ node, path, isArgument }: Standing): Standing[] {
  const behind = (word: string, isReached: boolean): Standing[] =>
    Object.entries(isJsonObject(node[word]) ? node[word] : {}).flatMap(([name, child]) =>
      isJsonObject(child) ? [{ node: child, path: [...path, name], isArgument: isReached }] : [],
    );
  return [
    ...behind("properties", isArgument),
    ...byName.flatMap((word) => behind(word, false)),
    ...others
      .flatMap((word) => node[word] ?? [])
      .filter(isJsonObject)
      .map((child) => ({ node: child, path, isArgument: false })),
  ];
}

function wrongHeader(name: Json | undefined, type: Json | undefined, isArgument: boolean): string | undefined {
  if (!isArgument) return "it wants what is no argument in a header";
  if (typeof name !== "string" || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/u.test(name))
    return "it wants an argument in a header that has no usable name";
  return type === "string" || type === "integer" || type === "boolean"
    ? undefined
    : "it wants an argument in a header that is none of text, whole number, and yes or no";
}

/** Headers for the arguments of one call; for those that are not there, there is none. */
export function argumentHeaders(mirrored: Mirrored, args: Json | undefined): Headers {
  const headers: Headers = {};
  for (const [name, path] of mirrored) {
    const value = path.reduce<Json | undefined>(
      (node, one) => (isJsonObject(node) && Object.hasOwn(node, one) ? node[one] : undefined),
      args,
    );
    if (typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value))
      headers[name] = headerValue(String(value));
  }
  return headers;
}

const named: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Makes the headers that repeat parts of a message, as every one of that version has them. */
export function messageHeaders(message: JsonObject | undefined): Headers {
  const { method, params } = message ?? {};
  if (typeof method !== "string" || !isModern(params) || !isJsonObject(params)) return {};
  const name = params[named[method] ?? ""];
  return {
    "mcp-protocol-version": modernVersion,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
  };
}

const coded = { begin: "=?base64?", end: "?=" };

/** As it can stand in a header: what cannot as it is, is coded. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/u.test(text);
  if (isPlain && !(text.startsWith(coded.begin) && text.endsWith(coded.end))) return text;
  return `${coded.begin}${Buffer.from(text).toString("base64")}${coded.end}`;
}
