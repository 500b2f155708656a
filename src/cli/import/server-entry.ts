import type { Json, JsonObject } from "../../core/json.ts";
import { addressComplaint } from "../../tools/mcp/address.ts";
import { hasVariable, isReached, readEntry } from "../../tools/mcp/entry.ts";
import { hidesSomething, type Server, sayings } from "./found.ts";
import { withoutSecrets } from "./masked.ts";
import { FromEnv, reference, type Said, spoken, variableName } from "./server-forms.ts";
import { mayHoldSecret } from "./server-secrets.ts";

/** Characters of one that is written. */
const longest = 20_000;

const ofProject =
  "it has values, or names variables, which only your own config.json may: agent mcp add writes it there";

/** A server's entry as it is written, or in words why there is none. @param shared names of variables that others of them have, too */
export function entryOf(server: Server, said: Said, shared: ReadonlySet<string>): JsonObject | string {
  if (said.kind === "sse") return "it speaks the older HTTP of MCP (sse), which this version does not";
  const isOwn = server.scope === "user";
  if (!isOwn && Object.keys({ ...said.env, ...said.headers }).length > 0) return ofProject;
  const entry = said.kind === "started" ? startedBy(server, said, shared) : reachedAt(server, said);
  if (typeof entry === "string") return entry;
  if (!isOwn && variablesIn(entry).length > 0) return ofProject;
  return wrongEntry(entry, server.scope) ?? entry;
}

function wrongEntry(entry: JsonObject, scope: Server["scope"]): string | undefined {
  if (JSON.stringify(entry).length > longest) return `it has more than ${longest} characters`;
  const read = readEntry(entry);
  if (typeof read === "string") return read;
  // With variables in it the address is looked at when they are known.
  const url = (given: string): string => (hasVariable(given) ? "https://localhost" : given);
  return isReached(read) ? addressComplaint({ ...read, url: url(read.url) }, scope) : undefined;
}

function startedBy(server: Server, { command, args, env }: Said, shared: ReadonlySet<string>): JsonObject | string {
  const words = wordsOf(server.program, Array.isArray(args) ? [command, ...args] : [command, undefined]);
  if (typeof words === "string") return words;
  const [program = "", ...rest] = words;
  if (server.scope === "user" && /^(?!\/|\$\{)[^/]*\//u.test(program))
    return "its program is named from the folder that is worked in: name it by its whole path";
  const values = envOf(server, env, shared);
  if (typeof values === "string") return values;
  return {
    command: program,
    ...(rest.length === 0 ? {} : { args: rest }),
    ...(Object.keys(values).length === 0 ? {} : { env: values }),
  };
}

function reachedAt(server: Server, { url: given, headers }: Said): JsonObject | string {
  const words = wordsOf(server.program, [given]);
  if (typeof words === "string") return words;
  const [url = ""] = words;
  const values = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    named(server, value, /^(?:\w+ )?\$\{[A-Za-z_]\w*\}$/u) ?? reference(variableName(`${server.name}_${name}`)),
  ]);
  return { type: "http", url, ...(values.length === 0 ? {} : { headers: Object.fromEntries(values) }) };
}

/** What starts it, or where it is, with variables as they are named here. In words why it cannot be said. */
function wordsOf(program: Server["program"], given: readonly unknown[]): string[] | string {
  const texts = given.filter((one) => typeof one === "string");
  if (texts.length < given.length) return "its command and args, or its url, are no texts";
  if (texts.some(hidesSomething)) return sayings.unseen;
  const words: string[] = [];
  for (const text of texts) {
    const said = spoken[program](text);
    if (typeof said !== "string") return said.why;
    words.push(said);
  }
  return mayHoldSecret(words) ? sayings.secret : words;
}

/** Each value as a variable: the one that it names, or one of its own name. In words why there is none. */
function envOf(server: Server, env: Said["env"], shared: ReadonlySet<string>): Record<string, string> | string {
  const made: [string, string][] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/u.test(name) || name === "__proto__") return "its env has a name that no variable has";
    const own = shared.has(name) ? variableName(`${server.name}_${name}`) : name;
    made.push([name, named(server, value, /^\$\{[A-Za-z_]\w*\}$/u) ?? reference(own)]);
  }
  return Object.fromEntries(made);
}

/** A value that does no more than name a variable, in our words. */
function named({ program }: Server, value: unknown, form: RegExp): string | undefined {
  const given = typeof value === "string" ? spoken[program](value) : undefined;
  const said = value instanceof FromEnv ? `${value.before}${reference(value.name)}` : given;
  return typeof said === "string" && form.test(said) && withoutSecrets(said) === said ? said : undefined;
}

/** Names of the variables of the environment in any text of it. */
export const variablesIn = (entry: JsonObject): string[] => [
  ...new Set(
    textsIn(entry).flatMap((text) =>
      [...text.matchAll(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/gu)].map(([, name = ""]) => name),
    ),
  ),
];

const textsIn = (value: Json): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
