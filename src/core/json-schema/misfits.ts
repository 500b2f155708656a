import { runInNewContext } from "node:vm";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { referred, regexOf } from "./keywords.ts";

/** So many are told of; who mends them sees the others next time. */
const mostTold = 5;

/**
 * Where a value does not fit a schema that `schemaProblem` has nothing against: nothing where it fits. Each begins with a JSON pointer
 * into the value. `format` is not looked at, as the standard leaves it.
 * @param ms how long it may take: a pattern may backtrack, and references branch, without end; then that is the misfit.
 */
export function misfitsOf(schema: JsonObject, value: Json, ms: number): string[] {
  const check = () => new Check(schema).of(schema, value, "");
  try {
    return (runInNewContext("check()", { check }, { timeout: ms }) as string[]).slice(0, mostTold);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return [
      `to check it by the schema took longer than ${ms} ms: a pattern of the schema does not come to an end with it`,
    ];
  }
}

const kindOf = (value: Json): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value;

const isOf = (value: Json, type: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : kindOf(value) === type;

const brief = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const pointer = (at: string, step: string | number): string =>
  `${at}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const said = (at: string, what: string): string => `${at === "" ? "the whole" : at}: ${what}`;

/** One walk of a schema over a value. */
class Check {
  readonly #root: JsonObject;
  readonly #regexes = new Map<string, RegExp>();
  /** Schemas that are at work, with the places of the value they are at: one that comes to itself there goes on for ever. */
  readonly #active = new Map<JsonObject, Set<string>>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  of(schema: Json | undefined, value: Json, at: string): string[] {
    if (schema === true || schema === undefined) return [];
    if (!isJsonObject(schema)) return [said(at, "nothing may stand here")];
    const places = this.#active.get(schema) ?? new Set<string>();
    if (places.has(at)) return [said(at, "the schema refers to itself without an end")];
    this.#active.set(schema, places.add(at));
    const found = [
      ...this.#sort(schema, value, at),
      ...this.#combined(schema, value, at),
      ...(typeof value === "number" ? numberMisfits(schema, value, at) : []),
      ...(typeof value === "string" ? this.#text(schema, value, at) : []),
      ...(Array.isArray(value) ? this.#list(schema, value, at) : []),
      ...(isJsonObject(value) ? this.#object(schema, value, at) : []),
    ];
    places.delete(at);
    return found;
  }

  #fits(schema: Json | undefined, value: Json, at: string): boolean {
    return this.of(schema, value, at).length === 0;
  }

  #matches(pattern: string, text: string): boolean {
    const regex = this.#regexes.get(pattern) ?? regexOf(pattern);
    this.#regexes.set(pattern, regex);
    return regex.test(text);
  }

  #sort(schema: JsonObject, value: Json, at: string): string[] {
    const { type, enum: listed } = schema;
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length > 0 && !types.some((one) => isOf(value, one)))
      return [said(at, `${types.join(" or ")} is wanted, not ${kindOf(value)}`)];
    const own = canonicalJson(value);
    if (Array.isArray(listed) && !listed.some((one) => canonicalJson(one) === own))
      return [said(at, `it is none of ${brief(listed)}`)];
    if (Object.hasOwn(schema, "const") && canonicalJson(schema["const"] as Json) !== own)
      return [said(at, `it is not ${brief(schema["const"] as Json)}`)];
    return [];
  }

  #combined(schema: JsonObject, value: Json, at: string): string[] {
    const { $ref, allOf, anyOf, oneOf, not } = schema;
    const found = [
      ...(typeof $ref === "string" ? this.of(referred($ref, this.#root) ?? false, value, at) : []),
      ...listOf(allOf).flatMap((one) => this.of(one, value, at)),
    ];
    if (Array.isArray(anyOf)) {
      const all = anyOf.map((one) => this.of(one, value, at));
      if (!all.some((misfits) => misfits.length === 0)) found.push(said(at, `it fits none of anyOf: ${nearest(all)}`));
    }
    if (Array.isArray(oneOf)) {
      const all = oneOf.map((one) => this.of(one, value, at));
      const count = all.filter((misfits) => misfits.length === 0).length;
      if (count === 0) found.push(said(at, `it fits none of oneOf: ${nearest(all)}`));
      if (count > 1) found.push(said(at, `it fits ${count} of oneOf, where it is to fit one`));
    }
    if (not !== undefined && this.#fits(not, value, at))
      found.push(said(at, "it fits what the schema excludes by not"));
    if (schema["if"] === undefined) return found;
    return [...found, ...this.of(this.#fits(schema["if"], value, at) ? schema["then"] : schema["else"], value, at)];
  }

  #text(schema: JsonObject, value: string, at: string): string[] {
    const { minLength, maxLength, pattern } = schema;
    const length = [...value].length;
    return [
      ...(typeof minLength === "number" && length < minLength
        ? [said(at, `at least ${minLength} characters are wanted`)]
        : []),
      ...(typeof maxLength === "number" && length > maxLength
        ? [said(at, `at most ${maxLength} characters are wanted`)]
        : []),
      ...(typeof pattern === "string" && !this.#matches(pattern, value)
        ? [said(at, `it does not match ${brief(pattern)}`)]
        : []),
    ];
  }

  #list(schema: JsonObject, value: Json[], at: string): string[] {
    const { items, prefixItems, additionalItems, contains, minItems, maxItems } = schema;
    // Draft 7 writes what stands at each place as a list of items, and the rest as additionalItems.
    const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [listOf(prefixItems), items];
    const found = value.flatMap((item, index) =>
      this.of(index < first.length ? first[index] : rest, item, pointer(at, index)),
    );
    if (typeof minItems === "number" && value.length < minItems)
      found.push(said(at, `at least ${minItems} items are wanted`));
    if (typeof maxItems === "number" && value.length > maxItems)
      found.push(said(at, `at most ${maxItems} items are wanted`));
    if (schema["uniqueItems"] === true && new Set(value.map(canonicalJson)).size < value.length)
      found.push(said(at, "an item comes twice"));
    if (contains === undefined) return found;
    const { minContains = 1, maxContains = value.length } = schema;
    const count = value.filter((item, index) => this.#fits(contains, item, pointer(at, index))).length;
    return count < Number(minContains) || count > Number(maxContains)
      ? [...found, said(at, `${count} items are as contains wants them`)]
      : found;
  }

  #object(schema: JsonObject, value: JsonObject, at: string): string[] {
    const { propertyNames, minProperties, maxProperties } = schema;
    const names = Object.keys(value);
    const found = missing(schema["required"], value, at);
    for (const [name, item] of Object.entries(value)) {
      found.push(...this.#property(schema, name, item, pointer(at, name)));
      if (propertyNames !== undefined && !this.#fits(propertyNames, name, pointer(at, name)))
        found.push(said(pointer(at, name), "this name is not allowed"));
    }
    if (typeof minProperties === "number" && names.length < minProperties)
      found.push(said(at, `at least ${minProperties} properties are wanted`));
    if (typeof maxProperties === "number" && names.length > maxProperties)
      found.push(said(at, `at most ${maxProperties} properties are wanted`));
    return [...found, ...this.#dependent(schema, value, at)];
  }

  #property(schema: JsonObject, name: string, item: Json, at: string): string[] {
    const { properties, patternProperties, additionalProperties } = schema;
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const byPattern = Object.entries(isJsonObject(patternProperties) ? patternProperties : {}).filter(([pattern]) =>
      this.#matches(pattern, name),
    );
    const meant = [...own, ...byPattern.map(([, inner]) => inner)];
    if (meant.length > 0) return meant.flatMap((inner) => this.of(inner, item, at));
    return additionalProperties === false
      ? [said(at, "there is no such property")]
      : this.of(additionalProperties, item, at);
  }

  #dependent({ dependentRequired, dependentSchemas }: JsonObject, value: JsonObject, at: string): string[] {
    const there = (of: Json | undefined) =>
      Object.entries(isJsonObject(of) ? of : {}).filter(([name]) => Object.hasOwn(value, name));
    return [
      ...there(dependentRequired).flatMap(([, names]) => missing(names, value, at)),
      ...there(dependentSchemas).flatMap(([, inner]) => this.of(inner, value, at)),
    ];
  }
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** What is wrong by the alternative that is least wrong. */
const nearest = (all: readonly string[][]): string =>
  all.toSorted((one, other) => one.length - other.length)[0]?.[0] ?? "there is none";

const missing = (required: Json | undefined, value: JsonObject, at: string): string[] =>
  listOf(required).flatMap((name) =>
    typeof name === "string" && !Object.hasOwn(value, name) ? [said(at, `${JSON.stringify(name)} is missing`)] : [],
  );

function numberMisfits(schema: JsonObject, value: number, at: string): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // Draft 4 says by true or false whether the bound itself is excluded.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  return [
    ...(typeof minimum === "number" && value < minimum ? [said(at, `it is below ${minimum}`)] : []),
    ...(typeof maximum === "number" && value > maximum ? [said(at, `it is above ${maximum}`)] : []),
    ...(typeof above === "number" && value <= above ? [said(at, `it is not above ${above}`)] : []),
    ...(typeof below === "number" && value >= below ? [said(at, `it is not below ${below}`)] : []),
    ...(typeof multipleOf === "number" && !isMultiple(value, multipleOf)
      ? [said(at, `it is no multiple of ${multipleOf}`)]
      : []),
  ];
}

/** 0.3 is three times 0.1, though its double is not. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 1e-12;
}
