import type { JsonObject } from "../../core/json.ts";
import { addressComplaint } from "../../tools/mcp/address.ts";
import { hasVariable, isReached, readEntry } from "../../tools/mcp/entry.ts";
import type { Scope, Server } from "./found.ts";
import { isPlainLabel } from "./plain-names.ts";
import type { Said } from "./server-forms.ts";
import { plainWords, readUrl } from "./server-words.ts";

/** Of one server: words that start it, and names of values. */
const mostWords = 100;
const mostValues = 50;

const ofProject =
  "it needs values that are not copied, and a project's file names no variables: agent mcp add takes it into your own config.json, where it may";

/** Names of variables, each for one value of one server: no other server is ever given it. */
export class Variables {
  readonly #taken: Set<string>;

  /** @param taken names that stand for something already */
  constructor(taken: ReadonlySet<string>) {
    this.#taken = new Set(taken);
  }

  /** A name that nothing else has, as it is referred to. */
  of(server: string, ...place: readonly (string | number)[]): string {
    const name = ["MCP", server, ...place].join("_").replace(/\W/gu, "_").toUpperCase();
    let free = name;
    for (let at = 2; this.#taken.has(free); at += 1) free = `${name}_${at}`;
    this.#taken.add(free);
    return `\${${free}}`;
  }
}

/** A server's entry as it is written, with a variable for all that may be a secret; or in words why there is none. */
export function entryOf(
  { name, scope }: Pick<Server, "name" | "scope">,
  said: Said,
  variables: Variables,
): JsonObject | string {
  const labels = [...said.env, ...said.headers.map((header) => header.name)];
  if (labels.length > mostValues) return `it has more than ${mostValues} values`;
  if (!labels.every(isPlainLabel)) return "a name in its env or its headers may hold a secret";
  const own = { scope, name: (...place: (string | number)[]) => variables.of(name, ...place) };
  const made = said.kind === "started" ? startedBy(said, own) : reachedAt(said, own);
  if (typeof made === "string") return made;
  const entry = { ...made, ...(said.tools === undefined ? {} : { tools: said.tools }) };
  if (scope === "project" && hasVariable(JSON.stringify(entry))) return ofProject;
  return wrongEntry(entry, scope) ?? entry;
}

interface Own {
  scope: Scope;
  name(...place: (string | number)[]): string;
}

function startedBy({ words: given, env, headers }: Said, { scope, name }: Own): JsonObject | string {
  if (headers.length > 0) return "it is started, and has headers";
  if (given.length > mostWords) return `it has more than ${mostWords} words`;
  const words = given.filter((word) => typeof word === "string");
  if (words.length < given.length || words[0]?.trim() === "") return "its command and args are no texts";
  if (!env.every((label) => /^[A-Za-z_]\w*$/u.test(label))) return "its env has a name that no variable has";
  const plain = plainWords(words, scope);
  const [command = "", ...args] = words.map((word, at) =>
    plain[at] === true ? word : at === 0 ? name("COMMAND") : name("ARG", at),
  );
  const values = env.map((label): [string, string] => [label, name(label)]);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(values.length === 0 ? {} : { env: Object.fromEntries(values) }),
  };
}

function reachedAt({ url: given, env, headers }: Said, { name }: Own): JsonObject | string {
  if (env.length > 0) return "it is reached by its url, and has an env";
  if (typeof given !== "string") return "its url is no text";
  const read = readUrl(given);
  if (typeof read === "string") return read;
  const { start, rest, hasQuery } = read;
  const path = rest === "" ? start : `${start}/${name("URL_PATH")}`;
  const values = headers.map(({ name: label, before }): [string, string] => [label, `${before}${name(label)}`]);
  return {
    ...{ type: "http", url: hasQuery ? `${path}?${name("URL_QUERY")}` : path },
    ...(values.length === 0 ? {} : { headers: Object.fromEntries(values) }),
  };
}

/** What would be said of it where it is used. */
function wrongEntry(entry: JsonObject, scope: Scope): string | undefined {
  const read = readEntry(entry);
  if (typeof read === "string") return read;
  // With variables in it the address is looked at when they are known.
  return isReached(read)
    ? addressComplaint({ ...read, url: read.url.replace(/\/?\??\$\{.*$/u, "") }, scope)
    : undefined;
}

const reference = /\$\{([A-Za-z_]\w*)/gu;

/** Names of variables in a text. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(reference)].map(([, name = ""]) => name)),
];
