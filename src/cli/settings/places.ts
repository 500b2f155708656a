import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { ownPlaces as words } from "../../words/en/own-places.ts";
import { CliProblem } from "../problem.ts";

/** The places of this user's files. `AGENT_HOME` holds all of them; else the XDG folders. */
export interface Places {
  configDir: string;
  dataDir: string;
  config: string;
  policy: string;
  grants: string;
  trust: string;
  /** Servers that the person trusted, with their tools. */
  servers: string;
  /** The user's CONTEXT.md, with the saved memories. */
  memories: string;
  database: string;
  logs: string;
  history: string;
  /** The folder of files that commands keep for later ones: a folder for each workspace. */
  shell: string;
  /** Names of secrets, and those values that no keyring took; made with the first of them. */
  secrets: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * @throws CliProblem of the configuration where a variable names a relative path: it would lead to another place in each folder,
 *   and into whatever project the command is started in.
 */
export function placesOf(env: Env): Places {
  const own = absolute(env, "AGENT_HOME");
  const configDir = own ?? join(absolute(env, "XDG_CONFIG_HOME") ?? join(homeOf(env), ".config"), "holdfast");
  const dataDir = own ?? join(absolute(env, "XDG_DATA_HOME") ?? join(homeOf(env), ".local", "share"), "holdfast");
  return {
    configDir,
    dataDir,
    config: join(configDir, "config.json"),
    policy: join(configDir, "policy.json"),
    grants: join(configDir, "grants.json"),
    trust: join(configDir, "trust.json"),
    servers: join(configDir, "servers.json"),
    memories: join(configDir, "CONTEXT.md"),
    database: join(dataDir, "agent.db"),
    logs: join(dataDir, "logs"),
    history: join(dataDir, "history"),
    shell: join(dataDir, "shell"),
    secrets: join(dataDir, "secrets"),
  };
}

/** Finds the folder where defects are kept; undefined where the environment names no place that can be taken. */
export function logsOf(env: Env): string | undefined {
  try {
    return placesOf(env).logs;
  } catch {
    return undefined;
  }
}

/** An empty variable counts as none. */
function absolute(env: Env, name: string): string | undefined {
  const path = env[name];
  if (path === undefined || path === "") return undefined;
  if (isAbsolute(path)) return path;
  const hint = words().wholePath({ name, path });
  throw new CliProblem("configuration", words().relative({ name, path }), { hint });
}

/** The person's own folder, where they have one that can be told. */
export function personsFolder(env: Env): string | undefined {
  try {
    return homeOf(env);
  } catch {
    return undefined;
  }
}

/** The home that is set, else the one that the system has for this user. */
function homeOf(env: Env): string {
  const home = absolute(env, "HOME") ?? systemHome();
  if (home !== undefined) return home;
  const hint = words().homeHint;
  throw new CliProblem("configuration", words().noHome, { hint });
}

function systemHome(): string | undefined {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    return undefined; // no entry for this user
  }
}
