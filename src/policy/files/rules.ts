import { resolve } from "node:path";
import { expandBraces } from "../../core/braces.ts";
import type { HostFact } from "../../core/host-fact.ts";
import { type JsonNode, readJsonText } from "../../core/json-text.ts";
import { limitText } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import { policyFiles as words } from "../../words/en/policy-files.ts";
import { maxPatternLength, maxWays } from "../glob.ts";
import { coversHost, touchesHost } from "../hosts.ts";
import { riskTable } from "../risk-table.ts";
import { covers, coversPath, touches, touchesPath } from "../rule-match.ts";
import { partsOf } from "../shell/line-parts.ts";
import type { Decision, PolicyFileProblem, RiskSetting, Rule } from "../types.ts";
import { writtenByHand } from "./policy-file.ts";
import {
  checkExamples,
  checkKeys,
  commandFields,
  type ObjectNode,
  type Report,
  readReach,
  reporter,
  textOf,
} from "./rule-fields.ts";

export type ParsedRules =
  | { rules: Rule[]; risks?: Readonly<Record<string, RiskSetting>> }
  | { problems: PolicyFileProblem[] };

const ruleKeys = [
  "tool",
  "paths",
  "command",
  ...commandFields,
  "hosts",
  "methods",
  "secrets",
  "workspace",
  "decision",
  "why",
  "match",
  "notMatch",
] as const;

/**
 * Reads a policy file: `{"rules": [{tool, decision, paths | command | hosts, why?, match?, notMatch?}], "risk": {tool: low | medium |
 * high}}`; one of the two may be left out. Strict: unknown
 * keys, empty patterns and keys written twice are problems. Each rule runs its own examples (paths relative to the
 * workspace or absolute, command lines, or hosts), as it will be applied. All problems are returned, each with its line.
 */
export async function parseRules(text: string, file: string, source: "user" | "project"): Promise<ParsedRules> {
  const { problems, report } = reporter(file);
  const root = readJsonText(text, writtenByHand);
  if ("wrong" in root) {
    report(root.line, root.wrong);
    return { problems };
  }
  const rules: (Rule | undefined)[] = [];
  const takes = roomForRules(report);
  for (const node of ruleNodes(root, report)) {
    if (!takes(node)) break;
    rules.push(await readRule(node, { file, source }, report));
  }
  const risks = readRisks(root, file, report);
  return problems.length > 0 ? { problems } : { rules: rules.filter((rule) => rule !== undefined), ...risks };
}

/**
 * Says of each rule in turn whether there is still room for its patterns and for trying its examples: a file may come from anybody, and
 * what its rules cost is paid with every path.
 */
function roomForRules(report: Report): (node: JsonNode) => boolean {
  let [patterns, examples] = [0, 0];
  return (node) => {
    if (node.kind !== "object") return true;
    const size = (key: string): number =>
      textsIn(node.members.get(key)?.node).reduce(
        (sum, text) => sum + (key === "paths" ? waysIn(text) : text.length),
        0,
      );
    const own = size("tool") + size("paths") + size("command") + size("hosts");
    patterns += own;
    examples += own * (size("match") + size("notMatch"));
    const { rulePatterns, ruleExamples } = limits;
    if (patterns > rulePatterns.most) report(node.line, words().patternsLimit({ most: limitText(rulePatterns) }));
    else if (examples > ruleExamples.most) report(node.line, words().examplesLimit);
    else return true;
    return false;
  };
}

function textsIn(node: JsonNode | undefined): string[] {
  if (node?.kind === "string") return [node.value];
  return node?.kind === "array" ? node.items.flatMap((item) => (item.kind === "string" ? [item.value] : [])) : [];
}

/** Characters of a path pattern with its braces written out. */
function waysIn(pattern: string): number {
  const ways = expandBraces(pattern.slice(0, maxPatternLength), maxWays);
  return Array.isArray(ways) ? ways.reduce((sum, way) => sum + way.length, 0) : pattern.length;
}

/** `"risk": {"deploy": "high"}`: each tool's risk, with its line. */
function readRisks(root: JsonNode, file: string, report: Report): { risks?: Record<string, RiskSetting> } {
  const set = root.kind === "object" ? root.members.get("risk") : undefined;
  if (set === undefined) return {};
  if (set.node.kind !== "object") {
    report(set.line, words().riskShape);
    return {};
  }
  const found: [string, RiskSetting][] = [];
  for (const [tool, { line, node }] of set.node.members) {
    const risk = riskLevels.find((level) => node.kind === "string" && node.value === level);
    if (!/^[a-zA-Z0-9_-]{1,64}$/u.test(tool)) report(line, words().riskTool({ tool }));
    else if (risk === undefined) report(line, words().riskLevel({ tool }));
    else found.push([tool, { risk, file, line }]);
  }
  return { risks: Object.fromEntries(found) };
}

const riskLevels = ["low", "medium", "high"] as const;

function ruleNodes(root: JsonNode, report: Report): JsonNode[] {
  if (root.kind !== "object") {
    report(root.line, words().policyShape);
    return [];
  }
  checkKeys(root, ["rules", "risk"], "policy", report);
  const list = root.members.get("rules");
  if (list === undefined) {
    if (!root.members.has("risk")) report(root.line, words().emptyPolicy);
  } else if (list.node.kind === "array") return list.node.items;
  else report(list.line, words().rulesShape);
  return [];
}

async function readRule(
  node: JsonNode,
  origin: { file: string; source: "user" | "project" },
  report: Report,
): Promise<Rule | undefined> {
  if (node.kind !== "object") {
    report(node.line, words().ruleShape);
    return undefined;
  }
  let clean = true;
  const note: Report = (line, message) => {
    clean = false;
    report(line, message);
  };
  checkKeys(node, ruleKeys, "rule", note);
  const decision = readDecision(node, note);
  const why = textOf(node, "why", note);
  if (why !== undefined && why.text.trim() === "") note(why.line, words().emptyWhy);
  const reach = readReach(node, decision, note);
  if (!clean) return undefined;
  const rule: Rule = {
    ...reach,
    decision,
    why: why?.text.trim() ?? "",
    origin: { source: origin.source, file: origin.file, line: node.line },
  };
  await runExamples(node, rule, note);
  return rule;
}

function readDecision(node: ObjectNode, report: Report): Decision {
  const told = textOf(node, "decision", report);
  if (told?.text === "allow" || told?.text === "ask" || told?.text === "deny") return told.text;
  if (told !== undefined || !node.members.has("decision")) report(told?.line ?? node.line, words().decision);
  return "deny";
}

/** Examples are judged below this folder, so that they do not depend on where the policy is used. */
const exampleWorkspace = "/workspace";

async function runExamples(node: ObjectNode, rule: Rule, report: Report): Promise<void> {
  const example = node.members.get("match") ?? node.members.get("notMatch");
  if (example === undefined) return;
  // An example is a line or a host: what it would be given is not told by it.
  const { secrets: _, ...plain } = rule;
  const means = meaning(plain);
  if (means === undefined) report(example.line, words().examplesPlace);
  else await checkExamples(node, rule, means, report);
}

/** Returns the test by which the rule will read one path, command or host: strictly where it allows, widely where it denies or asks. */
function meaning(rule: Rule): ((example: string) => boolean | Promise<boolean>) | undefined {
  const { paths, command, hosts } = rule;
  if (paths !== undefined) {
    const fits = rule.decision === "allow" ? coversPath : touchesPath;
    return (example) => paths.some((glob) => fits(glob, resolveExample(example), [exampleWorkspace]));
  }
  if (command !== undefined) return (example) => meansLine(rule, example);
  if (hosts !== undefined) {
    const fits = rule.decision === "allow" ? coversHost : touchesHost;
    return (example) => hosts.some((pattern) => fits(pattern, exampleHost(example)));
  }
  return undefined;
}

/**
 * Tells whether the rule means an example line; where a rule holds, and for which bytes of files, no example tells. A line is denied or asked about
 * where a part of it is; allowed where each part is, or does nothing that needs it.
 */
async function meansLine({ workspace: _, cwd: __, scripts: ___, ...rule }: Rule, line: string): Promise<boolean> {
  const { readCommandLine } = await import("../../tools/shell/reading/read-command-line.ts");
  const place = { workspace: exampleWorkspace, cwd: exampleWorkspace, path: [] };
  const { commands } = await readCommandLine(line, place);
  const parts = partsOf({
    tool: rule.tool,
    effect: "once",
    paths: [],
    commands,
    hosts: [],
    workspace: exampleWorkspace,
    network: rule.network === true,
    sandbox: true,
  });
  if (rule.decision !== "allow") return parts.some((part) => touches(rule, part));
  const isMeant = parts.map((part) => covers(rule, part));
  return isMeant.includes(true) && parts.every(({ effect }, at) => isMeant[at] === true || effect === "none");
}

/** `host` or `host:port`; an example tells nothing of where a host leads. */
function exampleHost(example: string): HostFact {
  const [, host = example, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/u.exec(example) ?? [];
  return { host: host.replace(/^\[(.*)\]$/u, "$1"), ...(port === undefined ? {} : { port: Number(port) }) };
}

const resolveExample = (example: string): string => resolve(exampleWorkspace, example);

/**
 * Reads the short form of allow rules: `tool`, `tool(path pattern)`, or for tools that run commands or reach hosts `tool(command
 * pattern)` and `tool(host)`. A rule's line is its place among the flags, from 1.
 */
export async function parseAllowFlags(flags: readonly string[], file = "--allow"): Promise<ParsedRules> {
  const { problems, report } = reporter(file);
  const rules: (Rule | undefined)[] = [];
  for (const [index, flag] of flags.entries()) rules.push(await readFlag(flag, index + 1, file, report));
  return problems.length > 0 ? { problems } : { rules: rules.filter((rule) => rule !== undefined) };
}

async function readFlag(flag: string, line: number, file: string, report: Report): Promise<Rule | undefined> {
  const parts = /^\s*([^()\s]+)\s*(?:\((.*)\))?\s*$/su.exec(flag);
  if (parts === null) {
    report(line, words().flagShape({ flag }));
    return undefined;
  }
  const [, tool = "", pattern] = parts;
  const text = (value: string): JsonNode => ({ kind: "string", line, value });
  const by = riskTable.find((row) => row.tool === tool)?.by ?? "paths";
  const fields: [string, JsonNode][] = [
    ["tool", text(tool)],
    ["decision", text("allow")],
  ];
  if (pattern !== undefined)
    fields.push([by, by === "command" ? text(pattern) : { kind: "array", line, items: [text(pattern)] }]);
  const members = new Map(fields.map(([key, node]) => [key, { line, node }]));
  return readRule({ kind: "object", line, members }, { file, source: "user" }, report);
}
