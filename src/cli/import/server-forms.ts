import { type Scope, type Server, sayings, type Without } from "./found.ts";
import { isPlainLabel } from "./plain-names.ts";
import type { Program } from "./programs.ts";
import { isObject } from "./sources.ts";

type Values = Record<string, unknown>;

/** A header by its name, and the word that stands before its value. */
interface Header {
  name: string;
  before: string;
}

/** A server as a program says it, in the words that all have: of values the names alone. */
export interface Said {
  kind: "started" | "reached";
  /** The program, and its words. */
  words: unknown[];
  url: unknown;
  env: string[];
  headers: Header[];
  /** Its tools that are offered; default all. */
  tools?: string[];
  without: Without[];
}

/** What a program says of a server, or why it means nothing that there is here. */
export function saidBy({ program, scope, given }: Server): Said | string {
  if (!isObject(given)) return "it is no object";
  const { disabled, enabled, ...more } = given;
  if (!isUnsaid(disabled) || ![undefined, null, true].includes(enabled as boolean)) return sayings.off;
  const parts = forms[program](more);
  if (typeof parts === "string") return parts;
  const why = unfit(parts) ?? boundTo(parts.rest, scope);
  if (why !== undefined) return why;
  const { rest, command, args, url, env = [], headers = [] } = parts;
  const tools = onlyTools(rest);
  if (typeof tools === "string") return tools;
  const words: unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  return {
    ...{ kind: url === undefined ? "started" : "reached", url, env, headers },
    words: program === "vscode" ? words.map((word) => inFolder(word, scope)) : words,
    ...(tools === undefined ? {} : { tools }),
    without: without(rest),
  };
}

/** What is wrong with its form. */
function unfit({ command, args, url, env, headers, isOld }: Parts): string | undefined {
  if (isOld) return "it speaks the older HTTP of MCP (sse), which this version does not";
  if (command !== undefined && url !== undefined) return "it has a command and a url, and can have but one";
  if (command === undefined && url === undefined) return "it has no command and no url";
  if (!Array.isArray(args)) return "its args are no list of texts";
  return env === undefined || headers === undefined ? "its env or its headers are no object" : undefined;
}

interface Parts {
  command?: unknown;
  args: unknown;
  url?: unknown;
  env: string[] | undefined;
  headers: Header[] | undefined;
  isOld: boolean;
  rest: Values;
}

const started = ["stdio", "local"];
const reached = ["http", "streamable-http", "streamableHttp", "streamable_http", "remote"];

const wrongType = "its type is none that is known here";

const forms: Readonly<Record<Program, (given: Values) => Parts | string>> = {
  claude: common,
  vscode: common,
  /** By `url` alone it is reached over the older HTTP. */
  gemini({ httpUrl, url, ...given }) {
    if (httpUrl !== undefined && url !== undefined) return "it has two addresses";
    const parts = common({ ...given, url: url ?? httpUrl });
    if (typeof parts === "string") return parts;
    return { ...parts, isOld: parts.isOld || (url !== undefined && given["type"] === undefined) };
  },
  codex({ env_vars: passed, http_headers, env_http_headers, bearer_token_env_var, bearer_token, ...given }) {
    const parts = common({ ...given, headers: http_headers });
    if (typeof parts === "string") return parts;
    const [named, fromEnv] = [passed === undefined ? [] : namesIn(passed), headersIn(env_http_headers)];
    const { env, headers } = parts;
    if (env === undefined || headers === undefined || named === undefined || fromEnv === undefined)
      return "its env or its headers are of another type than they have there";
    const token = [bearer_token_env_var, bearer_token].some((one) => !isUnsaid(one));
    return {
      ...parts,
      env: [...new Set([...env, ...named])],
      headers: [...headers, ...fromEnv, ...(token ? [{ name: "Authorization", before: "Bearer " }] : [])],
    };
  },
  opencode({ command, environment, env: _, ...given }) {
    const parts = common({ ...given, env: environment });
    if (typeof parts === "string") return parts;
    if (command === undefined) return parts;
    if (!Array.isArray(command) || command.length === 0) return "its command is no list of texts";
    const [program, ...args]: unknown[] = command;
    return { ...parts, command: program, args };
  },
};

function common({ type, command, args, env, url, headers, ...rest }: Values): Parts | string {
  const isKnown = typeof type === "string" && [...started, ...reached, "sse"].includes(type);
  if (type !== undefined && !isKnown) return wrongType;
  if (typeof type === "string" && type !== "sse" && started.includes(type) !== (url === undefined)) return wrongType;
  return {
    ...{ command, args: args ?? [], url, rest, isOld: type === "sse" },
    env: env === undefined ? [] : keysIn(env),
    headers: headersIn(headers),
  };
}

/** Names of a list of texts; undefined where it is none. */
export function namesIn(list: unknown): string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const names = list.filter((one) => typeof one === "string");
  return names.length === list.length ? names : undefined;
}

const keysIn = (value: unknown): string[] | undefined => (isObject(value) ? Object.keys(value) : undefined);

const headersIn = (value: unknown): Header[] | undefined =>
  value === undefined ? [] : keysIn(value)?.map((name) => ({ name, before: "" }));

const isUnsaid = (value: unknown): boolean => value === undefined || value === null || value === false;

/** How an editor names the workspace. */
const folder = `\${workspaceFolder}`;

/** A project's server runs in the workspace here, so that its folder need not be named. */
function inFolder(word: unknown, scope: Scope): unknown {
  const isBelow = scope === "project" && typeof word === "string" && word.startsWith(folder);
  return isBelow && /^(?:\/|$)/u.test(word.slice(folder.length)) ? `.${word.slice(folder.length)}` : word;
}

/** Settings without which a server would do something else, or more, than it does there. */
const binding: Readonly<Record<string, string>> = {
  ...of(
    ["cwd"],
    "it runs in a folder of its own (cwd), which there is not here: write whole paths, and take it by agent mcp add",
  ),
  ...of(["envFile"], "what it is given stands in a file (envFile), which is not read"),
  ...of(["headersHelper"], "a program makes its headers (headersHelper), which there is not here"),
  ...of(
    ["excludeTools", "disabled_tools", "disabledTools"],
    'some of its tools are left out there: agent mcp add takes it, and "tools" of its entry names those that are offered',
  ),
  ...of(["sandbox", "sandboxEnabled"], "it runs in a sandbox there, and a server runs outside of it here"),
};

function boundTo(rest: Values, scope: Scope): string | undefined {
  const isHere = scope === "project" && (rest["cwd"] === "." || rest["cwd"] === folder);
  const found = Object.keys(binding).find((key) => asksSomething(rest[key]) && !(key === "cwd" && isHere));
  return found === undefined ? undefined : binding[found];
}

const listsOfTools = ["includeTools", "enabled_tools"];

/** Names of the only tools that it offers, or why these cannot be said. */
function onlyTools(rest: Values): string[] | string | undefined {
  const lists = listsOfTools.map((key) => rest[key]).filter((list) => !isUnsaid(list));
  if (lists.length === 0) return undefined;
  const names = namesIn(lists[0]);
  const isPlain = lists.length === 1 && names !== undefined && names.length <= 100 && names.every(isPlainLabel);
  return isPlain ? names : "the list of its only tools has more than plain names in it";
}

const trustedAnew = "nothing is trusted or allowed by an import: agent mcp trust, and rules";
const ownLimits = "how long a server may take is the same for all here";
const signIn = "how it is signed in to is not taken over";

const reasons: Readonly<Record<string, string>> = {
  ...of(["autoApprove", "alwaysAllow", "trust", "default_tools_approval_mode", "tools"], trustedAnew),
  ...of(["timeout", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"], ownLimits),
  ...of(["oauth", "auth", "authProviderType", "scopes", "oauth_resource"], signIn),
};

function of(keys: readonly string[], why: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, why]));
}

/** Settings that say nothing about what a server does, and those that are looked at elsewhere. */
const heedless = ["description", "name", "title", "icon", "gallery", "version", "$schema", "cwd", ...listsOfTools];

const mostNamed = 20;

/** Settings of a server that have no place here; those that ask for nothing are not told. */
function without(rest: Values): Without[] {
  const keys = Object.keys(rest).filter((key) => !heedless.includes(key) && asksSomething(rest[key]));
  const told = keys
    .filter((key) => Object.hasOwn(reasons, key) || isPlainLabel(key))
    .slice(0, mostNamed)
    .map((key) => ({ key, why: (Object.hasOwn(reasons, key) ? reasons[key] : undefined) ?? "it is not known here" }));
  const others = keys.length - told.length;
  return others === 0 ? told : [...told, { key: `${others} more`, why: "they are not known here" }];
}

const asksSomething = (value: unknown): boolean => !isUnsaid(value) && !(Array.isArray(value) && value.length === 0);
