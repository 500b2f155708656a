import { inspect } from "node:util";
import type { ZodType } from "zod";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { strictFromLoose } from "../../core/loose-json.ts";
import { type Read, readExactJson, toPlainJson } from "../../core/strict-json.ts";
import type { Tool, ToolArgs, ToolContext } from "../../core/tool.ts";
import { isBuiltIn } from "../built-in.ts";
import { describe, explainIssues, unknownName } from "./argument-errors.ts";
import { coerce } from "./coerce.ts";
import { concealed, concealedError, keepSecrets, type Secrets, secretsOf, tells } from "./conceal.ts";
import { type Filled, fillIn, unfilled } from "./fill-in.ts";
import { parseByJsonSchema } from "./json-schema-parser.ts";
import { looking } from "./look-time.ts";
import { argumentsOf, shapeOf } from "./schema.ts";
import { fieldsOf, unknownArgument, visibleShape } from "./visible-shape.ts";

export type ParsedArguments =
  | { ok: true; args: unknown; canonical: JsonObject }
  | { ok: false; code: ErrorCode; message: string };

const refuse = (tool: Tool, message: string): ParsedArguments => ({
  ok: false,
  code: "INVALID_ARGUMENT",
  message: `${tool.name}: ${message}`,
});

// Keeps tools 1.
/**
 * Parses a call's arguments, once: an object, or its JSON text read strictly. A wrong type with one obvious reading is read
 * so; everything else that does not fit, an unknown argument above all, is refused in one sentence that the model can act on.
 *
 * `args` is what the tool's methods take. `canonical` is the same as plain JSON, for the journal and the digest: parsing it
 * again gives the same call. Fields hidden from the model are refused from it, filled in, and are neither in `canonical`, so that
 * they are filled in anew for each process, nor quoted in a refusal.
 * Throws what the tool's own functions throw, or where they give what they may not: a defect of the tool.
 */
export async function parseArguments(tool: Tool, raw: unknown, ctx: ToolContext): Promise<ParsedArguments> {
  const read = readArguments(raw);
  if (!read.ok) return refuse(tool, read.message);
  try {
    const parsing = () => parseObject(tool, read.value, ctx);
    return await (isBuiltIn(tool) ? parsing() : looking(tool, ctx, parsing));
  } catch (error) {
    if (error instanceof ToolRefusal) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

async function parseObject(tool: Tool, given: JsonObject, ctx: ToolContext): Promise<ParsedArguments> {
  const { hidden = [], inject } = tool;
  const taken = await argumentsOf(tool, ctx);
  const shape = shapeOf(taken);
  const seen = visibleShape(tool, shape);
  const known = fieldsOf(seen).names;
  const untold = hidden.find((name) => Object.hasOwn(given, name));
  if (untold !== undefined) return refuse(tool, unknownName(untold, [...known]));
  const coerced = asObject(coerce(given, shape, shape));
  const unknown = unknownArgument(coerced, seen, shape);
  if (unknown !== undefined) return refuse(tool, unknown);
  const isFilled = hidden.length > 0 || inject !== undefined;
  const filled = isFilled ? await fillIn(tool, coerced, fieldsOf(shape), ctx) : { ...coerced };
  const parse = parserOf(taken, hidden, ctx);
  const secretsIn = (...made: unknown[]): Secrets =>
    hidden.length === 0 ? [] : secretsOf(tool, [filled, presetsOf(shape), ...made], ctx);
  const before = secretsIn();
  const parsed = await parse(filled).catch((error: unknown) => {
    throw concealedError(error, before);
  });
  if (!parsed.ok) {
    const message = concealed(parsed.message, before);
    return parsed.code === undefined ? refuse(tool, message) : { ok: false, message, code: parsed.code };
  }
  const secrets = secretsIn(parsed.value);
  if (secrets.length > 0) keepSecrets(parsed.value, secrets);
  const canonical = await repeatable(parse, parsed.value, filled, { hidden, known, secrets });
  const objection = await objected(tool, parsed.value, ctx, secrets);
  return objection === undefined ? { ok: true, args: parsed.value, canonical } : refuse(tool, objection);
}

/** Returns the values that its schema puts in the place of fields that are not given. */
const presetsOf = ({ properties }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) =>
      isJsonObject(field) && field["default"] !== undefined ? [[name, field["default"]]] : [],
    ),
  );

/** Returns the objection of the tool's own check to a call, without hidden values. @throws what it throws, and as `objectionOf` */
async function objected(tool: Tool, args: unknown, ctx: ToolContext, secrets: Secrets): Promise<string | undefined> {
  try {
    const objection = objectionOf(await tool.validate?.(args, ctx));
    return objection === undefined ? undefined : concealed(objection, secrets);
  } catch (error) {
    throw concealedError(error, secrets);
  }
}

/** @throws Error for what is neither a sentence nor nothing: whether the call may run is not known then. */
function objectionOf(said: unknown): string | undefined {
  if (said === undefined || said === null) return undefined;
  if (typeof said === "string" && said.trim() !== "") return said;
  throw new Error(`its validate gave ${inspect(said, { depth: 0 })}, which is no sentence; nothing was done`);
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string; code?: ErrorCode };
type Parse = (given: Filled) => Promise<Parsed>;

function parserOf(taken: ToolArgs<unknown>, hidden: readonly string[], ctx: ToolContext): Parse {
  if (!("jsonSchema" in taken)) return (given) => parseBySchema(taken, given, hidden);
  const { parse } = taken;
  if (parse === undefined) return (given) => parsedByJsonSchema(taken.jsonSchema, given, hidden);
  return async (given) => {
    try {
      return { ok: true, value: await parse.call(taken, given as JsonObject, ctx) };
    } catch (error) {
      if (error instanceof ToolRefusal && error.code !== "INVALID_ARGUMENT")
        return { ok: false, code: error.code, message: error.message };
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
}

async function parseBySchema(schema: ZodType, given: Filled, hidden: readonly string[]): Promise<Parsed> {
  const parsed = await schema.safeParseAsync(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const at = parsed.error.issues.find(({ path: [first] }) => typeof first === "string" && hidden.includes(first));
  const message =
    at === undefined
      ? explainIssues(parsed.error, without(given, hidden) as JsonObject)
      : unfit(String(at.path[0]), given);
  return { ok: false, message };
}

/** The model can mend nothing here, and the value is not told. */
const unfit = (name: string, given: Filled): string =>
  given[name] === undefined ? unfilled(name) : `what fills in its hidden parameter ${name} does not fit what it takes`;

async function parsedByJsonSchema(schema: JsonObject, given: Filled, hidden: readonly string[]): Promise<Parsed> {
  const parsed = await parseByJsonSchema(schema, given);
  if (parsed.ok) return parsed;
  const { at, message } = parsed;
  return { ok: false, message: at !== undefined && hidden.includes(at) ? unfit(at, given) : message };
}

function readArguments(raw: unknown): Read<JsonObject> {
  // A model that calls without arguments sends no text at all.
  if (typeof raw === "string" && raw.trim() === "") return { ok: true, value: {} };
  const outer = typeof raw === "string" ? readWritten(raw) : toPlainJson(raw ?? {});
  const read = outer.ok && isObjectText(outer.value) ? readWritten(outer.value) : outer;
  if (!read.ok) return { ok: false, message: `the arguments are ${read.message}` };
  if (isJsonObject(read.value)) return { ok: true, value: read.value };
  // Nor does one that sends `null`, or no text within a text.
  if (read.value === null || read.value === "") return { ok: true, value: {} };
  return { ok: false, message: `the arguments must be one JSON object, but ${describe(read.value)} was given` };
}

/** Strictly, or by the one reading that JSON in single quotes, with a comma too many or with Python's words has. */
function readWritten(text: string): Read<Json> {
  const strict = readExactJson(text);
  const mended = strict.ok ? undefined : strictFromLoose(text);
  const read = mended === undefined ? strict : readExactJson(mended);
  return read.ok ? read : strict;
}

/** Some servers write the object as JSON within a JSON string. */
const isObjectText = (value: Json): value is string => typeof value === "string" && value.trimStart().startsWith("{");

const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

const without = (object: Filled, names: readonly string[]): Filled =>
  names.length === 0 ? object : Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/**
 * The parsed value with its defaults, if it is plain JSON that parses to itself; else (a schema that transforms) what was
 * given to the schema, which gives the same value when it is parsed again. Nothing hidden is in it, nor what a schema made of that.
 */
async function repeatable(
  parse: Parse,
  parsed: unknown,
  given: Filled,
  { hidden, known, secrets }: { hidden: readonly string[]; known: ReadonlySet<string>; secrets: Secrets },
): Promise<JsonObject> {
  const shown = without(given, hidden) as JsonObject;
  const seen = (value: unknown): JsonObject | undefined => {
    if (hidden.length === 0) return plainObject(value);
    if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
    const named = Object.entries(value).filter(([name]) => known.has(name) || Object.hasOwn(shown, name));
    return plainObject(Object.fromEntries(named));
  };
  const plain = seen(parsed);
  if (plain === undefined || (secrets.length > 0 && tells(plain, shown, secrets))) return shown;
  const kept = Object.entries(given).filter(([name]) => hidden.includes(name));
  const again = await parse({ ...plain, ...Object.fromEntries(kept) });
  const same = again.ok ? seen(again.value) : undefined;
  return same !== undefined && canonicalJson(same) === canonicalJson(plain) ? plain : shown;
}

function plainObject(value: unknown): JsonObject | undefined {
  const plain = toPlainJson(value);
  return plain.ok && isJsonObject(plain.value) ? plain.value : undefined;
}
