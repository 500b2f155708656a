import { join } from "node:path";
import { sha256 } from "../../core/json.ts";
import type { PinnedRoots, Tool } from "../../core/tool.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { ServerEntry, ServerOrigin } from "../../tools/mcp/entry.ts";
import { mcpTool } from "../../tools/mcp/mcp-tool.ts";
import { McpServer } from "../../tools/mcp/server.ts";
import { openServerLog } from "../../tools/mcp/server-log.ts";
import { type FoundServer, findServer, findServers, folderOf, type Search } from "./find-servers.ts";

/** What servers are started with here. */
export interface ServerPlace extends Search {
  /** The whole environment of each, but for what its entry adds. */
  serverEnv: Readonly<Record<string, string>>;
  logs: string;
  version: string;
  pins?: PinnedRoots | undefined;
}

/** The servers of one session. */
export interface OpenedServers {
  tools: Tool[];
  sourceOf(tool: Tool): string | undefined;
  /** Servers and tools that the session does without, and why. */
  off: { name: string; origin: ServerOrigin; why: string }[];
  close(): Promise<void>;
}

/** Where a server's words are kept. A project's has the hash of its workspace in it: another project may have one of its name. */
export const logFileOf = (logs: string, { name, origin }: Pick<FoundServer, "name" | "origin">, workspace: string) =>
  join(logs, "mcp", origin === "user" ? `${name}.log` : `${name}-${sha256(workspace).slice(0, 8)}.log`);

/** A server that is not started before it is asked for. @param refuses why it is off now, of the program that was found for it */
export function serverOf(
  found: Pick<FoundServer, "name" | "origin">,
  entry: ServerEntry,
  place: ServerPlace,
  refuses: (program?: string) => Promise<string | undefined>,
): McpServer {
  const { workspace, serverEnv: env, logs, version, pins } = place;
  const cwd = folderOf(found, place);
  if (found.origin === "user") makeFolder(cwd);
  const log = openServerLog(logFileOf(logs, found, workspace));
  return new McpServer(found.name, { entry, workspace, cwd, env, log, version, pins, refuses });
}

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
      off.push({ name, origin, why: why ?? "it is not trusted" });
      continue;
    }
    const server = serverOf(found, ready, place, (program) => whyOff(found, place, program));
    servers.push(server);
    const files = Object.entries(scripts).map(([path, sha]) => ({ path, sha }));
    for (const definition of trusted.tools) {
      const tool = mcpTool({ server, scripts: files }, definition);
      if (taken.has(tool.name))
        off.push({ name, origin, why: `its tool ${tool.name} is left out, for another has its name` });
      else sources.set(tool, `mcp ${name}`);
      taken.add(tool.name);
    }
  }
  return {
    tools: [...sources.keys()],
    sourceOf: (tool) => sources.get(tool),
    off,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

/** As it is now: an entry, a script or a trust that was another one when the session began is not started again. */
export async function whyOff(
  found: Pick<FoundServer, "name" | "origin">,
  place: ServerPlace,
  program?: string,
): Promise<string | undefined> {
  const now = await findServer(place, found, { program });
  return now === undefined ? "its entry is gone" : now.why;
}
