import { parse } from "smol-toml";
import type { Found } from "./found.ts";
import { instructionsIn, type Looked, objectAt, objectOf, placesIn, readSources, serversIn } from "./sources.ts";

const settings: readonly [key: string, why: string][] = [
  ["approval_policy", "what asks is decided by rules and --mode here"],
  ["sandbox_mode", "commands run in a sandbox where there is one: docs/shell.md"],
  ["model", "model in config.json names one"],
  ["projects", "trust is given anew: agent trust"],
  ["shell_environment_policy", "shellEnv in config.json names what commands get"],
];

/** What Codex's files say. Its settings have no rules by command or path. */
export async function fromCodex(at: Looked): Promise<Found[]> {
  const found: Found[] = [];
  await instructionsIn(at, "user", [".codex/AGENTS.md"], found);
  await instructionsIn(at, "project", ["AGENTS.md"], found);
  for (const scope of ["user", "project"] as const) {
    for (const source of await readSources(at, scope, [".codex/config.toml"], found)) {
      const said = objectOf(source, found, parse);
      if (said === undefined) continue;
      found.push(...serversIn(source, objectAt(said, "mcp_servers")));
      for (const [what, why] of settings)
        if (said[what] !== undefined) found.push({ kind: "left_out", scope, from: source.from, what, why });
    }
    await placesIn(at, scope, [".codex/prompts", ".codex/skills", ".codex/rules", ".codex/agents"], found);
  }
  return found;
}
