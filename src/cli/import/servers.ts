import { serverName, wrongServerName } from "../../tools/mcp/entry.ts";
import { CliProblem } from "../problem.ts";
import { type Gathered, type Server, type ServerFound, type ServerWritten, sayings, type Without } from "./found.ts";
import { withoutSecrets } from "./masked.ts";
import { entryOf, variablesIn } from "./server-entry.ts";
import { FromEnv, forms, type Said } from "./server-forms.ts";
import { isObject, type Source } from "./sources.ts";

/** Notes the servers of a source, to be settled once all are known. */
export function serversIn(
  { scope, from }: Source,
  servers: unknown,
  how: Pick<Server, "program" | "why" | "isOfFolder">,
  into: Gathered,
): void {
  if (servers === undefined) return;
  if (!isObject(servers))
    into.found.push({ kind: "left_out", scope, from, what: "its servers", why: sayings.wrongType });
  else for (const [name, given] of Object.entries(servers)) into.servers.push({ ...how, scope, from, name, given });
}

/** More servers than this nobody has, and nobody reads. */
const mostServers = 500;
/** Of what is told of one: characters of a name, and names of values. */
const longestName = 200;
const mostNamed = 40;

/** @throws CliProblem where there are more than can be looked at */
export function settledServers(servers: readonly Server[]): ServerFound[] {
  const files = [...new Set(servers.map(({ from }) => from))].join(", ");
  if (servers.length > mostServers)
    throw new CliProblem("failed", `${files}: more than ${mostServers} servers, so nothing was taken over`);
  const all = servers.map((server) => ({
    server,
    said: isObject(server.given) ? forms[server.program](server.given) : undefined,
  }));
  const shared = sharedNames(all.flatMap(({ said }) => said ?? []));
  return all.map(({ server, said }): ServerFound => {
    const { scope, from, name, why } = server;
    const [env = [], headers = []] = [said?.env, said?.headers].map((values) =>
      Object.keys(values ?? {}).slice(0, mostNamed),
    );
    const at = said === undefined ? "" : withoutSecrets(atOf(said)).slice(0, longestName);
    const shown = { kind: "server" as const, scope, from, name: name.slice(0, longestName), at, env, headers };
    const read = why === undefined ? settled(server, said, shared) : { why };
    return { ...shown, ...read };
  });
}

/** A program's name or a server's host; not what stands behind: arguments, paths and queries may hold secrets. */
function atOf({ command, url }: Said): string {
  if (typeof command === "string") return /^[^\s=]+(?!\S)/u.exec(command.trim())?.[0] ?? "";
  return typeof url === "string" && URL.canParse(url) ? new URL(url).origin : "";
}

/** Variables to which several servers give values that differ: one of the environment would hand the one's to the other. */
function sharedNames(all: readonly Said[]): ReadonlySet<string> {
  const values = new Map<string, Set<unknown>>();
  for (const [name, value] of all.flatMap(({ env }) => Object.entries(env)))
    if (!(value instanceof FromEnv)) values.set(name, (values.get(name) ?? new Set()).add(value));
  return new Set([...values].flatMap(([name, { size }]) => (size > 1 ? [name] : [])));
}

type Settled = { why: string } | Pick<ServerWritten, "entry" | "needs" | "without">;

function settled(server: Server, said: Said | undefined, shared: ReadonlySet<string>): Settled {
  if (said === undefined) return { why: "it is no object" };
  if (said.isOff) return { why: "it is turned off there" };
  if (!serverName.test(server.name)) return { why: wrongServerName };
  const entry = entryOf(server, said, shared);
  if (typeof entry === "string") return { why: entry };
  const without = server.isOfFolder === true ? [ofFolder, ...said.without] : said.without;
  return { entry, needs: variablesIn(entry).filter((name) => name !== "workspaceFolder"), without };
}

const ofFolder: Without = {
  key: "its folder",
  why: "it is there for the work in this folder alone, and here for that in every one",
};
