import { isIP } from "node:net";
import type { JsonObject } from "../../core/json.ts";
import { hostOf, isLocalName, isThisMachine, rangeOf } from "../../net/addresses.ts";
import { addressComplaint } from "../../tools/mcp/address.ts";
import { isReached, readEntry, serverName, variablesIn, wrongServerName } from "../../tools/mcp/entry.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { importServers } from "../../words/en/import-servers.ts";
import type { FoundSetting, Scope } from "./found.ts";
import { Named, type Stated, statedBy } from "./server-settings.ts";
import { decidesStart, harmless, harmlessUrl, isHarmlessName } from "./server-words.ts";

/** A server of another program. */
export interface Server {
  scope: Scope;
  from: string;
  program: string;
  name: string;
  given: unknown;
  isOff: boolean;
  /** It is for one project: what starts it may be looked for there. */
  isOfProject: boolean;
  /** The PATH in which programs are looked for. */
  path: string | undefined;
}

type Taken = Extract<FoundSetting, { kind: "server" }>;

/** Of one server. */
const most = { words: 100, values: 50 };

/** The entry that it would be here, with a variable for each value, or why there is none; nothing in it may be a secret. */
export async function serverFound(server: Server): Promise<Taken> {
  const { scope, from, program, name, given, isOff, isOfProject, path } = server;
  const wrongName = serverName.test(name) ? hidden([name], importServers().itsName) : wrongServerName;
  const base = { kind: "server" as const, scope, from, name: wrongName === undefined ? name : "…", needs: [] };
  const said = wrongName ?? (isOff ? importServers().off : statedBy(given, program));
  if (typeof said === "string") return { ...base, why: said };
  const wrong = unfit(said);
  if (wrong !== undefined) return { ...base, why: wrong };
  if (said.url === undefined && isOfProject) return { ...base, why: importServers().startedFor({ name }) };
  const made = said.url === undefined ? await started(said, { name, path, program }) : reached(said, { name, program });
  const greedy = scope === "project" ? greedyOf(made.entry) : undefined;
  const { entry, values: needs, add } = made;
  const why = greedy ?? made.why ?? wrongEntry(entry);
  if (why === undefined) return { ...base, entry, needs };
  // With words of the person in the place of what is not known it could be used; with another fault it could not.
  return why !== made.why || add === undefined ? { ...base, why } : { ...base, why, needs, add };
}

const hidden = (names: readonly string[], what: string): string | undefined =>
  names.every(isHarmlessName) ? undefined : importServers().mayHoldSecret({ what });

function unfit({ words, env, headers }: Stated): string | undefined {
  const labels = [...Object.keys(env), ...Object.keys(headers)];
  if (labels.length > most.values || words.length > most.words) return importServers().tooManyWords;
  if (!Object.keys(env).every((label) => /^[A-Za-z_]\w*$/u.test(label))) return importServers().envName;
  const variables = [env, headers].flatMap((given) =>
    Object.values(given).flatMap((value) => (value instanceof Named ? [value.variable] : [])),
  );
  return hidden(labels, importServers().label) ?? (variables.every(isVariable) ? undefined : importServers().variable);
}

/** The variable that stands for the workspace here, and of other programs' in one alone. */
const folder = "workspaceFolder";

/** Tells whether it may be named here, and means a variable of the environment. */
const isVariable = (name: string): boolean => name !== folder && isHarmlessName(name);

/**
 * Tells, in words, what a project's entry would have as one of the person's, and has not as the project's: variables of theirs, and places
 * of their network.
 */
function greedyOf(entry: JsonObject): string | undefined {
  if (variablesIn(JSON.stringify(entry)).some((name) => name !== folder)) return importServers().takesVariables;
  return isOfNetwork(String(entry["url"])) ? importServers().leadsIntoNetwork : undefined;
}

function isOfNetwork(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = hostOf(new URL(url));
  return !isThisMachine(host) && (isLocalName(host) || (isIP(host) !== 0 && rangeOf(host) !== "public"));
}

interface Made {
  entry: JsonObject;
  /** Variables whose values stand there. */
  values: string[];
  /** The command that takes it, with what is for the person to fill in; none where that is not to be taken. */
  add?: string;
  why?: string;
}

interface Of {
  name: string;
  program: string;
  path?: string | undefined;
}

async function started({ words: given, env }: Stated, { name, program, path }: Of): Promise<Made> {
  const words = given.map((word) => referenceIn(word, program)?.text ?? word);
  const known = await harmless({ words: given, env: Object.keys(env), path });
  const isSaid = words.map((_, at) => known[at] === true || referenceIn(given[at] ?? "", program) !== undefined);
  const values = valuesOf(env, { name, program });
  const deciding = values.literals.find(decidesStart);
  const [command = "", ...args] = words;
  const options = Object.entries(values.said).map(([label, value]) => ` --env '${label}=${value}'`);
  const line = words.map((word, at) =>
    isSaid[at] === true ? shellWord(word) : at === 0 ? "'<program>'" : `'<argument ${at}>'`,
  );
  return {
    entry: {
      command,
      ...(args.length === 0 ? {} : { args }),
      ...(options.length === 0 ? {} : { env: values.said }),
    },
    values: values.own,
    ...(deciding === undefined
      ? { add: `${mcp.add({ name })}${options.join("")} -- ${line.join(" ")}`, ...whyNot(isSaid) }
      : { why: importServers().decides({ variable: deciding }) }),
  };
}

function whyNot(isSaid: readonly boolean[]): { why?: string } {
  const wrong = isSaid.flatMap((is, at) =>
    is ? [] : [at === 0 ? importServers().itsProgram : importServers().itsArgument({ nth: at })],
  );
  const names = importServers().several({ names: wrong.slice(0, 5), more: wrong.length > 5 });
  return wrong.length === 0 ? {} : { why: importServers().others({ names }) };
}

function reached({ url = "", headers }: Stated, { name, program }: Of): Made {
  const known = harmlessUrl(url);
  const values = valuesOf(headers, { name, program });
  const options = Object.entries(values.said).map(([label, value]) => ` --header '${label}: ${value}'`);
  return {
    entry: { type: "http", url: known ?? "", ...(options.length === 0 ? {} : { headers: values.said }) },
    values: values.own,
    add: `${mcp.add({ name })} --url ${known === undefined ? "'<url>'" : shellWord(known)}${options.join("")}`,
    ...(known === undefined ? { why: importServers().noPlainUrl } : {}),
  };
}

/**
 * Each value as a variable: that which it names, or one of the server's own, which the person is to set. Never one of the label's name:
 * that may be set to something else here.
 */
function valuesOf(given: Record<string, unknown>, { name, program }: Pick<Of, "name" | "program">) {
  const said: Record<string, string> = {};
  const own: string[] = [];
  const literals: string[] = [];
  for (const [label, value] of Object.entries(given)) {
    const found = referenceOf(value, program);
    const variable = `MCP_${name}_${label}`.replace(/\W/gu, "_").toUpperCase();
    said[label] = found ?? `\${${variable}}`;
    if (found !== undefined) continue;
    own.push(variable);
    literals.push(label);
  }
  return { said, own, literals };
}

/** A value that is a variable, behind the word of its kind, in ours. */
function referenceOf(value: unknown, program: string): string | undefined {
  if (value instanceof Named) return `${value.before}\${${value.variable}}`;
  const [, before = "", text = ""] =
    /^(Bearer |Basic |Token )?(.*)$/su.exec(typeof value === "string" ? value : "") ?? [];
  const found = referenceIn(text, program);
  return found?.variable === undefined ? undefined : `${before}${found.text}`;
}

const forms: Readonly<Record<string, RegExp>> = {
  vscode: /^\$\{(?:env:([A-Za-z_]\w*)|(workspaceFolder))\}$/u,
  gemini: /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/u,
  opencode: /^\{env:([A-Za-z_]\w*)\}$/u,
  // In a text of its none is one.
  codex: /(?!)/u,
  any: /^\$\{([A-Za-z_]\w*)\}$/u,
};

/** A variable that a whole word names in the program's own way, in ours. */
function referenceIn(word: string, program: string): { text: string; variable: string } | undefined {
  const [, first, second] = (word.length > 100 ? undefined : (forms[program] ?? forms["any"])?.exec(word)) ?? [];
  const variable = first ?? second;
  const isKnown = variable !== undefined && (isVariable(variable) || (program === "vscode" && second === folder));
  return isKnown ? { text: `\${${variable}}`, variable } : undefined;
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the complaint that it would meet where it is used. */
function wrongEntry(entry: JsonObject): string | undefined {
  const read = readEntry(entry);
  if (typeof read === "string") return read;
  return isReached(read) ? addressComplaint(read, "user") : undefined;
}
