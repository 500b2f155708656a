import type { Decision } from "../../policy/types.ts";
import { type Found, sayings } from "./found.ts";
import { commandRule, everyCommand, noted, type Said } from "./rules.ts";
import {
  instructionsIn,
  type Looked,
  objectAt,
  objectOf,
  placesIn,
  readSources,
  type Source,
  serversIn,
  textsAt,
} from "./sources.ts";

/** What Gemini CLI's files say. */
export async function fromGemini(at: Looked): Promise<Found[]> {
  const found: Found[] = [];
  await instructionsIn(at, "user", [".gemini/GEMINI.md"], found);
  await instructionsIn(at, "project", ["GEMINI.md"], found);
  for (const scope of ["user", "project"] as const) {
    for (const source of await readSources(at, scope, [".gemini/settings.json"], found)) addSettings(source, found);
    await placesIn(at, scope, [".gemini/commands", ".gemini/skills", ".gemini/agents", ".gemini/policies"], found);
  }
  return found;
}

function addSettings(source: Source, found: Found[]): void {
  const settings = objectOf(source, found);
  if (settings === undefined) return;
  const { scope, from } = source;
  const tools = objectAt(settings, "tools");
  const lists: [Decision, string[]][] = [
    ["deny", [...textsAt(tools, "exclude"), ...textsAt(settings, "excludeTools")]],
    ["allow", [...textsAt(tools, "allowed"), ...textsAt(settings, "allowedTools")]],
  ];
  for (const [decision, list] of lists)
    for (const was of list) found.push(...noted({ scope, from, was: `${decision} ${was}` }, ruleOf(was, decision)));
  for (const was of [...textsAt(tools, "core"), ...textsAt(settings, "coreTools")])
    found.push({
      kind: "left_out",
      scope,
      from,
      what: `core ${was}`,
      why: "a list of the only tools is not kept here",
    });
  found.push(...serversIn(source, objectAt(settings, "mcpServers")));
}

/** Its tools, and ours that do the same. */
const same: Readonly<Record<string, string>> = {
  read_file: "read_file",
  write_file: "write_file",
  replace: "edit_file",
  glob: "glob",
  search_file_content: "grep",
  grep_search: "grep",
  list_directory: "ls",
  google_web_search: "web_search",
  web_fetch: "web_fetch",
};

function ruleOf(was: string, decision: Decision): Said {
  const { tool = "", spec } = /^(?<tool>\w+)(?:\((?<spec>.*)\))?$/su.exec(was.trim())?.groups ?? {};
  if (tool === "run_shell_command" || tool === "ShellTool")
    return spec === undefined ? everyCommand(decision) : commandRule(spec, true, decision);
  const ours = same[tool];
  if (ours === undefined || spec !== undefined) return { why: sayings.unknown };
  if (decision === "deny") return [{ tool: ours, decision }];
  if (ours === "web_fetch") return { why: "it would be every page of the web" };
  return [{ tool: ours, ...(ours === "web_search" ? {} : { paths: ["**"] }), decision }];
}
