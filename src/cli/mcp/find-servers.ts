import { relative } from "node:path";
import { canonicalJson, isJsonObject, type Json, type JsonObject, type Sha } from "../../core/json.ts";
import { plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { isInside } from "../../files/boundary.ts";
import { readByHand, readProjectFile } from "../../policy/files/policy-file.ts";
import { isSameServer, type TrustedEntry, trustedServers } from "../../policy/files/server-trust.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import { addressComplaint } from "../../tools/mcp/address.ts";
import { browserComplaint } from "../../tools/mcp/browser/browser-way.ts";
import {
  entryHashes,
  isOfWorkspace,
  isReached,
  namesVariables,
  readEntry,
  type ServerEntry,
  type ServerOrigin,
  serverName,
  withVariables,
  wrongServerName,
} from "../../tools/mcp/entry.ts";
import { FileHashes } from "../../tools/mcp/file-hashes.ts";
import { startFiles } from "../../tools/mcp/start-files.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { mcpServers as words } from "../../words/en/mcp-servers.ts";

/** A server as settings name it, and whether it may be started. */
export interface FoundServer {
  name: string;
  origin: ServerOrigin;
  /** As it is written. */
  entry?: ServerEntry;
  /** With what stands for its variables; where it can be started at all. */
  ready?: ServerEntry;
  /** Each part of its entry by its hash. */
  hashes: Record<string, Sha>;
  /** Each file that starts it; none where it is not trusted, unless it is to be shown. */
  scripts: Record<string, Sha>;
  /** As the person trusted it, whether or not it still is so. */
  trusted?: TrustedEntry;
  /** The reason for which it is off, in words; undefined where it is on. */
  why?: string;
  /** It can be started once it is trusted. */
  waits?: true;
}

/** The file of the project's servers, relative to the workspace: other programs read it too. */
export const projectServersFile = ".mcp.json";

export interface Search {
  /** As config.json has them. */
  named: Readonly<Record<string, JsonObject>>;
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /**
   * The folder in which the person's own servers run: nothing of a project lies there that would be run in the place of the programs that
   * they named.
   */
  ownFolder: string;
  /** The workspace and what was added to it. */
  roots: readonly string[];
  /** The PATH that servers get. */
  path: string | undefined;
  trustFile: string;
  trusted(): Promise<TrustState>;
}

/** The extent of one look: the servers that are looked at, and how closely. */
export interface Look {
  /** No other is looked at. */
  only?: string;
  /** The files of this one are read before it is trusted. */
  toShow?: string;
  /** The program of that only one, as it was found. */
  program?: string | undefined;
}

/** All that one look has. */
interface Looking extends Look {
  search: Search;
  rows: readonly TrustedEntry[];
  files: FileHashes;
}

/**
 * All servers that settings name for work in this folder: the person's first, then the project's. One after another, and of what nobody
 * trusted no file is read.
 */
export async function findServers(search: Search, look: Look = {}): Promise<FoundServer[]> {
  const looking = { ...look, search, rows: await trustedServers(search.trustFile), files: new FileHashes() };
  const found: FoundServer[] = [];
  for (const [name, given] of Object.entries(search.named))
    if (isMeant(name, look)) found.push(await foundOf({ name, given, origin: "user" }, looking));
  return [...found, ...(await projectServers(looking))];
}

/** As it is now. @param program what was found to be its program, where that is to be the one that was trusted */
export async function findServer(
  search: Search,
  { name, origin }: Pick<FoundServer, "name" | "origin">,
  look: Omit<Look, "only">,
): Promise<FoundServer | undefined> {
  return (await findServers(search, { ...look, only: name })).find((one) => one.name === name && one.origin === origin);
}

/** Tells whether it would be started by the same, byte for byte. */
export const isSameStart = (one: FoundServer, other: FoundServer): boolean =>
  canonicalJson([one.ready, one.hashes, one.scripts]) === canonicalJson([other.ready, other.hashes, other.scripts]);

const isMeant = (name: string, { only }: Look): boolean => only === undefined || only === name;

async function projectServers(looking: Looking): Promise<FoundServer[]> {
  const { search } = looking;
  const off = (name: string, why: string): FoundServer => ({ name, origin: "project", hashes: {}, scripts: {}, why });
  const read = await readProject(search.workspace);
  if (read === undefined) return [];
  if (typeof read === "string") return [off(projectServersFile, read)];
  const isShown = isTrusted(await search.trusted(), projectServersFile, read.text);
  const found: FoundServer[] = [];
  for (const [name, given] of Object.entries(read.servers)) {
    if (!isMeant(name, looking)) continue;
    if (!serverName.test(name)) found.push(off(name, wrongServerName));
    else if (Object.hasOwn(search.named, name)) found.push(off(name, words().isYours));
    else if (!isJsonObject(given)) found.push(off(name, words().noObject));
    else found.push(await foundOf({ name, given, origin: "project", isShown }, looking));
  }
  return found;
}

/** Undefined where there is no such file; words where it cannot be used. */
async function readProject(
  workspace: string,
): Promise<{ text: string; servers: Readonly<Record<string, Json>> } | string | undefined> {
  try {
    const text = await readProjectFile(workspace, projectServersFile);
    if (text === undefined) return undefined;
    const servers = parsed(text);
    if (servers === undefined) return words().noServers;
    const { most } = limits.mcpServers;
    return Object.keys(servers).length > most ? words().tooMany({ most }) : { text, servers };
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

/** Names of all servers that settings give for work in this folder; whether one can be used is not looked at. */
export async function serverNames({ named, workspace }: Pick<Search, "named" | "workspace">): Promise<string[]> {
  const read = await readProject(workspace);
  return [...Object.keys(named), ...(typeof read === "object" ? Object.keys(read.servers) : [])];
}

/**
 * Finds the trust that the person gave to servers whose entries are as they were then, a project's as long as they trust the project. No
 * file that starts one is read: one of them may be off all the same.
 */
export async function trustedByEntry({
  named,
  workspace,
  trustFile,
  trusted,
}: Pick<Search, "named" | "workspace" | "trustFile" | "trusted">): Promise<TrustedEntry[]> {
  const rows = await trustedServers(trustFile);
  const read = rows.some((row) => row.workspace === workspace) ? await readProject(workspace) : undefined;
  const isShown = typeof read === "object" && isTrusted(await trusted(), projectServersFile, read.text);
  const ofProject = isShown ? read.servers : {};
  return rows.filter((row) => {
    if (row.workspace === undefined) return isAsTrusted(row, named[row.name]);
    return row.workspace === workspace && !Object.hasOwn(named, row.name) && isAsTrusted(row, ofProject[row.name]);
  });
}

const isAsTrusted = (row: TrustedEntry, given: Json | undefined): boolean =>
  isJsonObject(given) && differing(row.entry, entryHashes(given)).length === 0;

/** Names of the servers in the text of a project's file. */
export function serversIn(text: string): string[] {
  try {
    return Object.keys(parsed(text) ?? {});
  } catch {
    return []; // it is told where they are listed
  }
}

/** Returns the folder in which a server that is started runs. */
export const folderOf = (
  { origin }: Pick<FoundServer, "origin">,
  { ownFolder, workspace }: Pick<Search, "ownFolder" | "workspace">,
): string => (origin === "user" ? ownFolder : workspace);

interface Named {
  name: string;
  given: JsonObject;
  origin: ServerOrigin;
  /** The person trusted the project that brings it. */
  isShown?: boolean;
}

async function foundOf({ name, given, origin, isShown = true }: Named, looking: Looking): Promise<FoundServer> {
  const { search, rows } = looking;
  const { env, workspace } = search;
  const base = { name, origin, hashes: entryHashes(given), scripts: {} };
  const entry = readEntry(given);
  if (typeof entry === "string") return { ...base, why: entry };
  const named = { name, ...(origin === "project" ? { workspace } : {}) };
  const row = rows.find((one) => isSameServer(one, named));
  const known = { ...base, entry, ...(row === undefined ? {} : { trusted: row }) };
  const notIts = origin === "project" ? personsAlone(entry) : undefined;
  if (notIts !== undefined) return { ...known, why: words().personsAlone({ what: notIts }) };
  if (isReached(entry) && /^[^/]*(?:\/\/[^/?#]*)?\$\{/u.test(entry.url))
    return {
      ...known,
      why: words().variableInHost,
    };
  if (!isShown) return { ...known, why: words().waitsInProject };
  const ready = origin === "project" ? entry : withVariables(entry, { ...env, workspaceFolder: workspace });
  if ("missing" in ready) return { ...known, why: words().notSet({ variable: ready.missing }) };
  const wrong = isReached(ready) ? addressComplaint(ready, origin) : browserComplaint(ready, origin);
  return wrong === undefined ? withScripts({ ...known, entry, ready }, looking) : { ...known, why: wrong };
}

/** Names, in words, the part of an entry that only the person's settings may have; undefined where it has none. */
function personsAlone(entry: ServerEntry): string | undefined {
  if (namesVariables(entry)) return words().namesVariables;
  if (entry.secrets !== undefined) return words().takesSecrets;
  return entry.sampling === undefined ? undefined : words().asksModel;
}

/** The same with what starts it, and why it is off. */
async function withScripts(
  known: FoundServer & { entry: ServerEntry; ready: ServerEntry },
  looking: Looking,
): Promise<FoundServer> {
  const { name, origin, entry, ready, hashes, trusted: row } = known;
  const { search } = looking;
  const changed = row === undefined ? [] : differing(row.entry, hashes).map((part) => cellWords().itsPart({ part }));
  const isRead = looking.toShow === name || (row !== undefined && changed.length === 0);
  try {
    const scripts = isRead ? await scriptsOf(ready, { origin, row }, looking) : {};
    const others = row === undefined || !isRead ? [] : differing(boundHere(row, entry, search), scripts);
    const why = whyNot(name, row, [...changed, ...others.map((path) => shownIn(search.workspace, path))]);
    return { ...known, scripts, ...(why === undefined ? {} : { why, waits: true as const }) };
  } catch (error) {
    const { ready: _, ...rest } = known;
    return { ...rest, why: error instanceof Error ? error.message : String(error) };
  }
}

const scriptsOf = (
  ready: ServerEntry,
  { origin, row }: { origin: ServerOrigin; row: TrustedEntry | undefined },
  { search, files, program }: Looking,
): Promise<Record<string, Sha>> => {
  if (isReached(ready)) return Promise.resolve({});
  const which = { path: search.path, everywhere: origin === "user", bound: row?.scripts, program };
  return startFiles(ready, { ...startPlaceOf({ origin }, search), ...which }, files);
};

/** Returns the folder in which a server starts, and those of the model there. */
export const startPlaceOf = (found: Pick<FoundServer, "origin">, search: Search) => ({
  cwd: folderOf(found, search),
  roots: search.roots,
});

const liesIn = (roots: readonly string[], path: string): boolean => roots.some((root) => isInside(root, path));

/** Returns the trusted scripts that bind here: of an entry that names the workspace those that were trusted elsewhere are not asked for. */
const boundHere = ({ scripts }: TrustedEntry, entry: ServerEntry, { roots }: Search): Record<string, Sha> =>
  isOfWorkspace(entry) ? Object.fromEntries(Object.entries(scripts).filter(([path]) => liesIn(roots, path))) : scripts;

/** Files to be bound by a new trust: as they are here, and of an entry that names the workspace as they were trusted in others. */
export function scriptsToBind(
  { entry, hashes, scripts, trusted }: FoundServer,
  { roots }: Search,
): Record<string, Sha> {
  if (entry === undefined || trusted === undefined || !isOfWorkspace(entry)) return scripts;
  if (differing(trusted.entry, hashes).length > 0) return scripts;
  const elsewhere = Object.entries(trusted.scripts).filter(([path]) => !liesIn(roots, path));
  return { ...Object.fromEntries(elsewhere), ...scripts };
}

function whyNot(name: string, row: TrustedEntry | undefined, changed: readonly string[]): string | undefined {
  if (row === undefined) return words().waits({ name });
  if (changed.length === 0) return undefined;
  return words().changed({ names: changed.slice(0, 5), name });
}

const shownIn = (workspace: string, path: string): string =>
  isInside(workspace, path) ? relative(workspace, path) : path;

const differing = (before: Readonly<Record<string, Sha>>, now: Readonly<Record<string, Sha>>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]).sort();
