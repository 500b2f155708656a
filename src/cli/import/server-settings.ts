import { isObject } from "./sources.ts";

/** What is given, by name. */
type Values = Record<string, unknown>;

/** An entry of another program in the words that all of them have. */
export interface Stated {
  words: string[];
  url?: string;
  env: Values;
  headers: Values;
}

/** What says nothing about what is started, or would allow something. */
const heedless = new Set([
  ...["type", "name", "description", "version", "gallery", "trust", "alwaysAllow", "autoApprove", "timeout"],
  ...["startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "enabled", "disabled", "required"],
]);

/** What has no like here; other settings are not named. */
const named = new Set([
  ...["cwd", "envFile", "includeTools", "excludeTools", "enabled_tools", "disabled_tools", "oauth", "headersHelper"],
  ...["sandboxEnabled", "sandbox", "dev", "authProviderType", "bearer_token", "scopes"],
]);

const older = "it speaks the older HTTP of MCP (sse), which this version does not";

/** What an entry says, or why it means nothing that there is here; no value of it is in these words. */
export function statedBy(given: unknown, program: string): Stated | string {
  if (!isObject(given)) return "it is no object";
  const { disabled = false, enabled = true } = given;
  if (disabled !== false || enabled !== true) return off;
  const { command, args, url, httpUrl, serverUrl, ...more } = given;
  const { env, environment, env_vars, headers, http_headers, env_http_headers, bearer_token_env_var, ...rest } = more;
  const strange = Object.keys(rest).find((key) => !heedless.has(key));
  if (strange !== undefined) return `it has ${named.has(strange) ? strange : "a setting"}, which has no like here`;
  const { type } = rest;
  if (type === "sse" || (program === "gemini" && url !== undefined && type === undefined)) return older;
  const known = joined([env, environment, byName(env_vars)]);
  const sent = joined([headers, http_headers, referring(env_http_headers), bearing(bearer_token_env_var)]);
  if (known === undefined || sent === undefined)
    return "its env or its headers are of another type than they have there";
  const addresses = [url, httpUrl, serverUrl].filter((one) => one !== undefined);
  if (addresses.length + (command === undefined ? 0 : 1) !== 1) return "it has no command and no url, or several";
  return addresses.length === 0 ? startedBy(command, args, known, sent) : reachedAt(addresses[0], args, known, sent);
}

function startedBy(command: unknown, args: unknown = [], env: Values, headers: Values): Stated | string {
  const words: unknown = Array.isArray(args) ? [command, ...(args as unknown[])].flat() : undefined;
  if (!isTexts(words)) return "its command and args are no texts";
  return isEmpty(headers) ? { words, env, headers } : "it is started, and has headers";
}

function reachedAt(url: unknown, args: unknown = [], env: Values, headers: Values): Stated | string {
  if (typeof url !== "string") return "its url is no text";
  if (!isEmpty(env) || !Array.isArray(args) || args.length > 0)
    return "it is reached by its url, and has args or an env";
  return { words: [], url, env, headers };
}

export const off = "it is turned off there";

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const isEmpty = (values: Values): boolean => Object.keys(values).length === 0;

/** All of them, or undefined where one is no object. */
function joined(parts: readonly unknown[]): Values | undefined {
  const given = parts.filter((one) => one !== undefined);
  const values = given.filter(isObject);
  return values.length < given.length ? undefined : Object.fromEntries(values.flatMap((one) => Object.entries(one)));
}

const referenceTo = (name: unknown): unknown => (typeof name === "string" ? `\${${name}}` : undefined);

/** Names of variables, each as the value that it has. */
const byName = (names: unknown = []): unknown =>
  isTexts(names) ? Object.fromEntries(names.map((name) => [name, referenceTo(name)])) : null;

const referring = (given: unknown): unknown =>
  isObject(given) ? Object.fromEntries(Object.entries(given).map(([key, name]) => [key, referenceTo(name)])) : given;

const bearing = (name: unknown): unknown =>
  name === undefined ? undefined : { Authorization: typeof name === "string" ? `Bearer \${${name}}` : undefined };
