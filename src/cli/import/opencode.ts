import { repositoryRoot } from "../../files/project-root.ts";
import type { Decision } from "../../policy/types.ts";
import { importing } from "../../words/en/importing.ts";
import type { FoundSetting, Gathered, Reach, Scope } from "./found.ts";
import { withoutSecrets } from "./masked.ts";
import { instructionsIn, placesIn } from "./places.ts";
import {
  about,
  commandRule,
  editRules,
  everyCommand,
  everyEdit,
  everyPage,
  headOf,
  pathsOf,
  type Reading,
  readRules,
  toolRule,
} from "./rules.ts";
import { serversIn } from "./servers.ts";
import { settled } from "./settled.ts";
import {
  isObject,
  type Looked,
  objectOf,
  otherSettings,
  readSources,
  type Source,
  textsAt,
  wrongType,
} from "./sources.ts";
import { opencodeTools, oursFor } from "./their-tools.ts";

/** Finds the settings in opencode's files. Of all its rules the last that fits decides, and the project's stand behind the person's. */
export async function fromOpencode(at: Looked): Promise<FoundSetting[]> {
  const into: Gathered = { found: [], entries: [] };
  await instructionsIn(at, "user", [".config/opencode/AGENTS.md"], into);
  await instructionsIn(at, "project", ["AGENTS.md"], into);
  const files = {
    user: ["config.json", "opencode.json", "opencode.jsonc"].map((name) => `.config/opencode/${name}`),
    project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
  };
  const folders = { user: ".config/opencode", project: ".opencode" };
  const said: Told[] = [];
  for (const scope of ["user", "project"] as const) {
    const wanted = files[scope].map((path) => ({ path, rules: true as const }));
    for (const source of await readSources(at, scope, wanted, into)) said.push(...(await settingsOf(source, at, into)));
    const below = ["command", "commands", "skill", "skills", "agent", "agents", "tool", "tools", "plugin", "plugins"];
    await placesIn(
      at,
      scope,
      below.map((name) => `${folders[scope]}/${name}`),
      into,
    );
  }
  said.forEach((one, index) => {
    const { scope, from } = one.source;
    const later = said.slice(index + 1).filter(({ effect }) => effect === "allow");
    const reading = isDecision(one.effect)
      ? ruleOf(one, one.effect, at, later)
      : about("all", { why: importing().noOpencodeDecision });
    const decision = isDecision(one.effect) ? one.effect : "deny";
    into.entries.push({
      scope,
      from,
      was: `${one.action} ${one.resource}: ${shown(one.effect)}`,
      decision,
      ...reading,
    });
  });
  return settled(into, "last");
}

/** One rule: what is done, to what. */
interface Told {
  source: Source;
  action: string;
  resource: string;
  effect: unknown;
}

const isDecision = (value: unknown): value is Decision => value === "allow" || value === "ask" || value === "deny";
const shown = (effect: unknown): string => (typeof effect === "string" ? effect.slice(0, 20) : typeof effect);

const reasons = () => ({
  agent: importing().agentsLeft,
  mode: importing().agentsLeft,
  plugin: importing().pluginsLeft,
  model: importing().modelLeft,
});

async function settingsOf(source: Source, at: Looked, into: Gathered): Promise<Told[]> {
  const settings = objectOf(source, into, true);
  if (settings === undefined) return [];
  await serversIn(source, settings["mcp"], { program: "opencode" }, at, into);
  for (const path of textsAt(settings, "instructions", "allow", source, into))
    into.found.push({
      kind: "left_out",
      scope: source.scope,
      from: source.from,
      what: `instructions: ${withoutSecrets(path)}`,
      why: importing().nameIt,
    });
  otherSettings(source, settings, ["permission", "permissions", "tools", "mcp", "instructions"], reasons(), into);
  return [
    ...toolsOff(settings["tools"], source, into),
    ...byKind(settings["permission"], source),
    ...inOrder(settings["permissions"], source, into),
  ];
}

/** The older list of tools: false takes one away. */
function toolsOff(tools: unknown, source: Source, into: Gathered): Told[] {
  if (tools === undefined) return [];
  if (!isObject(tools)) {
    wrongType(into, source, "tools", "deny");
    return [];
  }
  return Object.entries(tools)
    .filter(([, is]) => is !== true)
    .map(([action, is]) => ({ source, action, resource: "*", effect: is === false ? "deny" : is }));
}

/** `{"bash": {"git *": "allow"}}`, or one word for a kind, or for all. */
function byKind(permission: unknown, source: Source): Told[] {
  if (permission === undefined) return [];
  if (!isObject(permission)) return [{ source, action: "*", resource: "*", effect: permission }];
  return Object.entries(permission).flatMap(([action, said]) =>
    isObject(said)
      ? Object.entries(said).map(([resource, effect]) => ({ source, action, resource, effect }))
      : [{ source, action, resource: "*", effect: said }],
  );
}

/** `[{"action", "resource", "effect"}]`, as the second version has it. */
function inOrder(permissions: unknown, source: Source, into: Gathered): Told[] {
  if (permissions === undefined) return [];
  if (!Array.isArray(permissions)) {
    wrongType(into, source, "permissions", "deny");
    return [];
  }
  return permissions.map((one: unknown) => {
    const { action, resource, effect, ...more } = isObject(one) ? one : {};
    const isPlain = typeof action === "string" && typeof resource === "string" && Object.keys(more).length === 0;
    return isPlain ? { source, action, resource, effect } : { source, action: "*", resource: "?", effect: undefined };
  });
}

const kinds: Readonly<Record<string, Reach["of"]>> = {
  "*": "all",
  bash: "command",
  shell: "command",
  edit: "change",
  write: "change",
  patch: "change",
  read: "read",
  grep: "read",
  glob: "read",
  list: "read",
  webfetch: "page",
  websearch: "search",
};

const kindOf = (action: string): Reach["of"] =>
  Object.hasOwn(kinds, action)
    ? (kinds[action] ?? "other")
    : action.includes("*") || action.includes("?")
      ? "all"
      : "other";

function ruleOf(
  { source, action, resource, effect: _ }: Told,
  decision: Decision,
  at: Looked,
  later: readonly Told[],
): Reading {
  const of = kindOf(action);
  if (resource === "*") return ruleOfAll(action, of, decision, later);
  if (of === "command") return bashRule(resource, decision);
  if (of === "change" || (of === "read" && action === "read"))
    return pathRule(of, resource, { decision, scope: source.scope, at });
  return about(of, { why: of === "other" ? importing().unknown : importing().unsayable });
}

/** Here a deny or ask is not taken back by an allow behind it. */
function ruleOfAll(action: string, of: Reach["of"], decision: Decision, later: readonly Told[]): Reading {
  const backed =
    decision === "allow"
      ? undefined
      : later.find((one) => of === "all" || kindOf(one.action) === of || kindOf(one.action) === "all");
  if (backed !== undefined && of !== "other")
    return about(of, { why: importing().takenBack({ action: backed.action, resource: backed.resource }) });
  if (of === "command") return everyCommand(decision);
  if (of === "change") return about(of, everyEdit(decision));
  if (of === "search") return about(of, [{ tool: "web_search", decision }]);
  if (of === "page") return everyPage(decision);
  if (of === "read")
    return about(
      of,
      action === "read" ? readRules(["**"], decision) : toolRule(oursFor(opencodeTools, action)[0] ?? action, decision),
    );
  if (action === "*")
    return about(of, decision === "allow" ? { why: importing().everyTool } : [{ tool: "*", decision }]);
  return about(of, { why: importing().unknown });
}

const bashRule = (pattern: string, decision: Decision): Reading =>
  pattern.endsWith(" *") ? commandRule(pattern.slice(0, -2), true, decision) : commandRule(pattern, false, decision);

/** A '*' there means any characters, '/' too: an allow gets less of it, a deny all. Paths are below the root of the repository. */
function pathRule(
  of: "change" | "read",
  pattern: string,
  { decision, scope, at }: { decision: Decision; scope: Scope; at: Looked },
): Reading {
  const head = /^[~/$]/u.test(pattern) ? "" : headOf(pattern);
  const form = { decision, scope, home: at.home };
  const say = (paths: string[] | { why: string }): Reading =>
    about(of, of === "read" ? readRules(paths, decision) : editRules(paths, decision), head);
  if (pattern.startsWith("$")) return say({ why: importing().beginsWithVariable });
  if (decision === "allow")
    return say(
      isRoot(scope, at, pattern) ? pathsOf(pattern.replace(/\*{2,}/gu, "**"), form) : { why: importing().belowRoot },
    );
  const ways = anyDepth(pattern);
  if (ways === undefined) return say({ why: importing().manyFolders });
  const paths = ways.map((way) => pathsOf(way.includes("/") ? way : `./${way}`, form));
  const wrong = paths.find((one) => "why" in one);
  return say(wrong ?? paths.flatMap((one) => ("why" in one ? [] : one)));
}

/** Tells whether a path means the same below the repository and below the workspace. */
const isRoot = (scope: Scope, { workspace }: Looked, pattern: string): boolean =>
  /^[~/]/u.test(pattern) ||
  (scope === "project" && workspace !== undefined && [workspace, undefined].includes(repositoryRoot(workspace)));

/** A pattern whose '*' stops at no slash, as patterns of ours: each '*' within one name, or over several folders. */
function anyDepth(pattern: string): string[] | undefined {
  const parts = pattern.replace(/\*{2,}/gu, "*").split("*");
  if (parts.length > 4) return undefined;
  return parts
    .slice(1)
    .reduce((ways, part) => ways.flatMap((way) => [`${way}*${part}`, `${way}*/**/*${part}`]), [parts[0] ?? ""]);
}
