import { parse } from "smol-toml";
import type { Decision } from "../../policy/types.ts";
import { importing } from "../../words/en/importing.ts";
import { filesIn } from "./codex.ts";
import type { Entry, FoundSetting, Gathered, Reach } from "./found.ts";
import { geminiHooksIn } from "./hooks.ts";
import { instructionsIn, placesIn } from "./places.ts";
import { about, commandRule, everyCommand, everyPage, type Reading, toolRule } from "./rules.ts";
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
import { geminiTools, oursFor } from "./their-tools.ts";

/** Finds the settings in Gemini CLI's files. */
export async function fromGemini(at: Looked): Promise<FoundSetting[]> {
  const into: Gathered = { found: [], entries: [] };
  await instructionsIn(at, "user", [".gemini/GEMINI.md"], into);
  await instructionsIn(at, "project", ["GEMINI.md", ".gemini/GEMINI.md"], into);
  for (const scope of ["user", "project"] as const) {
    const wanted = [{ path: ".gemini/settings.json", rules: true as const }];
    for (const source of await readSources(at, scope, wanted, into)) await addSettings(source, at, into);
    const policies = await filesIn(at, scope, ".gemini/policies", ".toml");
    for (const source of await readSources(at, scope, policies, into)) addPolicy(source, into);
    const folders = ["commands", "skills", "agents", "extensions"].map((name) => `.gemini/${name}`);
    await placesIn(at, scope, folders, into);
  }
  return settled(into, "strictest");
}

const reasons = () => ({
  context: importing().contextLeft,
  contextFileName: importing().contextLeft,
});
const lists = ["excludeTools", "allowedTools", "coreTools", "tools", "mcpServers", "hooks"];

async function addSettings(source: Source, at: Looked, into: Gathered): Promise<void> {
  const settings = objectOf(source, into, true);
  if (settings === undefined) return;
  const { tools } = settings;
  if (tools !== undefined && !isObject(tools)) wrongType(into, source, "tools", "deny");
  for (const [decision, key, older] of [
    ["deny", "exclude", "excludeTools"],
    ["allow", "allowed", "allowedTools"],
  ] as const)
    for (const was of [
      ...textsAt(tools, key, decision, source, into),
      ...textsAt(settings, older, decision, source, into),
    ])
      into.entries.push(entry(source, `${decision} ${was}`, decision, ruleOf(was, decision)));
  const core = [
    ...textsAt(tools, "core", "deny", source, into),
    ...textsAt(settings, "coreTools", "deny", source, into),
  ];
  if (core.length > 0)
    into.entries.push(entry(source, `core ${core.join(", ")}`, "deny", about("all", { why: importing().onlyTools })));
  const { allowed, excluded } = objectAt(settings, "mcp");
  const isOff = (name: string): boolean =>
    isListed(excluded, name) || (allowed !== undefined && !isListed(allowed, name));
  await serversIn(source, settings["mcpServers"], { program: "gemini", isOff }, at, into);
  geminiHooksIn(source, settings["hooks"], into);
  otherSettings(source, objectAt(settings, "tools"), ["exclude", "allowed", "core"], {}, into);
  otherSettings(source, settings, lists, reasons(), into);
}

const entry = ({ scope, from }: Source, was: string, decision: Decision, reading: Reading): Entry => ({
  scope,
  from,
  was,
  decision,
  ...reading,
});

/** By the name of one of its tools: the kind of things that our tools that do the same are about. */
const reaches: Readonly<Record<string, Reach["of"]>> = {
  read_file: "read",
  glob: "read",
  grep: "read",
  ls: "read",
  write_file: "change",
  edit_file: "change",
  save_memory: "other",
};
const shells = ["run_shell_command", "ShellTool"];

function ruleOf(was: string, decision: Decision): Reading {
  const parts = /^(?<tool>\w+|\*)(?:\((?<spec>.*)\))?$/su.exec(was.trim())?.groups;
  if (parts === undefined) return about("all", { why: importing().noGeminiRule });
  const { tool = "", spec } = parts;
  if (shells.includes(tool)) return spec === undefined ? everyCommand(decision) : commandRule(spec, true, decision);
  if (spec !== undefined)
    return about(reaches[oursFor(geminiTools, tool)[0] ?? ""] ?? "all", { why: importing().strangeBrackets });
  return toolOf(tool, decision);
}

function toolOf(tool: string, decision: Decision): Reading {
  if (shells.includes(tool)) return everyCommand(decision);
  if (tool === "web_fetch" || tool === "WebFetchTool") return everyPage(decision);
  if (tool === "google_web_search" || tool === "WebSearchTool")
    return about("search", [{ tool: "web_search", decision }]);
  if (tool === "*") return about("all", decision === "allow" ? { why: importing().everyTool } : [{ tool, decision }]);
  const [ours] = oursFor(geminiTools, tool);
  const of = ours === undefined ? undefined : reaches[ours];
  if (ours === undefined || of === undefined)
    return about(tool.startsWith("mcp_") ? "other" : "all", { why: importing().unknown });
  if (of === "change" && decision === "allow") return about(of, [{ tool: ours, paths: ["**"], decision }]);
  return about(of, toolRule(ours, decision));
}

const decisions: Readonly<Record<string, Decision>> = { allow: "allow", deny: "deny", ask_user: "ask" };
/** The fields that a rule of a policy may have and that do not narrow it. Priorities do not count: of several the strictest decides here. */
const plain = ["toolName", "commandPrefix", "decision", "priority", "denyMessage", "allowRedirection", "name"];

function addPolicy(source: Source, into: Gathered): void {
  const said = objectOf(source, into, true, parse);
  if (said === undefined) return;
  const rules = said["rule"] ?? [];
  if (!Array.isArray(rules)) wrongType(into, source, "rule", "deny");
  const listed: unknown[] = Array.isArray(rules) ? rules : [];
  listed.forEach((rule, at) => {
    if (isObject(rule)) into.entries.push(...policyEntries(source, rule, at + 1));
    else wrongType(into, source, `rule ${at + 1}`, "deny");
  });
  otherSettings(source, said, ["rule"], {}, into);
}

function policyEntries(source: Source, rule: Record<string, unknown>, at: number): Entry[] {
  const told = rule["decision"];
  const decision = typeof told === "string" && Object.hasOwn(decisions, told) ? decisions[told] : undefined;
  const unsaid = (of: Reach["of"], why: string) => [
    entry(source, `rule ${at}`, decision ?? "deny", about(of, { why })),
  ];
  const tools = textsOf(rule["toolName"]);
  const of = tools?.every((tool) => shells.includes(tool)) === true ? "command" : "all";
  if (decision === undefined) return unsaid(of, importing().noGeminiDecision);
  if (rule["mcpName"] !== undefined) return unsaid("other", importing().ofServers);
  const strange = Object.keys(rule).find((key) => !plain.includes(key));
  if (strange !== undefined) return unsaid(of, importing().dependsOn({ key: strange }));
  if (tools === undefined) return unsaid("all", importing().namesNoTool);
  if (rule["commandPrefix"] === undefined)
    return tools.map((tool) => entry(source, `${told} ${tool}`, decision, toolOf(tool, decision)));
  const prefixes = textsOf(rule["commandPrefix"]);
  if (of !== "command" || prefixes === undefined) return unsaid("command", importing().noPrefix);
  return prefixes.map((prefix) => entry(source, `${told} ${prefix}`, decision, commandRule(prefix, true, decision)));
}

function textsOf(value: unknown): string[] | undefined {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.filter((one) => typeof one === "string");
  return texts.length === items.length && texts.length > 0 ? texts : undefined;
}
