import { importServers } from "../../words/en/import-servers.ts";
import { isObject } from "./sources.ts";

/** The given values, by name. */
type Values = Record<string, unknown>;

/** An entry of another program in the words that all of them have. */
export interface Stated {
  words: string[];
  url?: string;
  env: Values;
  headers: Values;
}

/** A variable that an entry says by its bare name, as no text of a file can be. */
export class Named {
  readonly variable: string;
  readonly before: string;

  constructor(variable: string, before = "") {
    this.variable = variable;
    this.before = before;
  }
}

/** The settings that say nothing about the program that is started, or would allow something. */
const heedless = new Set([
  ...["type", "name", "description", "version", "gallery", "trust", "alwaysAllow", "autoApprove", "timeout"],
  ...["startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "enabled", "disabled", "required"],
]);

/** The settings that have no like here; others are not named. */
const named = new Set([
  ...["cwd", "envFile", "includeTools", "excludeTools", "enabled_tools", "disabled_tools", "oauth", "headersHelper"],
  ...["sandboxEnabled", "sandbox", "dev", "authProviderType", "bearer_token", "scopes"],
]);

/** The types by which an entry says that it is started, or reached; it need not. */
const types = { started: ["stdio", "local"], reached: ["http", "streamable-http", "streamableHttp", "remote"] };

/** Reads an entry, or tells why it means nothing that there is here; no value of it is in these words. */
export function statedBy(given: unknown, program: string): Stated | string {
  if (!isObject(given)) return importServers().noObject;
  const { disabled = false, enabled = true } = given;
  if (disabled !== false || enabled !== true) return importServers().off;
  const { command, args, url, httpUrl, serverUrl, ...more } = given;
  const { env, environment, env_vars, headers, http_headers, env_http_headers, bearer_token_env_var, ...rest } = more;
  const strange = unlike(rest) ?? olderOf(rest["type"], program, url);
  if (strange !== undefined) return strange;
  const { type } = rest;
  const known = joined([env, environment, byName(env_vars)]);
  const sent = joined([headers, http_headers, referring(env_http_headers), bearing(bearer_token_env_var)]);
  if (typeof known === "string") return importServers().ofEnv({ why: known });
  if (typeof sent === "string") return importServers().ofHeaders({ why: sent });
  const addresses = [url, httpUrl, serverUrl].filter((one) => one !== undefined);
  if (addresses.length + (command === undefined ? 0 : 1) !== 1) return importServers().noAddress;
  const [address] = addresses;
  return (
    wrongType(type, address !== undefined) ??
    (address === undefined ? startedBy(command, args, known, sent) : reachedAt(address, args, known, sent))
  );
}

function wrongType(type: unknown, isReached: boolean): string | undefined {
  const known: readonly unknown[] = isReached ? types.reached : types.started;
  if (type === undefined || known.includes(type)) return undefined;
  return importServers().wrongType({ isReached });
}

function unlike(rest: Values): string | undefined {
  const strange = Object.keys(rest).find((key) => !heedless.has(key));
  return strange === undefined ? undefined : importServers().unlike({ isNamed: named.has(strange), strange });
}

const olderOf = (type: unknown, program: string, url: unknown): string | undefined =>
  type === "sse" || (program === "gemini" && url !== undefined && type === undefined)
    ? importServers().older
    : undefined;

function startedBy(command: unknown, args: unknown, env: Values, headers: Values): Stated | string {
  if (Array.isArray(command) && args !== undefined) return importServers().listAndArgs;
  const words: unknown = Array.isArray(command) ? command : Array.isArray(args) ? [command, ...args] : [command];
  if (!isTexts(words) || (args !== undefined && !Array.isArray(args))) return importServers().noTexts;
  return isEmpty(headers) ? { words, env, headers } : importServers().startedWithHeaders;
}

function reachedAt(url: unknown, args: unknown = [], env: Values, headers: Values): Stated | string {
  if (typeof url !== "string") return importServers().noUrl;
  if (!isEmpty(env) || !Array.isArray(args) || args.length > 0) return importServers().reachedWithArgs;
  return { words: [], url, env, headers };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const isEmpty = (values: Values): boolean => Object.keys(values).length === 0;

/** All of them, or what is wrong with them. */
function joined(parts: readonly unknown[]): Values | string {
  const given = parts.filter((one) => one !== undefined);
  const values = given.filter(isObject);
  if (values.length < given.length) return importServers().otherType;
  const entries = values.flatMap((one) => Object.entries(one));
  if (entries.some(([, value]) => value instanceof Named && !/^\w+$/u.test(value.variable)))
    return importServers().noVariable;
  const labels = values.flatMap((one) => [...new Set(Object.keys(one).map((key) => key.toLowerCase()))]);
  return new Set(labels).size < labels.length ? importServers().twoWays : Object.fromEntries(entries);
}

/** Names of variables, each as the value that it has. */
const byName = (names: unknown = []): unknown =>
  isTexts(names) ? Object.fromEntries(names.map((name) => [name, new Named(name)])) : null;

const referring = (given: unknown): unknown =>
  isObject(given) ? Object.fromEntries(Object.entries(given).map(([key, name]) => [key, nameIn(name)])) : given;

const bearing = (name: unknown): unknown =>
  name === undefined ? undefined : { Authorization: nameIn(name, "Bearer ") };

/** A token that stands where its variable's name should is no such name, but for one in large letters. */
const nameIn = (name: unknown, before = ""): Named =>
  new Named(typeof name === "string" && /^[A-Z0-9_]+$/u.test(name) ? name : "", before);
