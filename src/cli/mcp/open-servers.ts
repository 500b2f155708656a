import { lookup as systemLookup } from "node:dns/promises";
import { join } from "node:path";
import type { HostFact } from "../../core/host-fact.ts";
import { sha256 } from "../../core/json.ts";
import type { PinnedRoots, Tool } from "../../core/tool.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { proxiesOf } from "../../net/proxies.ts";
import { keysIn, namedHost } from "../../tools/mcp/address.ts";
import { BrowserWay, type Traffic } from "../../tools/mcp/browser/browser-way.ts";
import {
  inWorkspace,
  isReached,
  type ReachedEntry,
  type ServerEntry,
  type ServerOrigin,
  type StartedEntry,
} from "../../tools/mcp/entry.ts";
import { mcpTool } from "../../tools/mcp/mcp-tool.ts";
import { toolNameOf } from "../../tools/mcp/names.ts";
import { McpServer, type ServerSpec } from "../../tools/mcp/server.ts";
import { openServerLog } from "../../tools/mcp/server-log.ts";
import { startServer } from "../../tools/mcp/started-server.ts";
import { mcpServers as words } from "../../words/en/mcp-servers.ts";
import { type FoundServer, findServer, findServers, folderOf, type Search } from "./find-servers.ts";
import { signInOf } from "./signed-in.ts";

/** The means by which servers are started here. */
export interface ServerPlace extends Search {
  /** The whole environment of each, but for what its entry adds. */
  serverEnv: Readonly<Record<string, string>>;
  logs: string;
  /** The folder of the secrets, where sign-ins are kept too. */
  secrets: string;
  version: string;
  pins?: PinnedRoots | undefined;
  /** Takes the values of secrets out of what a server says. */
  masked?: ((line: string) => string) | undefined;
  /** Judges, by the rules, a host of which a page of a browser wants something. @param tool the one that goes to pages */
  traffic(host: HostFact, tool: string): Promise<Traffic>;
}

/** The servers of one session. */
export interface OpenedServers {
  tools: Tool[];
  sourceOf(tool: Tool): string | undefined;
  /** Servers and tools that the session does without, and why. */
  off: { name: string; origin: ServerOrigin; why: string }[];
  /** The URL of the page that a browser among them shows: of one, where there are several; without it none is one. */
  page?: () => string | undefined;
  /** Those that are on. */
  servers: readonly McpServer[];
  close(): Promise<void>;
}

/**
 * Returns the path of the file that keeps a server's words. A project's has the hash of its workspace in it: another project may have one
 * of its name.
 */
export const logFileOf = (logs: string, { name, origin }: Pick<FoundServer, "name" | "origin">, workspace: string) =>
  join(logs, "mcp", origin === "user" ? `${name}.log` : `${name}-${sha256(workspace).slice(0, 8)}.log`);

/** A server that is neither started nor spoken to before it is asked for. @param refuses why it is off now, of the program that was found for it */
export function serverOf(
  found: Pick<FoundServer, "name" | "origin" | "entry" | "trusted">,
  entry: ServerEntry,
  place: ServerPlace,
  refuses: (program?: string) => Promise<string | undefined>,
): McpServer {
  const way = isReached(entry) ? reachedBy(found, entry, place) : startedBy(found, entry, place);
  const mayAskModel = entry.sampling === "ask" && found.origin === "user";
  return new McpServer(found.name, {
    ...way,
    only: entry.tools,
    mayAskModel,
    era: found.trusted?.era,
    version: place.version,
    refuses,
  });
}

type Way = Pick<ServerSpec, "cwd" | "host" | "browser" | "connect">;

function startedBy(found: Pick<FoundServer, "name" | "origin">, entry: StartedEntry, place: ServerPlace): Way {
  const { workspace, serverEnv: env, pins } = place;
  const cwd = folderOf(found, place);
  if (found.origin === "user") makeFolder(cwd);
  const spec = { entry, workspace, cwd, env, pins, log: logOf(found, place) };
  if (entry.isBrowser !== true) return { cwd, connect: (heard, signal) => startServer(spec, heard, signal) };
  const tool = toolNameOf(found.name, "browser_navigate");
  const way = { ...wayOf(place.env), known: new Map() };
  const browser = new BrowserWay(way, (host) => place.traffic(host, tool));
  return {
    cwd,
    browser,
    connect: async (heard, signal) =>
      (await import("../../tools/mcp/browser/browser-server.ts")).startBrowserServer(spec, browser, heard, signal),
  };
}

/** Makes a server that is reached over HTTP. The module that speaks it is loaded with the first server that is spoken to so. */
function reachedBy(
  { entry: written, ...found }: Pick<FoundServer, "name" | "origin" | "entry">,
  entry: ReachedEntry,
  place: ServerPlace,
): Way {
  const { workspace, version, env } = place;
  const keys = keysIn(written !== undefined && isReached(written) ? inWorkspace(written, workspace) : entry, entry);
  const way = wayOf(env);
  const signIn = signInOf(found, entry, { ...place, way });
  const spec = { entry, origin: found.origin, keys, signIn, workspace, way, version, log: logOf(found, place) };
  return {
    cwd: workspace,
    host: namedHost(entry),
    connect: async (heard) => (await import("../../tools/mcp/reached-server.ts")).reachServer(spec, heard),
  };
}

/** Returns the proxies and the lookup by which servers over HTTP are reached. */
export const wayOf = (env: ServerPlace["env"]) => ({ proxies: proxiesOf(env), lookup: lookupAll });

const logOf = (found: Pick<FoundServer, "name" | "origin">, { logs, workspace, masked }: ServerPlace) =>
  openServerLog(logFileOf(logs, found, workspace), masked);

const lookupAll = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Those that are trusted, with the tools that were; the rest is off. @param others names that no tool of theirs may have */
export async function openServers(place: ServerPlace, others: ReadonlySet<string>): Promise<OpenedServers> {
  const taken = new Set(others);
  const all = await findServers(place);
  const off: OpenedServers["off"] = [];
  const servers: McpServer[] = [];
  const sources = new Map<Tool, string>();
  for (const found of all) {
    const { name, origin, ready, trusted, why, scripts } = found;
    if (why !== undefined || ready === undefined || trusted === undefined) {
      off.push({ name, origin, why: why ?? words().untrusted });
      continue;
    }
    const server = serverOf(found, ready, place, (program) => whyOff(found, place, program));
    servers.push(server);
    const files = Object.entries(scripts).map(([path, sha]) => ({ path, sha }));
    const { secrets, urlPatterns = {} } = ready;
    for (const tool of Object.keys(urlPatterns).filter((one) => trusted.tools.every((known) => known.name !== one)))
      off.push({ name, origin, why: words().noTool({ tool }) });
    for (const definition of trusted.tools) {
      const tool = mcpTool({ server, scripts: files, secrets, urlPatterns }, definition);
      if (taken.has(tool.name)) off.push({ name, origin, why: words().hasOthersName({ tool: tool.name }) });
      else sources.set(tool, `mcp ${name}`);
      taken.add(tool.name);
    }
  }
  const browsers = servers.flatMap(({ browser }) => browser ?? []);
  return {
    ...(browsers.length === 0 ? {} : { page: () => onlyPage(browsers) }),
    servers,
    tools: [...sources.keys()],
    sourceOf: (tool) => sources.get(tool),
    off,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

function onlyPage(browsers: readonly BrowserWay[]): string | undefined {
  const [url, ...others] = browsers.flatMap(({ pageUrl }) => pageUrl ?? []);
  return others.length === 0 ? url : undefined;
}

/** As it is now: an entry, a script or a trust that was another one when the session began is not started again. */
export async function whyOff(
  found: Pick<FoundServer, "name" | "origin">,
  place: ServerPlace,
  program?: string,
): Promise<string | undefined> {
  const now = await findServer(place, found, { program });
  return now === undefined ? words().isGone : now.why;
}
