import { canonicalJson, isJsonObject, type Json, type JsonObject, type Sha, sha256 } from "../../core/json.ts";
import { patternProblem } from "../use/url-patterns.ts";

/** A server that is started, and speaks over stdio, as settings name it in the shape that all clients read. */
export interface StartedEntry {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Names of its tools, as it calls them, that are offered; default all. */
  tools?: readonly string[];
  /** By such a name: arguments in which the person's secrets are put in for their tags. */
  secrets?: Readonly<Record<string, readonly string[]>>;
  /** By such a name: for which pages it is, as `Tool.urlPatterns`. */
  urlPatterns?: Readonly<Record<string, readonly string[]>>;
  /** It may ask the session's model, each time by a yes of the person. */
  sampling?: "ask";
  /** True if the program that it starts is a browser, whose traffic goes through a proxy of ours. */
  isBrowser?: true;
}

/** A server that is there, and is spoken to over HTTP. */
export interface ReachedEntry {
  url: string;
  /** Sent with each request, as they are. */
  headers: Readonly<Record<string, string>>;
  /** Its name may lead into the person's own network. */
  isPrivate: boolean;
  /** The settings by which the person signs in at it, where they are not found by asking. */
  oauth?: { clientId?: string; scopes?: string[]; redirectPort?: number };
  tools?: readonly string[];
  secrets?: Readonly<Record<string, readonly string[]>>;
  urlPatterns?: Readonly<Record<string, readonly string[]>>;
  sampling?: "ask";
}

export type ServerEntry = StartedEntry | ReachedEntry;

export const isReached = (entry: ServerEntry): entry is ReachedEntry => "url" in entry;

/** The origin of its entry: the person's settings, or the project. */
export type ServerOrigin = "user" | "project";

/** The form of a server's name: part of its tools' names, and of its log's. */
export const serverName = /^[A-Za-z0-9][\w.-]{0,63}$/;

export const wrongServerName =
  "a server's name begins with a letter or a digit and has letters, digits, _, - and . in it";

/** The types by which entries say that they are of HTTP. */
const httpTypes: readonly Json[] = ["http", "streamable-http", "streamableHttp"];

/** An entry as it stands in a file of settings, or why it is none that can be used here, in words. */
export function readEntry(given: Json): ServerEntry | string {
  if (!isJsonObject(given)) return "it is no object";
  const { type, url, command } = given;
  if (type === "sse") return "it speaks the older HTTP of MCP (sse), which this version does not";
  if (url !== undefined && command !== undefined) return "it has a command and a url, and can have but one";
  const entry = readWay(given);
  const { secrets, urlPatterns, sampling } = given;
  if (typeof entry === "string") return entry;
  if (secrets !== undefined && !areLists(secrets)) return "its secrets are no object of lists: {TOOL: [ARGUMENT, …]}";
  if (sampling !== undefined && sampling !== "ask") return 'its sampling is not "ask", and can be nothing else';
  const wrong = urlPatterns === undefined ? undefined : wrongPatterns(urlPatterns);
  if (wrong !== undefined) return `its urlPatterns cannot be used: ${wrong}`;
  return {
    ...entry,
    ...(secrets === undefined ? {} : { secrets }),
    ...(urlPatterns === undefined ? {} : { urlPatterns: urlPatterns as Record<string, string[]> }),
    ...(sampling === undefined ? {} : { sampling }),
  };
}

const areLists = (value: Json): value is Record<string, string[]> =>
  isJsonObject(value) && Object.values(value).every((names) => areNames(names));

function wrongPatterns(value: Json): string | undefined {
  if (!areLists(value) || Object.values(value).some((patterns) => patterns.length === 0))
    return "they are no object of lists: {TOOL: [PATTERN, …]}";
  const [wrong] = Object.values(value).flatMap((patterns) => patternProblem(patterns) ?? []);
  return wrong;
}

function readWay(given: JsonObject): ServerEntry | string {
  const { type, url } = given;
  if (url !== undefined || httpTypes.includes(type ?? null)) return readReached(given);
  if (type !== undefined && type !== "stdio") return `its type is none that this version knows`;
  return readStarted(given);
}

function readStarted({ command, args = [], env = {}, tools, browser = false }: JsonObject): StartedEntry | string {
  if (!isText(command) || command.trim() === "") return "it has no command";
  if (!Array.isArray(args) || !args.every(isText)) return "its args are no list of texts";
  if (!isTexts(env)) return "its env is no object of texts";
  const texts = [command, ...args, ...Object.entries(env).flat()] as string[];
  if (texts.some((text) => text.includes("\0"))) return "it has a NUL character in it";
  if (!areNames(tools)) return wrongTools;
  if (typeof browser !== "boolean") return "its browser is neither true nor false";
  return { command, args: args as string[], env, ...offering(tools), ...(browser ? { isBrowser: true } : {}) };
}

function readReached(given: JsonObject): ReachedEntry | string {
  const { type, url, headers = {}, private: isPrivate = false, tools, browser = false, oauth } = given;
  if (type !== undefined && !httpTypes.includes(type)) return "it has a url, and its type is not http";
  if (!isText(url) || url.trim() === "") return "it has no url";
  if (!isTexts(headers)) return "its headers are no object of texts";
  if (typeof isPrivate !== "boolean") return "its private is neither true nor false";
  if (!areNames(tools)) return wrongTools;
  if (browser !== false) return "it says that it is a browser, which only a server that is started can be";
  if (!isSignIn(oauth)) return wrongSignIn;
  return { url, headers, isPrivate, ...(oauth === undefined ? {} : { oauth }), ...offering(tools) };
}

const wrongSignIn =
  "its oauth is no object of clientId (a text), scopes (a list of words) and redirectPort (a number from 1,024 on)";

function isSignIn(given: Json | undefined): given is NonNullable<ReachedEntry["oauth"]> | undefined {
  if (given === undefined) return true;
  if (!isJsonObject(given)) return false;
  const { clientId = "x", scopes = [], redirectPort = 1_024, ...others } = given;
  const isClient = isText(clientId) && /^[\x21-\x7e]{1,300}$/u.test(clientId) && !hasVariable(clientId);
  const areScopes = Array.isArray(scopes) && scopes.every((one) => isText(one) && isScope(one));
  const isPort = Number.isInteger(redirectPort) && Number(redirectPort) >= 1_024 && Number(redirectPort) <= 65_535;
  return isClient && areScopes && isPort && Object.keys(others).length === 0;
}

/** One right that is asked for, as it is written (RFC 6749, 3.3). */
export const isScope = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/u.test(text);

const wrongTools = "its tools are no list of names";

const areNames = (tools: Json | undefined): tools is string[] | undefined =>
  tools === undefined || (Array.isArray(tools) && tools.every(isText));

const offering = (tools: readonly string[] | undefined) => (tools === undefined ? {} : { tools });

const isTexts = (value: Json): value is Record<string, string> =>
  isJsonObject(value) && Object.values(value).every(isText);

const isText = (value: Json | undefined): value is string => typeof value === "string";

/** Parts of an entry of which each value counts by itself. */
const named = ["env", "headers"];

/** Each part of an entry by its hash, so that it can be said which of them is another one; no value can be read from it. */
export function entryHashes(given: JsonObject): Record<string, Sha> {
  const parts = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
    if (named.includes(name) && isJsonObject(value))
      return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one]);
    return [[/^(?:env\.|headers\.|")/u.test(name) ? JSON.stringify(name) : name, value]];
  });
  return Object.fromEntries(parts.map(([name, value]) => [name, sha256(canonicalJson(value))]));
}

const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;

/** All of an entry that is written by hand. */
const textsOf = (entry: ServerEntry): string[] =>
  isReached(entry)
    ? [entry.url, ...Object.values(entry.headers)]
    : [entry.command, ...entry.args, ...Object.values(entry.env)];

/** An entry in which variables of the environment are named: only the person's own settings may. */
export const namesVariables = (entry: ServerEntry): boolean => textsOf(entry).some(hasVariable);

/** Names of the variables that a text has, each as often as it stands there. */
export const variablesIn = (text: string): string[] => [...text.matchAll(variable)].map(([, name = ""]) => name);

export const hasVariable = (text: string): boolean => variablesIn(text).length > 0;

/** An entry that names the workspace is another one in each. */
export const isOfWorkspace = (entry: ServerEntry): boolean =>
  textsOf(entry).some((text) => text.includes(`\${workspaceFolder`));

/** `${NAME}` and `${NAME:-else}` replaced, or the name of the first that is not set. */
export function withVariables(
  entry: ServerEntry,
  known: Readonly<Record<string, string | undefined>>,
): ServerEntry | { missing: string } {
  let missing: string | undefined;
  const filled = (text: string): string =>
    text.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const value = known[name] ?? otherwise;
      if (value === undefined) missing ??= name;
      return value ?? "";
    });
  const made = isReached(entry)
    ? reachedWith(entry, filled)
    : { ...entry, command: filled(entry.command), args: entry.args.map(filled), env: eachOf(entry.env, filled) };
  return missing === undefined ? made : { missing };
}

/** With the workspace in the place of its name alone: what stands for other variables may be a key. */
export const inWorkspace = (entry: ReachedEntry, workspace: string): ReachedEntry =>
  reachedWith(entry, (text) => text.replace(/\$\{workspaceFolder(?::-[^}]*)?\}/gu, () => workspace));

const reachedWith = (entry: ReachedEntry, filled: (text: string) => string): ReachedEntry => ({
  ...entry,
  url: filled(entry.url),
  headers: eachOf(entry.headers, filled),
});

const eachOf = (texts: Readonly<Record<string, string>>, filled: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, filled(value)]));

/** Programs that fetch what they run, and the words behind which it stands. */
export const fetching: readonly (readonly string[])[] = [
  ["npx"],
  ["bunx"],
  ["uvx"],
  ["npm", "exec"],
  ["pnpm", "dlx"],
  ["yarn", "dlx"],
  ["pipx", "run"],
  ["uv", "tool", "run"],
  ["uv", "x"],
];

/** The package that an entry has fetched in whatever version there is that day; undefined where it names one, or fetches none. */
export function unpinnedPackage({ command, args }: StartedEntry): string | undefined {
  const words = [command.split("/").at(-1) ?? "", ...args];
  const found = fetching.find((start) => start.every((word, at) => words[at] === word));
  if (found === undefined) return undefined;
  const rest = words.slice(found.length);
  const named = rest.findIndex((word) => ["-p", "--package", "--from"].includes(word));
  const spec = named >= 0 ? rest[named + 1] : rest.find((word) => !word.startsWith("-"));
  if (spec === undefined || /^[./]/u.test(spec)) return undefined;
  const version = /^.+?(?:==|@)(.+)$/u.exec(spec)?.[1];
  return version !== undefined && version !== "latest" ? undefined : spec;
}

/** As a person reads it: what would be started, or where it is. Values of its environment, its headers and its query are not shown. */
export function entryText(entry: ServerEntry): string {
  if (isReached(entry)) return `${shownUrl(entry.url)}${withNames(Object.keys(entry.headers))}`;
  const words = [entry.command, ...entry.args].map((word) =>
    /^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word),
  );
  return `${words.join(" ")}${withNames(Object.keys(entry.env))}`;
}

const withNames = (names: readonly string[]): string => (names.length === 0 ? "" : ` (with ${names.join(", ")})`);

/** An address without the values in it that may be keys. */
export const shownUrl = (url: string): string =>
  url.replace(/^([^/?#]*:\/\/)[^/?#]*@/u, "$1…@").replace(/([?&][^=&#]*=)[^&#]*/gu, "$1…");
