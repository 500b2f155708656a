import type { Decision } from "../../policy/types.ts";
import type { Found, Scope } from "./found.ts";
import { sayings } from "./found.ts";
import { commandRule, editRules, everyCommand, noted, pathsOf, type Said } from "./rules.ts";
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

/** What Claude Code's files say, the person's and the project's. */
export async function fromClaude(at: Looked): Promise<Found[]> {
  const found: Found[] = [];
  await instructionsIn(at, "user", [".claude/CLAUDE.md"], found);
  await instructionsIn(at, "project", ["CLAUDE.md"], found);
  const files = {
    user: [".claude/settings.json", ".claude.json"],
    project: [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
  };
  for (const scope of ["user", "project"] as const)
    for (const source of await readSources(at, scope, files[scope], found)) addSettings(source, at, found);
  for (const scope of ["user", "project"] as const)
    await placesIn(at, scope, [".claude/commands", ".claude/skills", ".claude/agents"], found);
  return found;
}

function addSettings(source: Source, at: Looked, found: Found[]): void {
  const settings = objectOf(source, found);
  if (settings === undefined) return;
  const { scope, from } = source;
  const permissions = objectAt(settings, "permissions");
  for (const decision of ["deny", "ask", "allow"] as const)
    for (const was of textsAt(permissions, decision))
      found.push(...noted({ scope, from, was: `${decision} ${was}` }, ruleOf(was, decision, scope, at.home)));
  found.push(...serversIn(source, objectAt(settings, "mcpServers")));
  for (const [what, why] of otherThings(settings, permissions))
    found.push({ kind: "left_out", scope, from, what, why });
}

function otherThings(settings: Record<string, unknown>, permissions: Record<string, unknown>): [string, string][] {
  const named = (key: string, why: string, from = settings): [string, string][] =>
    from[key] === undefined ? [] : [[key, why]];
  const env = Object.keys(objectAt(settings, "env"));
  return [
    ...named("defaultMode", "a mode is chosen anew for each session: --mode", permissions),
    ...named("additionalDirectories", "folders are added by --add-dir, or addDirs in config.json", permissions),
    ...named("hooks", "hooks are not used by this version"),
    ...(env.length === 0
      ? []
      : ([[`env: ${env.join(", ")}`, "values are not copied: shellEnv in config.json names what commands get"]] as [
          string,
          string,
        ][])),
  ];
}

function ruleOf(was: string, decision: Decision, scope: Scope, home: string | undefined): Said {
  const parts = /^(?<tool>[\w*-]+)(?:\((?<spec>.*)\))?$/su.exec(was.trim())?.groups;
  if (parts === undefined) return { why: "it is no rule of the form Tool or Tool(what)" };
  const { tool = "", spec } = parts;
  if (tool.startsWith("mcp__")) return { why: "servers' tools are not there yet" };
  if (tool === "Bash") return spec === undefined ? everyCommand(decision) : bashRule(spec, decision);
  if (tool === "WebFetch") return fetchRule(spec, decision);
  if (tool === "WebSearch" && spec === undefined) return [{ tool: "web_search", decision }];
  if (tool === "Read") return readRule(spec, { decision, scope, home });
  if (tool === "Edit" || tool === "Write" || tool === "MultiEdit") return editRule(spec, { decision, scope, home });
  return { why: sayings.unknown };
}

const bashRule = (spec: string, decision: Decision): Said => {
  const open = /^(?<words>.*?)(?::\*| \*)$/su.exec(spec)?.groups?.["words"];
  if (spec.trim() === "*" || spec.trim() === ":*") return everyCommand(decision);
  return open === undefined ? commandRule(spec, false, decision) : commandRule(open, true, decision);
};

function fetchRule(spec: string | undefined, decision: Decision): Said {
  if (spec === undefined)
    return decision === "allow" ? { why: "it would be every page of the web" } : [{ tool: "web_fetch", decision }];
  const host = /^domain:(?<host>(?:\*\.)?[\w.-]+)$/u.exec(spec)?.groups?.["host"];
  return host === undefined ? { why: "it names no host" } : [{ tool: "web_fetch", hosts: [host], decision }];
}

interface Given {
  decision: Decision;
  scope: Scope;
  home: string | undefined;
}

/** What may not be read is closed to every tool: a command could read it too. */
function readRule(spec: string | undefined, given: Given): Said {
  const { decision } = given;
  if (spec === undefined)
    return decision === "allow"
      ? { why: "reading the workspace is allowed here without a rule" }
      : { why: "without reading nothing can be done" };
  const paths = pathsOf(spec, given);
  if ("why" in paths) return paths;
  return [{ tool: decision === "allow" ? "read_file" : "*", paths, decision }];
}

function editRule(spec: string | undefined, given: Given): Said {
  if (spec === undefined) return editRules(given.decision === "allow" ? ["**"] : undefined, given.decision);
  const paths = pathsOf(spec, given);
  return "why" in paths ? paths : editRules(paths, given.decision);
}
