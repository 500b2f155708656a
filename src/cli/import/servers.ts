import { serverName, wrongServerName } from "../../tools/mcp/entry.ts";
import {
  type Found,
  type Gathered,
  type KnownServers,
  type Scope,
  type Server,
  type ServerFound,
  sayings,
  type Without,
} from "./found.ts";
import { isPlainLabel, isPlainName } from "./plain-names.ts";
import { entryOf, Variables, variablesIn } from "./server-entry.ts";
import { type Said, saidBy } from "./server-forms.ts";
import { plainHost } from "./server-words.ts";
import { sameName } from "./servers-written.ts";
import { isObject, type Source } from "./sources.ts";

/** Servers of one file: of a file with more, none is looked at. */
const mostServers = 100;

interface How extends Pick<Server, "program" | "why" | "isOfFolder"> {
  /** What they stand below. */
  key: string;
  /** Which of them are turned off beside their entries. */
  isOff?: (name: string) => boolean;
}

/** Notes the servers of a source, to be settled once all are known. */
export function serversIn(
  { scope, from }: Source,
  settings: Record<string, unknown>,
  { key, isOff, ...how }: How,
  into: Gathered,
): void {
  const servers = settings[key];
  if (servers === undefined) return;
  const left = (why: string): Found => ({ kind: "left_out", scope, from, what: key, why });
  if (!isObject(servers)) into.found.push(left(sayings.wrongType));
  else if (Object.keys(servers).length > mostServers) into.found.push(left(`it has more than ${mostServers} servers`));
  else
    for (const [index, [name, given]] of Object.entries(servers).entries()) {
      const off = isOff?.(name) === true ? { why: sayings.off } : {};
      into.servers.push({ ...off, ...how, scope, from, name, index: index + 1, given });
    }
}

/** What becomes of each server. @param known what stands already where they go */
export function settledServers(
  servers: readonly Server[],
  known: Readonly<Record<Scope, KnownServers>>,
): ServerFound[] {
  const variables = new Variables(known.user.variables);
  const taken = { user: new Map(known.user.names), project: new Map(known.project.names) };
  return servers.map((server): ServerFound => {
    const { scope, from, name, given } = server;
    const said = server.why === undefined ? saidBy(server) : server.why;
    const shown = { kind: "server" as const, scope, from, name: shownName(server), ...partsOf(given, said) };
    if (typeof said === "string") return { ...shown, why: said };
    const why = wrongName(name) ?? known[scope].wrong ?? besideThose(name, taken[scope], known[scope]);
    if (why !== undefined) return { ...shown, why };
    const entry = entryOf(server, said, variables);
    if (typeof entry === "string") return { ...shown, why: entry };
    taken[scope].set(sameName(name), name);
    const without = server.isOfFolder === true ? [ofFolder, ...said.without] : said.without;
    return { ...shown, entry, needs: variablesIn(JSON.stringify(entry)), without };
  });
}

const ofFolder: Without = {
  key: "its folder",
  why: "it is there for the work in this folder alone, and here for that in every one",
  restricts: true,
};

function wrongName(name: string): string | undefined {
  if (!serverName.test(name)) return wrongServerName;
  return isPlainLabel(name) ? undefined : "its name may hold a secret: agent mcp add takes it";
}

function besideThose(
  name: string,
  taken: ReadonlyMap<string, string>,
  { file, most }: KnownServers,
): string | undefined {
  const other = taken.get(sameName(name));
  const near = other === name ? "of this name" : "of nearly this name";
  if (other !== undefined) return `a server ${near} stands in ${file} already, or comes before this one`;
  return taken.size >= most ? `${file} may have no more than ${most} servers` : undefined;
}

const shownName = ({ name, index }: Server): string =>
  isPlainLabel(name) || isPlainName(name.replace(/[ /:@]/gu, "-")) ? name : `number ${index}`;

/** What can be shown of it: its program's name or its host, and names of the values that it is given. */
function partsOf(given: unknown, said: Said | string) {
  if (typeof said === "string")
    return { at: isObject(given) ? atOf(given["command"], given["url"]) : "", env: [], headers: [] };
  const { words, url, env, headers } = said;
  const names = headers.map(({ name }) => name);
  return { at: atOf(words[0], url), env: env.filter(isPlainLabel), headers: names.filter(isPlainLabel) };
}

function atOf(command: unknown, url: unknown): string {
  const program: unknown = Array.isArray(command) ? command[0] : command;
  return typeof program === "string" && isPlainName(program) ? program : plainHost(url);
}
