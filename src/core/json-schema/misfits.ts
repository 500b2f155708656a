import { runInNewContext } from "node:vm";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../json.ts";
import { inOneLine } from "../linear-text.ts";
import { isDraft4 } from "./keywords.ts";

/** So many are told of; who mends them sees the others next time. */
const mostTold = 5;

/** One thing that does not fit. */
export interface Misfit {
  /** JSON pointer into the value; "" for the whole. */
  at: string;
  /** May quote the value. */
  what: string;
}

/** A misfit as a sentence that begins with its place. */
export const misfitText = ({ at, what }: Misfit): string => `${at === "" ? "the whole" : at}: ${what}`;

/**
 * Lists the misfits of a value to a schema that `schemaProblem` has nothing against: none where it fits. Everything else stands still meanwhile.
 * @param ms how long it may take: a pattern may backtrack, and references branch, without end; then that is the misfit.
 */
export const misfitsOf = (schema: JsonObject, value: Json, ms: number): Misfit[] =>
  misfitsWithin(schema, value, ms) ?? [endless(ms)];

/** The same; undefined where it takes longer. */
export function misfitsWithin(schema: JsonObject, value: Json, ms: number): Misfit[] | undefined {
  const check = () => validatorOf(schema).validate(value).errors;
  try {
    const units = runInNewContext("check()", { check }, { timeout: ms }) as OutputUnit[];
    return telling(units).map(misfitOf).slice(0, mostTold);
  } catch (error) {
    if (error instanceof RangeError) return [{ at: "", what: "the schema refers to itself without an end" }];
    return (error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? undefined : [unchecked(error)];
  }
}

/** That it took longer than this. */
export const endless = (ms: number): Misfit => ({
  at: "",
  what: `to check it by the schema took longer than ${ms} ms: a pattern of the schema does not come to an end with it`,
});

/** The library throws at names that are no Unicode, and at ids of schemas that are no addresses or come twice. What is not checked does not fit. */
export const unchecked = (error: unknown): Misfit => ({
  at: "",
  what: `it cannot be checked by the schema: ${error instanceof Error ? inOneLine(error.message) : String(error)}`,
});

const validators = new WeakMap<JsonObject, Validator>();

/** Made once. The library notes things in the schema that it is given: it gets one of its own. */
function validatorOf(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = new Validator(structuredClone(schema) as Schema, draftOf(schema), false);
  validators.set(schema, validator);
  return validator;
}

/** Draft 4 says by true or false whether a bound is excluded. All others are one, but that the newer checks what stands beside a reference. */
const draftOf = (schema: JsonObject): "4" | "2020-12" => (isDraft4(schema) ? "4" : "2020-12");

/** They only say that something below does not fit, which is told by itself. */
const onlyLead: ReadonlySet<string> = new Set(
  [
    "properties",
    "patternProperties",
    "items",
    "prefixItems",
    "allOf",
    "$ref",
    "if",
    "dependentSchemas",
    "false",
  ].concat("additionalItems", "$recursiveRef"),
);

function telling(units: readonly OutputUnit[]): readonly OutputUnit[] {
  const own = units.filter(({ keyword }) => !onlyLead.has(keyword));
  if (own.length > 0) return own;
  const refused = units.filter(({ keyword }) => keyword === "false");
  // What does not fit is never told as nothing.
  return refused.length > 0 ? refused : units;
}

function misfitOf({ instanceLocation, keyword, error }: OutputUnit): Misfit {
  const at = decodeURIComponent(instanceLocation.replace(/^#/, "").replace(/%(?![0-9a-f]{2})/giu, "%25"));
  return { at, what: keyword === "false" ? "nothing may stand here" : inOneLine(error).replace(/[.]$/, "") };
}
