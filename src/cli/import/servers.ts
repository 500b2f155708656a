import { variablesIn } from "../../tools/mcp/entry.ts";
import { importServers } from "../../words/en/import-servers.ts";
import type { FoundSetting, Gathered } from "./found.ts";
import { serverFound } from "./server-entry.ts";
import { isObject, type Looked, type Source } from "./sources.ts";

/** More servers in one file nobody has. */
const mostServers = 50;

export interface Way {
  program: "claude" | "codex" | "gemini" | "opencode" | "vscode";
  isOff?: (name: string) => boolean;
  /** They are for one project, whoever named them. */
  isOfProject?: true;
}

/** The servers that a file names. */
export async function serversIn(
  source: Source,
  servers: unknown,
  { program, isOff = () => false, isOfProject }: Way,
  { env }: Looked,
  { found }: Gathered,
): Promise<void> {
  const { scope, from } = source;
  const none = (why: string): void => void found.push({ kind: "left_out", scope, from, what: "servers", why });
  if (servers === undefined) return;
  if (!isObject(servers)) return none(importServers().wrongList);
  const listed = Object.entries(servers);
  if (listed.length > mostServers) return none(importServers().tooMany({ most: mostServers }));
  const of = { scope, from, program, path: env["PATH"], isOfProject: isOfProject ?? scope === "project" };
  for (const [name, given] of listed) found.push(await serverFound({ ...of, name, given, isOff: isOff(name) }));
}

/** The servers and words that the person's own settings have already. */
export interface Known {
  servers: readonly string[];
  /** Words that may be names of variables. */
  words: readonly string[];
}

/** Those of which another of the name comes first, or is there already, are not taken: nothing is overwritten. So are those whose value would be another's. */
export function withoutKnown(found: readonly FoundSetting[], { servers, words }: Known): FoundSetting[] {
  const at: Met = { names: new Set(servers), said: new Set(words), own: new Set() };
  return found.map((one) => {
    const why = one.kind === "server" ? wrongBeside(one, at) : undefined;
    if (one.kind !== "server" || why === undefined) return one;
    const { entry, add: _, ...rest } = one;
    return { ...rest, needs: [], ...(entry === undefined ? {} : { why }) };
  });
}

/** Returns the reason for which a server cannot be beside those that were met, or the line that would take it; else it is one of them from now on. */
function wrongBeside(
  { name, entry, add = "", needs }: Extract<FoundSetting, { kind: "server" }>,
  at: Met,
): string | undefined {
  if (at.names.has(name)) return importServers().isThere;
  if (entry === undefined) return takenTwice(add, needs, at);
  const why = takenTwice(JSON.stringify(entry), needs, at);
  if (why === undefined) at.names.add(name);
  return why;
}

/** The servers and variables that were met so far. */
interface Met {
  names: Set<string>;
  /** Variables that are named. */
  said: Set<string>;
  /** Those of them that the person is yet to set. */
  own: Set<string>;
}

function takenTwice(text: string, needs: readonly string[], { said, own }: Met): string | undefined {
  const variables = variablesIn(text);
  const twice = variables.find((name) =>
    needs.includes(name) ? said.has(name) || isSeveral(variables, name) : own.has(name),
  );
  if (twice !== undefined) return importServers().otherVariable({ twice });
  for (const name of variables) said.add(name);
  for (const name of needs) own.add(name);
  return undefined;
}

const isSeveral = (names: readonly string[], name: string): boolean => names.indexOf(name) < names.lastIndexOf(name);
