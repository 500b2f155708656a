import { readdir } from "node:fs/promises";
import { parse } from "smol-toml";
import type { Decision } from "../../policy/types.ts";
import { escapeWords } from "../../tools/shell/reading/argv-pattern.ts";
import { importing } from "../../words/en/importing.ts";
import type { Entry, FoundSetting, Gathered, Scope } from "./found.ts";
import { instructionsIn, placesIn } from "./places.ts";
import { about, commandRule, type Reading } from "./rules.ts";
import { serversIn } from "./servers.ts";
import { settled } from "./settled.ts";
import { type Looked, objectOf, otherSettings, readSources, realOf, type Source, unreadable } from "./sources.ts";
import { type Literal, type StatedCall, statedCalls } from "./starlark.ts";

const reasons = () => ({
  approval_policy: importing().approvalLeft,
  sandbox_mode: importing().sandboxLeft,
  model: importing().modelLeft,
  projects: importing().trustLeft,
  shell_environment_policy: importing().envNamed,
});

/** Finds the settings in Codex's files: rules of commands stand in files of their own, beside its settings. */
export async function fromCodex(at: Looked): Promise<FoundSetting[]> {
  const into: Gathered = { found: [], entries: [] };
  await instructionsIn(at, "user", [".codex/AGENTS.md", ".codex/AGENTS.override.md"], into);
  await instructionsIn(at, "project", ["AGENTS.md", "AGENTS.override.md"], into);
  for (const scope of ["user", "project"] as const) {
    for (const source of await readSources(at, scope, [{ path: ".codex/config.toml" }], into)) {
      const said = objectOf(source, into, undefined, parse);
      if (said === undefined) continue;
      await serversIn(source, said["mcp_servers"], { program: "codex" }, at, into);
      otherSettings(source, said, ["mcp_servers"], reasons(), into);
    }
    const wanted = await filesIn(at, scope, ".codex/rules", ".rules");
    for (const source of await readSources(at, scope, wanted, into)) addRules(source, into);
    await placesIn(at, scope, [".codex/prompts", ".codex/skills", ".codex/agents"], into);
  }
  return settled(into, "strictest");
}

/** Files of rules in a folder, by their name's end, in order. */
export async function filesIn(at: Looked, scope: Scope, folder: string, end: string) {
  const real = await realOf(at, scope, folder);
  const names = real === undefined ? [] : await readdir(real).catch(() => []);
  return names
    .filter((name) => name.endsWith(end))
    .toSorted()
    .map((name) => ({ path: `${folder}/${name}`, rules: true as const }));
}

function addRules(source: Source, into: Gathered): void {
  try {
    for (const call of statedCalls(source.text)) into.entries.push(...entriesOf(source, call));
  } catch (error) {
    unreadable(into, source, error instanceof Error ? error.message : String(error), true);
  }
}

const decisions: Readonly<Record<string, Decision>> = {
  allow: "allow",
  prompt: "ask",
  forbidden: "deny",
  deny: "deny",
};

function entriesOf({ scope, from }: Source, { name, line, given }: StatedCall): Entry[] {
  const { pattern, decision: told = "allow" } = given;
  const decision = typeof told === "string" && Object.hasOwn(decisions, told) ? decisions[told] : undefined;
  const where = { scope, from };
  const unsaid = (why: string, of: "all" | "command" | "other"): Entry[] => [
    { ...where, was: `line ${line}: ${name}`, decision: decision ?? "deny", ...about(of, { why }) },
  ];
  if (name === "host_executable") return unsaid(importing().byName, "other");
  if (name !== "prefix_rule") return unsaid(importing().commandsAlone, "all");
  if (decision === undefined) return unsaid(importing().noCodexDecision, "command");
  const known = ["pattern", "decision", "justification", "match", "not_match"];
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined) return unsaid(importing().strange({ key: strange }), "command");
  const lines = linesOf(pattern);
  if (lines === undefined) return unsaid(importing().noPattern, "command");
  return lines.map((words) => ({
    ...where,
    was: `${told} ${escapeWords(words)}`,
    decision,
    ...prefixRule(words, decision),
  }));
}

const mostWays = 64;

/** Each list of words that a pattern means: where a place of it has several, one for each. */
function linesOf(pattern: Literal | undefined): string[][] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  let lines: string[][] = [[]];
  for (const place of pattern) {
    const ways = Array.isArray(place) ? place : [place];
    const words = ways.filter((way) => typeof way === "string");
    if (words.length !== ways.length || words.length === 0 || lines.length * words.length > mostWays) return undefined;
    lines = lines.flatMap((line) => words.map((word) => [...line, word]));
  }
  return lines;
}

/** Words are compared whole there as here, so that any may be said, quoted. */
function prefixRule(words: readonly string[], decision: Decision): Reading {
  if (words.every((word) => /^[\w@%+=:,./-]+$/u.test(word))) return commandRule(words.join(" "), true, decision);
  return about("command", [{ tool: "shell", command: `${escapeWords(words)} *`, decision }], words.join(" "));
}
