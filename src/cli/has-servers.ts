import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./settings/config.ts";

/** Tells whether settings may name servers for work in this folder. Where there are none nothing of them is loaded. */
export const hasServers = ({ config }: { config: Pick<Config, "mcpServers"> }, workspace: string): boolean =>
  Object.keys(config.mcpServers).length > 0 || existsSync(join(workspace, ".mcp.json"));
