import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { shapeOf } from "./schema.ts";
import { type Fields, fieldsOf } from "./visible-shape.ts";

/** Fields of the context that a hidden parameter of their name is filled in from. */
const contextFields = ["uid", "sessionId", "workspace", "cwd", "goal", "pageUrl"] as const;
type ContextField = (typeof contextFields)[number];

const isContextField = (name: string): name is ContextField => contextFields.some((field) => field === name);

/** Arguments with what was filled in; values of hidden parameters may be anything. */
export type Filled = Readonly<Record<string, unknown>>;

/**
 * Returns the model's arguments, which nothing here changes, with the absent ones filled in: by `inject`, and for a hidden parameter that
 * `inject` gives nothing for by the context's field of its name. Visible ones are recorded, so they are JSON.
 * @throws what a function of `inject` throws; Error where a visible one gives what is no JSON
 */
export async function fillIn(tool: Tool, given: JsonObject, fields: Fields, ctx: ToolContext): Promise<Filled> {
  const { hidden = [], inject = {} } = tool;
  const filled: Record<string, unknown> = { ...given };
  for (const name of new Set([...Object.keys(inject), ...hidden])) {
    const isTaken = fields.isOpen || fields.names.has(name);
    if (Object.hasOwn(given, name) || !isTaken) continue;
    const isHidden = hidden.includes(name);
    const injected = await injectedFor(inject, name, given, ctx);
    const value = injected === undefined && isHidden && isContextField(name) ? ctx[name] : injected;
    if (value !== undefined) filled[name] = isHidden ? value : asJson(name, value);
  }
  return filled;
}

async function injectedFor(
  inject: NonNullable<Tool["inject"]>,
  name: string,
  given: JsonObject,
  ctx: ToolContext,
): Promise<unknown> {
  const source = Object.hasOwn(inject, name) ? inject[name] : undefined;
  // A copy, so that what was given stays as it is.
  return typeof source === "function" ? source(ctx, structuredClone(given)) : source;
}

function asJson(name: string, value: unknown): Json {
  const plain = toPlainJson(value);
  if (plain.ok) return plain.value;
  throw new Error(`what inject gives for ${name} is no JSON: ${plain.message}`);
}

/**
 * Returns the fault in how the tool's parameters are hidden and filled in, as far as it can be known before a call; undefined where there
 * is none. A tool with a hidden one that nothing fills in could never be called.
 * @param uid of the context, which is the same for the whole session
 */
export function parameterProblem(tool: Tool, uid: string | undefined): string | undefined {
  const { hidden, inject, editable, args } = tool;
  for (const [field, value] of Object.entries({ hidden, editable }))
    if (value !== undefined && !isNames(value)) return `its ${field} must be a list of names`;
  if (inject !== undefined && !isJsonObject(inject))
    return "its inject must be an object: a value or a function a name";
  const lists = { hidden, inject: inject && Object.keys(inject), editable };
  // What is made from the context may have other parameters each turn.
  if (typeof args === "function" || Object.values(lists).every((listed) => listed === undefined)) return undefined;
  const { names, required, isOpen } = fieldsOf(shapeOf(args));
  for (const [field, listed = []] of Object.entries(lists)) {
    const wrong = listed.find((name) => !isOpen && !names.has(name));
    if (wrong !== undefined) return `its ${field} names ${wrong}, which is none of its parameters`;
  }
  const empty = hidden?.find((name) => required.has(name) && !isFilled(name, tool, uid));
  return empty === undefined ? undefined : `INVALID_ARGUMENT: ${unfilled(empty)}`;
}

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === "string");

/** A page and a goal may come with the call. */
const isFilled = (name: string, { inject = {} }: Tool, uid: string | undefined): boolean =>
  Object.hasOwn(inject, name) || (isContextField(name) && (name !== "uid" || uid !== undefined));

/** That nothing fills in a hidden parameter, and what may be done about it. */
export function unfilled(name: string): string {
  const from = name === "uid" ? 'set "uid" in config.json, or give it a default' : "give it an inject or a default";
  return `nothing fills in its hidden parameter ${name}: ${from}`;
}
