import type { Without } from "./found.ts";
import type { Program } from "./programs.ts";
import { isObject } from "./sources.ts";

type Values = Record<string, unknown>;

/** A value that is one of the environment. `before`: what stands before it. */
export class FromEnv {
  readonly name: string;
  readonly before: string;
  constructor(name: string, before = "") {
    this.name = name;
    this.before = before;
  }
}

/** A server as a program says it, in the words that all have. Values are as they stand there, or `FromEnv`. */
export interface Said {
  kind: "started" | "reached" | "sse";
  command: unknown;
  args: unknown;
  env: Values;
  url: unknown;
  headers: Values;
  isOff: boolean;
  without: Without[];
}

const said = ({ kind, ...more }: Partial<Said>, rest: Values): Said => ({
  kind: kind ?? (more.url === undefined ? "started" : "reached"),
  command: undefined,
  args: [],
  env: {},
  url: undefined,
  headers: {},
  isOff: rest["disabled"] === true || rest["enabled"] === false,
  ...more,
  without: without(rest),
});

/** What a program says of a server. @param given any object */
export const forms: Readonly<Record<Program, (given: Values) => Said>> = {
  claude: common,
  vscode: common,
  gemini({ httpUrl, url, type, ...given }) {
    const { kind: _, ...rest } = common(given);
    if (httpUrl !== undefined) return { ...rest, kind: "reached", url: httpUrl };
    const kind = url === undefined ? "started" : type === "http" ? "reached" : "sse";
    return { ...rest, kind, url };
  },
  codex(given) {
    const { command, args = [], env: set, env_vars: passed, url, ...more } = given;
    const { http_headers, env_http_headers, bearer_token_env_var: token, ...rest } = more;
    const names = Array.isArray(passed) ? passed.filter(isText) : [];
    const env = { ...Object.fromEntries(names.map((name) => [name, new FromEnv(name)])), ...objectOr(set) };
    const named = Object.entries(objectOr(env_http_headers)).filter((one): one is [string, string] => isText(one[1]));
    const headers = {
      ...objectOr(http_headers),
      ...Object.fromEntries(named.map(([name, variable]) => [name, new FromEnv(variable)])),
      ...(isText(token) ? { Authorization: new FromEnv(token, "Bearer ") } : {}),
    };
    return said({ command, args, env, url, headers }, rest);
  },
  opencode({ type, command, environment, url, headers, ...rest }) {
    const [program, ...args]: unknown[] = Array.isArray(command) ? command : [command];
    const parts = { env: objectOr(environment), headers: objectOr(headers) };
    return type === "remote" ? said({ url, ...parts }, rest) : said({ command: program, args, ...parts }, rest);
  },
};

function common({ type, command, args = [], env, url, headers, ...rest }: Values): Said {
  const kind = type === "sse" ? "sse" : url === undefined ? "started" : "reached";
  return said({ kind, command, args, env: objectOr(env), url, headers: objectOr(headers) }, rest);
}

const isText = (value: unknown): value is string => typeof value === "string";

const objectOr = (value: unknown): Values => (isObject(value) ? value : {});

export const reference = (name: string): string => `\${${name}}`;

/** Our form of a variable. */
const variable = /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/u;

/** A text of a program's with the variables in it as they are named here, or why it cannot be said. */
export const spoken: Readonly<Record<Program, (text: string) => string | { why: string }>> = {
  claude: (text) => text,
  codex: plain,
  gemini: (text) => text.replace(/\$([A-Za-z_]\w*)/gu, (_, name: string) => reference(name)),
  opencode(text) {
    const found = plain(text);
    if (typeof found !== "string") return found;
    if (/\{file:/u.test(text)) return { why: "it has what stands in a file, which is not read" };
    return text.replace(/\{env:([A-Za-z_]\w*)\}/gu, (_, name: string) => reference(name));
  },
  vscode(text) {
    let strange = false;
    const made = text.replace(/\$\{([^}]*)\}/gu, (whole: string, named: string) => {
      if (named === "workspaceFolder") return whole;
      if (named === "userHome") return reference("HOME");
      const [, kind, name = ""] = /^(env|input):(.+)$/u.exec(named) ?? [];
      const known = kind === "input" ? variableName(name) : name;
      if (kind === undefined || !/^[A-Za-z_]\w*$/u.test(known)) strange = true;
      return reference(known);
    });
    return strange ? { why: "it has a variable of its editor in it that is not known here" } : made;
  },
};

/** Nothing is replaced there that would be here. */
function plain(text: string): string | { why: string } {
  return variable.test(text) ? { why: "it has what would name a variable here in it, and does not there" } : text;
}

/** A name that a variable may have, made of any text. */
export const variableName = (text: string): string =>
  text
    .replace(/\W+/gu, "_")
    .replace(/^(?=\d)/u, "_")
    .toUpperCase();

const trustedAnew = "nothing is trusted or allowed by an import: agent mcp trust, and rules";
const ownLimits = "how long a server may take is the same for all here";
const signIn = "how it is signed in to is not taken over";

/** Settings that say nothing about what a server does. */
const heedless = ["description", "name", "title", "icon", "gallery", "version", "disabled", "enabled", "$schema"];

const reasons: Readonly<Record<string, Omit<Without, "key">>> = {
  ...of(["autoApprove", "alwaysAllow", "trust", "default_tools_approval_mode"], { why: trustedAnew }),
  ...of(["timeout", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"], { why: ownLimits }),
  ...of(["oauth", "auth", "authProviderType", "scopes", "oauth_resource", "headersHelper"], { why: signIn }),
  ...of(["includeTools", "excludeTools", "enabled_tools", "disabled_tools", "disabledTools"], {
    why: "its tools are trusted all together; a deny rule takes one away",
    restricts: true,
  }),
  ...of(["sandbox", "sandboxEnabled"], { why: "a server runs outside of the sandbox here", restricts: true }),
  cwd: { why: "your servers run in a folder of the agent's own, a project's in the workspace: write whole paths" },
  envFile: { why: "the file is not read: what it sets must be set in your environment, and named in env" },
};

function of(keys: readonly string[], told: Omit<Without, "key">): Record<string, Omit<Without, "key">> {
  return Object.fromEntries(keys.map((key) => [key, told]));
}

const mostNamed = 40;

/** Settings of a server that have no place here; those that ask for nothing are not told. */
const without = (rest: Values): Without[] =>
  Object.entries(rest)
    .filter(([key, value]) => !heedless.includes(key) && !asksNothing(value))
    .slice(0, mostNamed)
    .map(([key]) => ({
      key: key.slice(0, 100),
      ...((Object.hasOwn(reasons, key) ? reasons[key] : undefined) ?? { why: "it is not known here" }),
    }));

const asksNothing = (value: unknown): boolean =>
  value === false || value === null || value === undefined || (Array.isArray(value) && value.length === 0);
