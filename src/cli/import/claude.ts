import type { Decision } from "../../policy/types.ts";
import { importing } from "../../words/en/importing.ts";
import type { FoundSetting, Gathered, Scope } from "./found.ts";
import { hooksIn } from "./hooks.ts";
import { instructionsIn, placesIn } from "./places.ts";
import {
  about,
  commandRule,
  editRules,
  everyCommand,
  everyEdit,
  everyPage,
  headOf,
  pathHead,
  pathsOf,
  type Reading,
  readRules,
  toolRule,
} from "./rules.ts";
import { serversIn } from "./servers.ts";
import { settled } from "./settled.ts";
import {
  isListed,
  isObject,
  type Looked,
  objectAt,
  objectOf,
  otherSettings,
  readSources,
  type Source,
  textsAt,
  wrongType,
} from "./sources.ts";
import { claudeTools, oursFor } from "./their-tools.ts";

/** Finds the settings in Claude Code's files, the person's and the project's. */
export async function fromClaude(at: Looked): Promise<FoundSetting[]> {
  const into: Gathered = { found: [], entries: [] };
  await instructionsIn(at, "user", [".claude/CLAUDE.md"], into);
  await instructionsIn(at, "project", ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"], into);
  const local = at.env["CLAUDE_CONFIG_DIR"] === undefined ? ".claude.json" : ".claude/.claude.json";
  const files = { user: [".claude/settings.json"], project: [".claude/settings.json", ".claude/settings.local.json"] };
  const servers = { user: { path: local, most: mostState }, project: { path: ".mcp.json" } };
  for (const scope of ["user", "project"] as const) {
    const wanted = files[scope].map((path) => ({ path, rules: true as const }));
    for (const source of await readSources(at, scope, wanted, into)) await addSettings(source, at, into);
    for (const source of await readSources(at, scope, [servers[scope]], into)) await addServers(source, at, into);
    const folders = ["commands", "skills", "agents", "rules", "output-styles"].map((name) => `.claude/${name}`);
    await placesIn(at, scope, folders, into);
  }
  return settled(into, "strictest");
}

/** Bytes: beside servers it holds what was said in each folder, and whatever else is remembered. */
const mostState = 64_000_000;

/** Of the person's state: servers for all, and those of this project. */
async function addServers(source: Source, at: Looked, into: Gathered): Promise<void> {
  const said = objectOf(source, into);
  if (said === undefined) return;
  const { scope, from } = source;
  if (scope === "project") {
    const names = Object.keys(objectAt(said, "mcpServers")).length;
    if (names > 0) into.found.push({ kind: "left_out", scope, from, what: "servers", why: importing().readHere });
    return;
  }
  const here = objectAt(objectAt(said, "projects"), at.workspace ?? "");
  const isOff = (name: string): boolean => isListed(here["disabledMcpServers"], name);
  await serversIn(source, said["mcpServers"], { program: "claude", isOff }, at, into);
  await serversIn(source, here["mcpServers"], { program: "claude", isOff, isOfProject: true }, at, into);
}

const reasons = () => ({
  env: importing().envLeft,
  sandbox: importing().sandboxLeft,
});

const ofPermissions = () => ({
  defaultMode: importing().modeLeft,
  additionalDirectories: importing().foldersLeft,
});

async function addSettings(source: Source, at: Looked, into: Gathered): Promise<void> {
  const settings = objectOf(source, into, true);
  if (settings === undefined) return;
  const { scope, from } = source;
  const permissions = settings["permissions"] ?? {};
  if (!isObject(permissions)) wrongType(into, source, "permissions", "deny");
  for (const decision of ["deny", "ask", "allow"] as const)
    for (const was of textsAt(permissions, decision, decision, source, into))
      into.entries.push({
        scope,
        from,
        was: `${decision} ${was}`,
        decision,
        ...ruleOf(was, { decision, scope, home: at.home }),
      });
  await serversIn(source, settings["mcpServers"], { program: "claude" }, at, into);
  if (isObject(permissions)) otherSettings(source, permissions, ["deny", "ask", "allow"], ofPermissions(), into);
  hooksIn(source, settings["hooks"], settings["disableAllHooks"] === true, into);
  otherSettings(source, settings, ["permissions", "mcpServers", "hooks", "disableAllHooks"], reasons(), into);
}

interface Given {
  decision: Decision;
  scope: Scope;
  home: string | undefined;
}

function ruleOf(was: string, given: Given): Reading {
  const parts = /^(?<tool>[\w*-]+)(?:\((?<spec>.*)\))?$/su.exec(was.trim())?.groups;
  if (parts === undefined) return about("all", { why: importing().noClaudeRule });
  const { tool = "", spec } = parts;
  const { decision } = given;
  if (tool.startsWith("mcp__")) return about("other", { why: importing().ofServers });
  if (tool === "Bash") return spec === undefined ? everyCommand(decision) : bashRule(spec, decision);
  if (tool === "WebFetch") return fetchRule(spec, decision);
  if (tool === "WebSearch" && spec === undefined) return about("search", [{ tool: "web_search", decision }]);
  if (tool === "Read") return readRule(spec, given);
  if (["Edit", "Write", "MultiEdit", "NotebookEdit"].includes(tool)) return editRule(tool, spec, given);
  const [ours] = oursFor(claudeTools, tool);
  if (ours !== undefined && spec === undefined) return about("read", toolRule(ours, decision));
  return about(tool.includes("*") ? "all" : "other", { why: importing().unknown });
}

function bashRule(spec: string, decision: Decision): Reading {
  if (spec.trim() === "*" || spec.trim() === ":*") return everyCommand(decision);
  const open = /^(?<words>.*?)(?::\*| \*)$/su.exec(spec)?.groups?.["words"];
  return open === undefined ? commandRule(spec, false, decision) : commandRule(open, true, decision);
}

function fetchRule(spec: string | undefined, decision: Decision): Reading {
  if (spec === undefined) return everyPage(decision);
  const host = /^domain:(?<host>(?:\*\.)?[\w.-]+)$/u.exec(spec)?.groups?.["host"];
  if (host === undefined) return about("page", { why: importing().noHost });
  return about("page", [{ tool: "web_fetch", hosts: [host], decision }], headOf(host));
}

const readRule = (spec = "", given: Given): Reading =>
  about("read", readRules(pathsOf(spec, given), given.decision), pathHead(spec));

/** By its manual a path is looked at in rules of Edit alone, which hold for all that change files. */
function editRule(tool: string, spec: string | undefined, given: Given): Reading {
  const { decision } = given;
  if (spec !== undefined && tool !== "Edit" && decision === "allow")
    return about("change", { why: importing().allowsNothing });
  const head = pathHead(spec ?? "");
  if (spec !== undefined) return about("change", editRules(pathsOf(spec, given), decision), head);
  if (decision !== "allow") return about("change", everyEdit(decision), head);
  const [ours] = oursFor(claudeTools, tool);
  return about(
    "change",
    ours === undefined ? { why: importing().unknown } : [{ tool: ours, paths: ["**"], decision }],
    head,
  );
}
