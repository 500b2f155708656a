import type { Decision } from "../../policy/types.ts";
import { type Found, type Scope, sayings } from "./found.ts";
import { commandRule, editRules, everyCommand, noted, pathsOf, type Said } from "./rules.ts";
import {
  instructionsIn,
  isObject,
  type Looked,
  objectAt,
  objectOf,
  placesIn,
  readSources,
  type Source,
  serversIn,
  textsAt,
} from "./sources.ts";

/** What opencode's files say. */
export async function fromOpencode(at: Looked): Promise<Found[]> {
  const found: Found[] = [];
  await instructionsIn(at, "user", [".config/opencode/AGENTS.md"], found);
  await instructionsIn(at, "project", ["AGENTS.md"], found);
  const files = {
    user: [".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
    project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json"],
  };
  const folders = { user: ".config/opencode", project: ".opencode" };
  for (const scope of ["user", "project"] as const) {
    for (const source of await readSources(at, scope, files[scope], found)) addSettings(source, at, found);
    const below = ["command", "commands", "skill", "skills", "agent", "agents"].map(
      (name) => `${folders[scope]}/${name}`,
    );
    await placesIn(at, scope, below, found);
  }
  return found;
}

function addSettings(source: Source, at: Looked, found: Found[]): void {
  const settings = objectOf(source, found);
  if (settings === undefined) return;
  const { scope, from } = source;
  const { permission } = settings;
  const kinds = isObject(permission)
    ? Object.entries(permission)
    : permission === undefined
      ? []
      : [["*", permission] as const];
  for (const [kind, said] of kinds)
    for (const { was, rules } of entriesOf(kind, said, scope, at.home))
      found.push(...noted({ scope, from, was }, rules));
  found.push(...serversIn(source, objectAt(settings, "mcp")));
  for (const path of textsAt(settings, "instructions"))
    found.push({
      kind: "left_out",
      scope,
      from,
      what: `instructions: ${path}`,
      why: "name it yourself: instructions in config.json",
    });
  if (settings["agent"] !== undefined)
    found.push({ kind: "left_out", scope, from, what: "agent", why: "agents are not used by this version" });
}

interface Entry {
  was: string;
  rules: Said;
}

/** The last of several patterns that fit decides there; here a deny wins, then an ask. So an allow counts only where none behind it could take it back unsaid. */
function entriesOf(kind: string, said: unknown, scope: Scope, home: string | undefined): Entry[] {
  const patterns = isObject(said) ? Object.entries(said) : [["*", said] as const];
  const entries = patterns.map(([pattern, decision]) => ({
    pattern,
    decision,
    was: `${kind} ${pattern}: ${String(decision)}`,
    rules: ruleOf(kind, pattern, decision, { scope, home, isOnly: patterns.length === 1 }),
  }));
  return entries.map(({ was, rules, pattern, decision }, index) => {
    const behind = entries
      .slice(index + 1)
      .find((later) => later.decision !== "allow" && "why" in later.rules && mayMeet(pattern, later.pattern));
    const isTaken = decision === "allow" && !("why" in rules) && behind !== undefined;
    return { was, rules: isTaken ? { why: `"${behind.pattern}" behind it may take it back` } : rules };
  });
}

/** Whether a text could fit both, as far as can be said by what stands before the first wildcards. */
function mayMeet(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((pattern) => pattern.split(/[*?]/u, 1)[0]);
  return a.trimEnd().startsWith(b.trimEnd()) || b.trimEnd().startsWith(a.trimEnd());
}

interface Given {
  scope: Scope;
  home: string | undefined;
  isOnly: boolean;
}

const isDecision = (value: unknown): value is Decision => value === "allow" || value === "ask" || value === "deny";

function ruleOf(kind: string, pattern: string, decision: unknown, given: Given): Said {
  if (!isDecision(decision)) return { why: "it is none of allow, ask and deny" };
  if (pattern === "*") return ruleOfAll(kind, decision, given);
  if (kind === "bash") return bashRule(pattern, decision);
  if (kind === "edit" || kind === "read") return pathRule(kind, pattern, decision, given);
  return { why: "there is no such permission here" };
}

function ruleOfAll(kind: string, decision: Decision, { isOnly }: Given): Said {
  if (decision === "ask" && !(kind === "edit" && isOnly)) return { why: sayings.asks };
  if (decision === "deny" && !isOnly) return { why: "here a deny is not taken back by what stands behind it" };
  if (kind === "bash") return everyCommand(decision);
  if (kind === "edit") return editRules(decision === "allow" ? ["**"] : undefined, decision);
  if (kind === "websearch") return [{ tool: "web_search", decision }];
  if (kind !== "webfetch") return { why: "there is no such permission here" };
  return decision === "deny" ? [{ tool: "web_fetch", decision }] : { why: "it would be every page of the web" };
}

const bashRule = (pattern: string, decision: Decision): Said =>
  pattern.endsWith(" *") ? commandRule(pattern.slice(0, -2), true, decision) : commandRule(pattern, false, decision);

/** A '*' there means any characters, '/' too. */
function pathRule(kind: "edit" | "read", pattern: string, decision: Decision, { scope, home }: Given): Said {
  if (decision !== "allow" && pattern.includes("*") && !/^[^*]*\*\*?$/u.test(pattern))
    return { why: "its '*' means folders too, which it does not here" };
  const all = decision === "allow" ? pattern : pattern.replace(/(?<=\/)\*$/u, "**");
  if (decision !== "allow" && /[^/]\*+$/u.test(all))
    return { why: "its '*' means folders too, which it does not here" };
  const paths = pathsOf(all, { decision, scope, home });
  if ("why" in paths) return paths;
  if (kind === "edit") return editRules(paths, decision);
  return [{ tool: decision === "allow" ? "read_file" : "*", paths, decision }];
}
