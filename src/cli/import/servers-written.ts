import { lstatSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { readByHand, readPolicyFile, readProjectFile } from "../../policy/files/policy-file.ts";
import { projectServersFile } from "../mcp/find-servers.ts";
import { CliProblem } from "../problem.ts";
import type { Found, KnownServers, Scope, ServerTaken } from "./found.ts";
import { variablesIn } from "./server-entry.ts";

/** Names with the same of this could be taken for each other, and so could their variables. */
export const sameName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/gu, "_");

/** @throws PolicyProblem where the person's own settings are broken */
export async function knownServers(
  config: string,
  workspace: string | undefined,
): Promise<Record<Scope, KnownServers>> {
  const user = known("your config.json", await readPolicyFile(config), config, Number.POSITIVE_INFINITY);
  return { user, project: await ofProject(workspace) };
}

async function ofProject(workspace: string | undefined): Promise<KnownServers> {
  const file = `the project's ${projectServersFile}`;
  const { most } = limits.mcpServers;
  try {
    if (workspace === undefined) return known(file, undefined, file, most);
    const found = lstatSync(join(workspace, projectServersFile), { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new Error("it is a link, or no plain file");
    return known(file, await readProjectFile(workspace, projectServersFile), projectServersFile, most);
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { ...known(file, undefined, file, most), wrong: `${file} cannot be written: ${why}` };
  }
}

function known(file: string, text: string | undefined, path: string, most: number): KnownServers {
  const names = Object.keys(serversOf(text, path)).map((name): [string, string] => [sameName(name), name]);
  return { file, names: new Map(names), variables: new Set(variablesIn(text ?? "")), most };
}

/** @throws CliProblem where something else stands in their place */
function serversOf(text: string | undefined, file: string): JsonObject {
  const value = text === undefined || text.trim() === "" ? {} : plainValue(readByHand(text, file));
  const servers = isJsonObject(value) ? (value["mcpServers"] ?? {}) : undefined;
  if (isJsonObject(servers) && !(isJsonObject(value) && value["mcpServers"] === null)) return servers;
  throw new CliProblem("configuration", `${file}: "mcpServers" must be an object`, {
    hint: "nothing was written: mend it first",
  });
}

/** Those that are written. */
export const takenOf = (scope: Scope, found: readonly Found[]): ServerTaken[] =>
  found.flatMap((one) => (one.kind === "server" && one.why === undefined && one.scope === scope ? [one] : []));

/**
 * The text of a file of settings with these servers in it, behind those that there are.
 * @throws CliProblem where one of a name came to be there meanwhile
 */
export function withServers(text: string, file: string, servers: readonly ServerTaken[]): string {
  const there = new Set(Object.keys(serversOf(text, file)).map(sameName));
  const twice = servers.find(({ name }) => there.has(sameName(name)));
  if (twice !== undefined)
    throw new CliProblem(
      "failed",
      `${file} was changed meanwhile, and has a server ${twice.name}: nothing was written`,
      { hint: "import again" },
    );
  const form = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  return servers.reduce(
    (made, { name, entry }) => applyEdits(made, modify(made, ["mcpServers", name], entry, form)),
    text,
  );
}
