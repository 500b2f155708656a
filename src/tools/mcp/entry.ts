import { canonicalJson, isJsonObject, type Json, type JsonObject, type Sha, sha256 } from "../../core/json.ts";

/** A server of stdio as settings name it, in the shape that all clients read. */
export interface ServerEntry {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Who put it there: the person's settings, or the project. */
export type ServerOrigin = "user" | "project";

/** What a server is called: part of its tools' names, and of its log's. */
export const serverName = /^[A-Za-z0-9][\w.-]{0,63}$/;

export const wrongServerName =
  "a server's name begins with a letter or a digit and has letters, digits, _, - and . in it";

/** An entry as it stands in a file of settings, or why it is none that can be used here, in words. */
export function readEntry(given: Json): ServerEntry | string {
  if (!isJsonObject(given)) return "it is no object";
  const { command, args = [], env = {}, type = "stdio", url } = given;
  if (url !== undefined || type !== "stdio")
    return "it is reached over HTTP, and this version starts servers of stdio alone";
  if (typeof command !== "string" || command.trim() === "") return "it has no command";
  if (!Array.isArray(args) || !args.every(isText)) return "its args are no list of texts";
  if (!isJsonObject(env) || !Object.values(env).every(isText)) return "its env is no object of texts";
  const texts = [command, ...args, ...Object.entries(env).flat()] as string[];
  if (texts.some((text) => text.includes("\0"))) return "it has a NUL character in it";
  return { command, args: args as string[], env: env as Record<string, string> };
}

const isText = (value: Json | undefined): value is string => typeof value === "string";

/** Each part of an entry by its hash, so that it can be said which of them is another one; no value can be read from it. */
export function entryHashes(given: JsonObject): Record<string, Sha> {
  const { env, ...rest } = given;
  const parts: [string, Json][] = [
    ...Object.entries(rest).map(([name, value]): [string, Json] => [
      /^(?:env\.|")/u.test(name) ? JSON.stringify(name) : name,
      value,
    ]),
    ...(isJsonObject(env) ? Object.entries(env).map(([name, value]): [string, Json] => [`env.${name}`, value]) : []),
  ];
  return Object.fromEntries(parts.map(([name, value]) => [name, sha256(canonicalJson(value))]));
}

const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;

/** An entry in which variables of the environment are named: only the person's own settings may. */
export const namesVariables = ({ command, args, env }: ServerEntry): boolean =>
  [command, ...args, ...Object.values(env)].some((text) => text.search(variable) >= 0);

/** `${NAME}` and `${NAME:-else}` replaced, or the name of the first that is not set. */
export function withVariables(
  { command, args, env }: ServerEntry,
  known: Readonly<Record<string, string | undefined>>,
): ServerEntry | { missing: string } {
  let missing: string | undefined;
  const filled = (text: string): string =>
    text.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const value = known[name] ?? otherwise;
      if (value === undefined) missing ??= name;
      return value ?? "";
    });
  const made = {
    command: filled(command),
    args: args.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
  };
  return missing === undefined ? made : { missing };
}

/** Programs that fetch what they run, and the words behind which it stands. */
const fetching: readonly (readonly string[])[] = [
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
export function unpinnedPackage({ command, args }: ServerEntry): string | undefined {
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

/** As a person reads it: what would be started. Values of its environment are not shown. */
export function entryText({ command, args, env }: ServerEntry): string {
  const words = [command, ...args].map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word)));
  const names = Object.keys(env);
  return `${words.join(" ")}${names.length === 0 ? "" : ` (with ${names.join(", ")})`}`;
}
