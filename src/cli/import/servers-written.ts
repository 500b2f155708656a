import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { readByHand, readPolicyFile, readProjectFile } from "../../policy/files/policy-file.ts";
import { readEntry } from "../../tools/mcp/entry.ts";
import { projectServersFile } from "../mcp/find-servers.ts";
import type { Found, Scope, ServerFound, ServerWritten } from "./found.ts";

/**
 * What was found, where each server that cannot be written beside those that are there has the reason: one of its name is never written
 * over, and a project's file that is broken is left alone.
 * @throws PolicyProblem where the person's own settings are broken
 */
export async function besideKnown(
  found: readonly Found[],
  { config, workspace = "" }: { config: string; workspace: string | undefined },
): Promise<Found[]> {
  const has = (scope: Scope): boolean => found.some((one) => isWritten(one) && one.scope === scope);
  const places: Record<Scope, Place> = {
    user: has("user") ? placeOf("your config.json", serversIn(await readPolicyFile(config), config)) : none,
    project: has("project") ? await projectPlace(workspace) : none,
  };
  const settled = found.map((one): Found => (isWritten(one) ? beside(one, places[one.scope]) : one));
  const { wrong } = places.project;
  if (wrong === undefined || found.some(({ kind, from }) => kind === "unread" && from === projectServersFile))
    return settled;
  return [...settled, { kind: "unread", scope: "project", from: projectServersFile, why: wrong }];
}

/** Where servers go. */
interface Place {
  file: string;
  known: Map<string, Json>;
  /** How many there may be. */
  most: number;
  wrong?: string;
}

const placeOf = (file: string, servers: JsonObject, most = Number.POSITIVE_INFINITY): Place => ({
  file,
  known: new Map(Object.entries(servers)),
  most,
});
const none = placeOf("", {});

async function projectPlace(workspace: string): Promise<Place> {
  const file = `this project's ${projectServersFile}`;
  try {
    const stats = await lstat(join(workspace, projectServersFile)).catch(() => undefined);
    if (stats?.isFile() === false) throw new Error("it is a link, or no plain file: nothing is written through it");
    const text = await readProjectFile(workspace, projectServersFile);
    return placeOf(file, serversIn(text, projectServersFile), limits.mcpServers.most);
  } catch (error) {
    return {
      ...placeOf(file, {}),
      wrong: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
    };
  }
}

/** @throws Error where the text is none, or has something else in their place */
function serversIn(text: string | undefined, file: string): JsonObject {
  const value = text === undefined ? {} : plainValue(readByHand(text, file));
  const servers = isJsonObject(value) ? (value["mcpServers"] ?? {}) : undefined;
  if (!isJsonObject(servers)) throw new Error("its mcpServers are no object");
  return servers;
}

const isWritten = (one: Found): one is ServerWritten => one.kind === "server" && one.why === undefined;

/** The same, or why it is not written; one that is takes its place there. */
function beside(server: ServerWritten, { file, known, most, wrong }: Place): ServerFound {
  const { entry, needs: _, without: __, ...named } = server;
  const old = known.get(server.name);
  if (wrong !== undefined) return { ...named, why: `${file} is left as it is, for it cannot be read` };
  if (old !== undefined)
    return { ...named, why: `${file} has ${isSame(old, entry) ? "the same" : "another"} server of this name` };
  if (known.size >= most) return { ...named, why: `${file} may have ${most} servers` };
  known.set(server.name, entry);
  return server;
}

function isSame(old: Json, entry: JsonObject): boolean {
  const [one, other] = [readEntry(old), readEntry(entry)];
  return typeof one !== "string" && canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json);
}

/** The text of a file of settings with these servers in it, behind those that there are. */
export const withServers = (text: string, servers: readonly ServerWritten[]): string =>
  servers.reduce(
    (made, { name, entry }) =>
      applyEdits(
        made,
        modify(made, ["mcpServers", name], entry, { formattingOptions: { insertSpaces: true, tabSize: 2 } }),
      ),
    text,
  );

export const serversOf = (scope: Scope, found: readonly Found[]): ServerWritten[] =>
  found.filter((one) => isWritten(one)).filter((one) => one.scope === scope);
