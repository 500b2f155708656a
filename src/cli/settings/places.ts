import { homedir } from "node:os";
import { join } from "node:path";

/** Where this user's files are. `AGENT_HOME` holds all of them; else the XDG folders. */
export interface Places {
  configDir: string;
  dataDir: string;
  config: string;
  policy: string;
  grants: string;
  trust: string;
  /** The user's CONTEXT.md, with the saved memories. */
  memories: string;
  database: string;
  logs: string;
  history: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function placesOf(env: Env): Places {
  const own = env["AGENT_HOME"];
  const home = env["HOME"] ?? homedir();
  const configDir = own || join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "holdfast");
  const dataDir = own || join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "holdfast");
  return {
    configDir,
    dataDir,
    config: join(configDir, "config.json"),
    policy: join(configDir, "policy.json"),
    grants: join(configDir, "grants.json"),
    trust: join(configDir, "trust.json"),
    memories: join(configDir, "CONTEXT.md"),
    database: join(dataDir, "agent.db"),
    logs: join(dataDir, "logs"),
    history: join(dataDir, "history"),
  };
}
