import { contextWindowOf } from "./context-windows.ts";
import { entryFor, type ModelEntry } from "./model-entries.ts";
import { listModels } from "./model-list.ts";
import { type Server, type ServerSettings, serverNames, serverOf } from "./servers.ts";
import { parseModelSpec } from "./spec.ts";

/** A model that can be named by `-m`, with what is known of it. */
export interface ModelRow extends ModelEntry {
  /** Its spec. */
  model: string;
  server: string;
  /** True if the person's settings name it, by an entry of its own or as the model in use. */
  configured: boolean;
  /** True if it is the one in use. */
  current: boolean;
}

/** A server that gave no list, and why. */
export interface UnlistedServer {
  server: string;
  why: string;
}

export interface KnownModels {
  env: Readonly<Record<string, string | undefined>>;
  servers: Readonly<Record<string, ServerSettings>>;
  models: Readonly<Record<string, ModelEntry>>;
  /** Spec of the model in use; undefined where the person named none. */
  current: string | undefined;
  /** Tokens that any model reads whose own entry does not say it. */
  contextWindow?: number;
  signal?: AbortSignal;
}

/**
 * The models of the person's settings, and those that the servers answer. A server is asked where it has its key or the settings name it: among
 * the servers, before a model, or by the model in use. What happens to listen on this machine is none that the person configured.
 */
export async function allModels(known: KnownModels): Promise<{ models: ModelRow[]; unlisted: UnlistedServer[] }> {
  const { models, current } = known;
  const answers = await Promise.all(askedServers(known).map((server) => listed(server, known)));
  const named = [
    ...(current === undefined ? [] : [current]),
    ...Object.keys(models).filter((spec) => !spec.includes("*")),
  ];
  const specs = new Map(named.flatMap((spec) => rowOf(spec, undefined, known, true)));
  for (const { server, found } of answers)
    for (const { id, contextWindow } of found) {
      const spec = `${server.name}:${id}`;
      const isNamed = specs.has(spec);
      for (const [key, row] of rowOf(spec, contextWindow, known, isNamed)) specs.set(key, row);
    }
  const unlisted = answers.flatMap(({ server, why }) => (why === undefined ? [] : [{ server: server.name, why }]));
  return { models: [...specs.values()], unlisted };
}

/** The servers whose list is asked for. Pure. */
export const askedServers = (known: KnownModels): Server[] =>
  serverNames(known.servers).flatMap((name) => {
    const server = serverOf(name, known.servers, known.env);
    return server !== undefined && isAsked(server, known) ? [server] : [];
  });

function isAsked({ name, apiKeyEnv, isUsual }: Server, { servers, models, env, current }: KnownModels): boolean {
  if (Object.hasOwn(servers, name) || !isUsual) return true;
  if (apiKeyEnv !== undefined) return Boolean(env[apiKeyEnv]?.trim()) || current?.startsWith(`${name}:`) === true;
  return [current ?? "", ...Object.keys(models)].some((spec) => spec.startsWith(`${name}:`));
}

async function listed(server: Server, { env, signal }: KnownModels) {
  try {
    return { server, found: await listModels(server, { env, ...(signal === undefined ? {} : { signal }) }) };
  } catch (error) {
    return { server, found: [], why: error instanceof Error ? error.message : String(error) };
  }
}

/** Makes the row of a model: the settings win over known facts, and these over the server's word, as where the model is used. */
function rowOf(spec: string, told: number | undefined, known: KnownModels, configured: boolean): [string, ModelRow][] {
  const asked = parseModelSpec(spec);
  if (asked?.kind !== "server") return [];
  const entry = entryFor(spec, known.models);
  const contextWindow = entry.contextWindow ?? known.contextWindow ?? contextWindowOf(asked.server, asked.name) ?? told;
  const current = spec === known.current;
  return [
    [
      spec,
      {
        ...{ model: spec, server: asked.server, configured, current },
        ...entry,
        ...(contextWindow === undefined ? {} : { contextWindow }),
      },
    ],
  ];
}
