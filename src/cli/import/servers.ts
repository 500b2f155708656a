import type { JsonObject } from "../../core/json.ts";
import type { Found, Gathered } from "./found.ts";
import { serverFound } from "./server-entry.ts";
import { isObject, type Looked, type Source } from "./sources.ts";

/** More servers in one file nobody has. */
const mostServers = 50;

export interface Way {
  program: "claude" | "codex" | "gemini" | "opencode" | "vscode";
  isOff?: (name: string) => boolean;
}

/** The servers that a file names. */
export async function serversIn(
  source: Source,
  servers: unknown,
  { program, isOff = () => false }: Way,
  { env }: Looked,
  { found }: Gathered,
): Promise<void> {
  const { scope, from } = source;
  const listed = Object.entries(isObject(servers) ? servers : {});
  if (listed.length > mostServers) {
    const why = `there are more than ${mostServers}: none is taken over`;
    found.push({ kind: "left_out", scope, from, what: "servers", why });
    return;
  }
  for (const [name, given] of listed)
    found.push(await serverFound({ scope, from, program, name, given, isOff: isOff(name), path: env["PATH"] }));
}

/** What the person's own settings have already. */
export interface Known {
  servers: readonly string[];
  /** Words that may be names of variables. */
  words: readonly string[];
}

/** Those of which another of the name comes first, or is there already, are not taken: nothing is overwritten. So are those whose value would be another's. */
export function withoutKnown(found: readonly Found[], { servers, words }: Known): Found[] {
  const at: Met = { names: new Set(servers), said: new Set(words), own: new Set() };
  return found.map((one) => {
    if (one.kind !== "server") return one;
    const { entry, add, ...rest } = one;
    if (entry === undefined) return isFree(variablesIn(add ?? ""), at) ? one : rest;
    const why = at.names.has(one.name) ? "there is a server of this name already" : takenTwice(entry, one.needs, at);
    if (why !== undefined) return { ...rest, needs: [], why };
    at.names.add(one.name);
    for (const name of one.needs) at.own.add(name);
    return one;
  });
}

/** What was met so far. */
interface Met {
  names: Set<string>;
  /** Variables that are named. */
  said: Set<string>;
  /** Those of them that the person is yet to set. */
  own: Set<string>;
}

function takenTwice(entry: JsonObject, needs: readonly string[], { said, own }: Met): string | undefined {
  const variables = variablesIn(JSON.stringify(entry));
  const twice = variables.find((name) =>
    needs.includes(name) ? said.has(name) || isSeveral(variables, name) : own.has(name),
  );
  if (twice !== undefined) return `its variable would be ${twice}, which stands for something else already`;
  for (const name of variables) said.add(name);
  return undefined;
}

/** Whether a line for the person to complete proposes no variable that is another's. */
function isFree(variables: readonly string[], { said }: Met): boolean {
  const proposed = variables.filter((name) => name.startsWith("MCP_"));
  const isOwn = !proposed.some((name) => said.has(name) || isSeveral(proposed, name));
  for (const name of proposed) said.add(name);
  return isOwn;
}

const variablesIn = (text: string): string[] => [...text.matchAll(/\$\{(\w+)\}/gu)].map(([, name = ""]) => name);

const isSeveral = (names: readonly string[], name: string): boolean => names.indexOf(name) < names.lastIndexOf(name);
