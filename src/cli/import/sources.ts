import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../core/json.ts";
import type { JsonNode } from "../../core/json-text.ts";
import { readByHand, readPolicyFile, readProjectFile } from "../../policy/files/policy-file.ts";
import type { Found, Scope } from "./found.ts";

/** Where another program's files are looked for. */
export interface Looked {
  /** Real path of the project's folder; undefined where that is the home itself: its files are the person's. */
  workspace: string | undefined;
  /** Of the person; undefined where none is known. */
  home: string | undefined;
}

export interface Source {
  scope: Scope;
  /** As the person knows it: `~/.codex/config.toml`, `.mcp.json`. */
  from: string;
  text: string;
}

/** Reads these files of a scope, as far as they are there: plain UTF-8 files of at most 1 MB, of a project none that lies outside of it. */
export async function readSources(
  at: Looked,
  scope: Scope,
  paths: readonly string[],
  found: Found[],
): Promise<Source[]> {
  const root = scope === "user" ? at.home : at.workspace;
  if (root === undefined) return [];
  const sources: Source[] = [];
  for (const path of paths) {
    const from = scope === "user" ? `~/${path}` : path;
    try {
      const text = await (scope === "user" ? readPolicyFile(join(root, path)) : readProjectFile(root, path));
      if (text !== undefined) sources.push({ scope, from, text: text.replace(/^\ufeff/u, "") });
    } catch (error) {
      found.push({ kind: "unread", scope, from, why: wordsOf(error) });
    }
  }
  return sources;
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

/** What a file says, as one object; undefined where it is no such thing, which is noted. */
export function objectOf(
  { scope, from, text }: Source,
  found: Found[],
  parse: (text: string, from: string) => unknown = (given, name) => plain(readByHand(given, name)),
): Record<string, unknown> | undefined {
  try {
    const value = parse(text, from);
    if (isObject(value)) return value;
    found.push({ kind: "unread", scope, from, why: "it is no object" });
  } catch (error) {
    found.push({ kind: "unread", scope, from, why: wordsOf(error) });
  }
  return undefined;
}

function plain(node: JsonNode): Json {
  if (node.kind === "array") return node.items.map(plain);
  if (node.kind !== "object") return node.value;
  return Object.fromEntries([...node.members].map(([key, { node: value }]) => [key, plain(value)]));
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export const objectAt = (value: unknown, key: string): Record<string, unknown> => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

export const textsAt = (value: unknown, key: string): string[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
};

/** Servers by their names, with where they are and which values they are given, but none of these values. */
export function serversIn({ scope, from }: Source, servers: Record<string, unknown>): Found[] {
  return Object.entries(servers).map(([name, server]) => {
    const at = isObject(server) ? addressOf(server) : "";
    const env = [...Object.keys(objectAt(server, "env")), ...Object.keys(objectAt(server, "environment"))];
    const headers = [...Object.keys(objectAt(server, "headers")), ...Object.keys(objectAt(server, "http_headers"))];
    return { kind: "server", scope, from, name, at, env, headers };
  });
}

/** A program's name or a server's place; not its arguments, nor what stands behind its path: they may hold secrets. */
function addressOf({ command, url, httpUrl }: Record<string, unknown>): string {
  const program = Array.isArray(command) ? command[0] : command;
  if (typeof program === "string") return program;
  const address = typeof url === "string" ? url : typeof httpUrl === "string" ? httpUrl : undefined;
  if (address === undefined || !URL.canParse(address)) return "";
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Folders of commands, skills and agents: named with how much lies in them. */
export async function placesIn(at: Looked, scope: Scope, folders: readonly string[], found: Found[]): Promise<void> {
  const root = scope === "user" ? at.home : at.workspace;
  if (root === undefined) return;
  for (const folder of folders) {
    const names = await readdir(join(root, folder)).catch(() => []);
    if (names.length === 0) continue;
    const from = scope === "user" ? `~/${folder}` : folder;
    const what = `${names.length} ${names.length === 1 ? "entry" : "entries"}`;
    found.push({
      kind: "left_out",
      scope,
      from,
      what,
      why: "commands, skills and agents are not used by this version",
    });
  }
}

/** Instruction files: of the project those that are read here anyway, and those that settings can name. */
export async function instructionsIn(
  at: Looked,
  scope: Scope,
  paths: readonly string[],
  found: Found[],
): Promise<void> {
  for (const { from } of await readSources(at, scope, paths, found)) {
    const isRead = scope === "project" && ["AGENTS.md", "CLAUDE.md"].includes(from);
    const note = isRead
      ? "it is read here as it is"
      : scope === "project"
        ? "named in the project's settings"
        : "it is not read here: agent memories, or the AGENTS.md of each project, have such words";
    found.push({ kind: "instructions", scope, from, path: from, named: scope === "project" && !isRead, note });
  }
}
