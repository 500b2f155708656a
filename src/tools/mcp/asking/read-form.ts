import { countText } from "../../../core/count-text.ts";
import type { AskedForm, FormChoice, FormField, TextFormat } from "../../../core/forms/asked-form.ts";
import { contentProblem } from "../../../core/forms/field-values.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { Masking } from "../../../core/secrets/masking.ts";
import { bidsSecret, isSecretName, looksSecret } from "./asks-for-secret.ts";

/** The reason why a question is not put to the person, in words for them and for the server. */
export class NotAsked extends Error {
  override readonly name = "NotAsked";
}

/**
 * Reads the request of a server as a form of plain fields; a `pattern`, and all else that no person could be shown, is left out of account.
 * @throws NotAsked where it is no such form, is too large, or asks for a secret
 */
export function readForm(
  params: Json | undefined,
  { from, place, tool }: Pick<AskedForm, "from" | "place" | "tool">,
  masking?: Pick<Masking, "text">,
): AskedForm {
  if (!isJsonObject(params)) throw new NotAsked("it is no question");
  const { message, requestedSchema: schema } = params;
  if (typeof message !== "string" || message.trim() === "") throw new NotAsked("it says nothing to the person");
  checkText(message, "its message");
  if (bidsSecret(message)) throw new NotAsked("its message asks for what looks like a password, a token or a key");
  if (!isJsonObject(schema) || schema["type"] !== "object" || !isJsonObject(schema["properties"]))
    throw new NotAsked("it does not say which fields it wants");
  const names = Object.keys(schema["properties"]);
  if (names.length > limits.mcpFormFields.most)
    throw new NotAsked(`it has more than ${limits.mcpFormFields.most} fields`);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (required.some((name) => typeof name !== "string" || !names.includes(name)))
    throw new NotAsked("it requires a field that it does not have");
  const properties = schema["properties"];
  const fields = names.map((name) => fieldOf(name, properties[name], required.includes(name)));
  const words = JSON.stringify(fields);
  if (words.length > limits.mcpForm.most) throw new NotAsked("its fields are too long to be read");
  if (masking !== undefined && masking.text(words) !== words)
    throw new NotAsked("a value of your secrets stands in its fields");
  return {
    ...{ from, tool, fields, message: masking?.text(message) ?? message },
    ...(place === undefined ? {} : { place }),
  };
}

function checkText(text: string, of: string): void {
  const { most } = limits.mcpFormText;
  if (text.length > most) throw new NotAsked(`${of} has more than ${countText(most)} characters`);
}

function textIn(schema: JsonObject, key: "title" | "description", name: string): { [key: string]: string } {
  const text = schema[key];
  if (typeof text !== "string" || text.trim() === "") return {};
  checkText(text, `${JSON.stringify(name)}, its ${key},`);
  return { [key]: text };
}

function fieldOf(name: string, schema: Json | undefined, required: boolean): FormField {
  if (name.length > 200 || name.trim() === "" || name === "__proto__") throw new NotAsked("a field has no usable name");
  if (!isJsonObject(schema)) throw new NotAsked(`${JSON.stringify(name)} is described by nothing`);
  const said: { [key: string]: string } = {
    ...textIn(schema, "title", name),
    ...textIn(schema, "description", name),
  };
  const named = schema["type"] === "boolean" ? looksSecret : isSecretName;
  const isNamed = named(name) || (said["title"] !== undefined && named(said["title"]));
  const secret = isNamed || looksSecret(said["description"] ?? "") || schema["writeOnly"] === true;
  if (secret || schema["format"] === "password")
    throw new NotAsked(`${JSON.stringify(name)} asks for what looks like a password, a token, a key or a PIN`);
  const base = { name, ...said, required };
  const field = { ...base, ...kindOf(name, schema) } as FormField;
  const fits = field.default === undefined || contentProblem([field], { [name]: field.default }) === undefined;
  if (fits) return field;
  const { default: _, ...rest } = field;
  return rest as FormField;
}

type Kind<One = FormField> = One extends unknown ? Omit<One, "name" | "title" | "description" | "required"> : never;

function kindOf(name: string, schema: JsonObject): Kind {
  const given = schema["default"];
  switch (schema["type"]) {
    case "string":
      return textKind(name, schema);
    case "number":
    case "integer": {
      const isWhole = schema["type"] === "integer";
      const amount = typeof given === "number" ? { default: given } : {};
      return { kind: "number", isWhole, ...bounds(schema, "minimum", "maximum"), ...amount };
    }
    case "boolean":
      return { kind: "yes_no", ...(typeof given === "boolean" ? { default: given } : {}) };
    case "array": {
      const choices = isJsonObject(schema["items"]) ? choicesIn(name, schema["items"]) : undefined;
      if (choices === undefined) throw new NotAsked(`${JSON.stringify(name)} is a list of anything`);
      const some = Array.isArray(given) && given.every((one) => typeof one === "string") ? { default: given } : {};
      return { kind: "choices", choices, ...bounds(schema, "minItems", "maxItems"), ...some };
    }
    default:
      throw new NotAsked(`${JSON.stringify(name)} is none of text, number, yes or no, and a choice`);
  }
}

function textKind(name: string, schema: JsonObject): Kind {
  const given = schema["default"];
  const choices = choicesIn(name, schema);
  const text = typeof given === "string" && given.length <= limits.mcpFormText.most ? { default: given } : {};
  if (choices !== undefined) return { kind: "choice", choices, ...text };
  return { kind: "text", ...formatOf(schema["format"]), ...bounds(schema, "minLength", "maxLength"), ...text };
}

const formats: readonly TextFormat[] = ["email", "uri", "date", "date-time"];

function formatOf(format: Json | undefined): { format?: TextFormat } {
  const known = formats.find((one) => one === format);
  return known === undefined ? {} : { format: known };
}

function bounds(schema: JsonObject, from: string, to: string): { least?: number; most?: number } {
  const [least, most] = [schema[from], schema[to]];
  return { ...(typeof least === "number" ? { least } : {}), ...(typeof most === "number" ? { most } : {}) };
}

/** `enum`, with names beside it or without; or a list of values that each have a title. */
function choicesIn(name: string, schema: JsonObject): FormChoice[] | undefined {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  const [values, names] = [schema["enum"], schema["enumNames"]];
  const all = Array.isArray(titled) ? titled : Array.isArray(values) ? values : undefined;
  if (all === undefined) return undefined;
  if (all.length === 0 || all.length > limits.mcpFormChoices.most)
    throw new NotAsked(`${JSON.stringify(name)} has no choices, or more than ${limits.mcpFormChoices.most}`);
  return all.map((one, at) => choiceOf(one, Array.isArray(names) ? names[at] : undefined, name));
}

function choiceOf(one: Json, named: Json | undefined, field: string): FormChoice {
  const { const: value, title } = isJsonObject(one) ? one : { const: one, title: named };
  if (typeof value !== "string") throw new NotAsked(`${JSON.stringify(field)} has a choice that is no text`);
  for (const text of [value, title])
    if (typeof text === "string") checkText(text, `a choice of ${JSON.stringify(field)}`);
  return { value, ...(typeof title === "string" ? { title } : {}) };
}
