import { relative } from "node:path";
import { isJsonObject, type Json, type JsonObject, type Sha } from "../../core/json.ts";
import { plainValue } from "../../core/json-text.ts";
import { isInside } from "../../files/boundary.ts";
import { readByHand, readProjectFile } from "../../policy/files/policy-file.ts";
import { isSameServer, type TrustedEntry, trustedServers } from "../../policy/files/server-trust.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import {
  entryHashes,
  namesVariables,
  readEntry,
  type ServerEntry,
  type ServerOrigin,
  serverName,
  withVariables,
  wrongServerName,
} from "../../tools/mcp/entry.ts";
import { startFiles } from "../../tools/mcp/start-files.ts";

/** A server as settings name it, and whether it may be started. */
export interface FoundServer {
  name: string;
  origin: ServerOrigin;
  /** As it is written. */
  entry?: ServerEntry;
  /** With what stands for its variables; where it can be started at all. */
  ready?: ServerEntry;
  /** Each part of its entry by its hash, and each file of the workspace that starts it. */
  hashes: Record<string, Sha>;
  scripts: Record<string, Sha>;
  /** As the person trusted it, whether or not it still is so. */
  trusted?: TrustedEntry;
  /** Why it is off, in words; undefined where it is on. */
  why?: string;
  /** It can be started once it is trusted. */
  waits?: true;
}

/** Where the project's servers are, relative to the workspace: a file that other programs read too. */
export const projectServersFile = ".mcp.json";

export interface Search {
  /** As config.json has them. */
  named: Readonly<Record<string, JsonObject>>;
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** Where the person's own servers run: nothing of a project lies there that would be run in the place of what they named. */
  ownFolder: string;
  /** The workspace and what was added to it. */
  roots: readonly string[];
  /** The PATH that servers get. */
  path: string | undefined;
  trustFile: string;
  trusted(): Promise<TrustState>;
}

/** All servers that settings name for work in this folder: the person's first, then the project's. */
export async function findServers(search: Search): Promise<FoundServer[]> {
  const rows = await trustedServers(search.trustFile);
  const own = await Promise.all(
    Object.entries(search.named).map(([name, given]) => foundOf({ name, given, origin: "user" }, rows, search)),
  );
  return [...own, ...(await projectServers(rows, search))];
}

async function projectServers(rows: readonly TrustedEntry[], search: Search): Promise<FoundServer[]> {
  const off = (name: string, why: string): FoundServer => ({ name, origin: "project", hashes: {}, scripts: {}, why });
  const read = await readProject(search.workspace);
  if (read === undefined) return [];
  if (typeof read === "string") return [off(projectServersFile, read)];
  const isShown = isTrusted(await search.trusted(), projectServersFile, read.text);
  return Promise.all(
    Object.entries(read.servers).map(async ([name, given]) => {
      if (!serverName.test(name)) return off(name, wrongServerName);
      if (Object.hasOwn(search.named, name)) return off(name, "your own settings have a server of this name");
      if (!isJsonObject(given)) return off(name, "it is no object");
      const found = await foundOf({ name, given, origin: "project" }, rows, search);
      if (isShown || found.ready === undefined) return found;
      const { waits: _, ...rest } = found;
      return { ...rest, why: "it waits for your trust in this project (agent trust), then in itself" };
    }),
  );
}

/** Undefined where there is no such file; words where it cannot be used. */
async function readProject(
  workspace: string,
): Promise<{ text: string; servers: Readonly<Record<string, Json>> } | string | undefined> {
  try {
    const text = await readProjectFile(workspace, projectServersFile);
    if (text === undefined) return undefined;
    const servers = parsed(text);
    return servers === undefined ? "its mcpServers are no object" : { text, servers };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws PolicyProblem where it is no JSON */
function parsed(text: string): JsonObject | undefined {
  const value = plainValue(readByHand(text, projectServersFile));
  const servers = isJsonObject(value) ? (value["mcpServers"] ?? {}) : undefined;
  return isJsonObject(servers) ? servers : undefined;
}

/** Names of the servers in the text of a project's file. */
export function serversIn(text: string): string[] {
  try {
    return Object.keys(parsed(text) ?? {});
  } catch {
    return []; // it is told where they are listed
  }
}

/** Where a server runs. */
export const folderOf = (
  { origin }: Pick<FoundServer, "origin">,
  { ownFolder, workspace }: Pick<Search, "ownFolder" | "workspace">,
): string => (origin === "user" ? ownFolder : workspace);

interface Named {
  name: string;
  given: JsonObject;
  origin: ServerOrigin;
}

async function foundOf(
  { name, given, origin }: Named,
  rows: readonly TrustedEntry[],
  search: Search,
): Promise<FoundServer> {
  const { env, workspace, roots, path } = search;
  const base = { name, origin, hashes: entryHashes(given), scripts: {} };
  const entry = readEntry(given);
  if (typeof entry === "string") return { ...base, why: entry };
  const named = { name, ...(origin === "project" ? { workspace } : {}) };
  const row = rows.find((one) => isSameServer(one, named));
  const known = { ...base, entry, ...(row === undefined ? {} : { trusted: row }) };
  if (origin === "project" && namesVariables(entry))
    return { ...known, why: "it names variables of your environment, which only your own config.json may" };
  const ready = origin === "project" ? entry : withVariables(entry, { ...env, workspaceFolder: workspace });
  if ("missing" in ready) return { ...known, why: `the variable ${ready.missing} that it names is not set` };
  try {
    const scripts = await startFiles(ready, { cwd: folderOf({ origin }, search), roots, path });
    const why = whyNot(known, row, scripts, workspace);
    return { ...known, ready, scripts, ...(why === undefined ? {} : { why, waits: true as const }) };
  } catch (error) {
    return { ...known, why: error instanceof Error ? error.message : String(error) };
  }
}

function whyNot(
  { name, hashes }: Pick<FoundServer, "name" | "hashes">,
  row: TrustedEntry | undefined,
  scripts: Readonly<Record<string, Sha>>,
  workspace: string,
): string | undefined {
  if (row === undefined) return `it waits for your trust: agent mcp trust ${name}`;
  const changed = [
    ...differing(row.entry, hashes).map((part) => `its ${part}`),
    ...differing(row.scripts, scripts).map((path) => (isInside(workspace, path) ? relative(workspace, path) : path)),
  ];
  if (changed.length === 0) return undefined;
  const most = changed.slice(0, 5).join(", ");
  return `${most} changed since you trusted it: agent mcp trust ${name}`;
}

const differing = (before: Readonly<Record<string, Sha>>, now: Readonly<Record<string, Sha>>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]).sort();
