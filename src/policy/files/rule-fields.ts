import type { JsonNode } from "../../core/json-text.ts";
import { allowsEverything, parseCommandPattern } from "../command-pattern.ts";
import { parseGlob } from "../glob.ts";
import { riskTable } from "../risk-table.ts";
import { meansTool } from "../rule-match.ts";
import type { Decision, PolicyFileProblem, Rule } from "../types.ts";

export type ObjectNode = Extract<JsonNode, { kind: "object" }>;
/** A text of the file and the line it stands on. */
export type Told = { text: string; line: number };
/** Notes what is wrong at a line; reading goes on, so that one start shows all that is to be mended. */
export type Report = (line: number, message: string) => void;

export function reporter(file: string): { problems: PolicyFileProblem[]; report: Report } {
  const problems: PolicyFileProblem[] = [];
  return { problems, report: (line, message) => problems.push({ file, line, message }) };
}

/** Names every key that is not among `known`: a misspelt restriction must not turn into none. */
export function checkKeys(object: ObjectNode, known: readonly string[], what: string, report: Report): void {
  for (const [key, { line }] of object.members) {
    if (!known.includes(key)) report(line, `unknown key "${key}" in ${what} (known: ${known.join(", ")})`);
  }
}

/** The text of a member: undefined where it is absent or was reported as wrong. */
export function textOf(object: ObjectNode, key: string, report: Report): Told | undefined {
  const node = object.members.get(key)?.node;
  if (node === undefined) return undefined;
  if (node.kind === "string") return { text: node.value, line: node.line };
  report(node.line, `"${key}" must be a string`);
  return undefined;
}

/** A list of texts with at least one entry. */
function textsOf(object: ObjectNode, key: string, report: Report): Told[] | undefined {
  const node = object.members.get(key)?.node;
  if (node === undefined) return undefined;
  if (node.kind === "array" && node.items.length > 0 && node.items.every((item) => item.kind === "string"))
    return node.items.map((item) => ({ text: item.kind === "string" ? item.value : "", line: item.line }));
  report(node.line, `"${key}" must be a list of at least one string`);
  return undefined;
}

/** The part of rules and grants that says what they reach. */
export type ReachFields = { tool: string; paths?: string[]; command?: string; hosts?: string[] };

/**
 * Reads `tool`, `paths`, `command`, `hosts` and reports what is wrong with them. Only a result without reports may be
 * used.
 */
export function readReach(object: ObjectNode, decision: Decision, report: Report): ReachFields {
  const tool = readTool(object, report);
  const paths = textsOf(object, "paths", report);
  const command = textOf(object, "command", report);
  const hosts = textsOf(object, "hosts", report);
  const kinds = ["paths", "command", "hosts"].filter((key) => object.members.has(key));
  if (kinds.length > 1)
    report(object.line, `a rule may have only one of paths, command, hosts; this one has ${kinds.join(" and ")}`);
  for (const path of paths ?? []) checkPath(path, report);
  if (command !== undefined) checkCommand(command, decision, report);
  for (const host of hosts ?? []) checkHost(host, report);
  if (decision === "allow" && kinds.length === 0) checkUnrestricted(tool, object.line, report);
  return {
    tool,
    ...(paths === undefined ? {} : { paths: paths.map(({ text }) => text) }),
    ...(command === undefined ? {} : { command: command.text }),
    ...(hosts === undefined ? {} : { hosts: hosts.map(({ text }) => text) }),
  };
}

function readTool(object: ObjectNode, report: Report): string {
  const told = textOf(object, "tool", report);
  if (told === undefined) {
    if (!object.members.has("tool")) report(object.line, 'the rule has no "tool"');
    return "";
  }
  if (!/^[\w.:/*-]+$/u.test(told.text)) report(told.line, `"${told.text}" is not a tool's name`);
  return told.text;
}

function checkPath({ text, line }: Told, report: Report): void {
  const glob = parseGlob(text);
  if ("wrong" in glob) report(line, `path pattern "${text}": ${glob.wrong}`);
}

function checkCommand({ text, line }: Told, decision: Decision, report: Report): void {
  const pattern = parseCommandPattern(text);
  if ("wrong" in pattern) report(line, `command pattern "${text}": ${pattern.wrong}`);
  else if (decision === "allow" && allowsEverything(pattern))
    report(line, `command pattern "${text}": it starts another command, so it would allow every command`);
}

function checkHost({ text, line }: Told, report: Report): void {
  if (
    !/^(\*\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?(:\d{1,5})?$|^[0-9a-f:]+$|^\[[0-9a-f:]+\](:\d{1,5})?$/iu.test(text)
  )
    report(line, `"${text}" is not a host (a name, or '*.' before one, and ':port' after it; no scheme or path)`);
}

function checkUnrestricted(tool: string, line: number, report: Report): void {
  const risky = riskTable.find((row) => row.risk === "high" && meansTool(tool, row.tool));
  if (risky !== undefined)
    report(
      line,
      `this would allow everything that ${risky.tool} can do (high risk): restrict it by paths, command or hosts`,
    );
}

/** The texts of `match`/`notMatch` that do not come out as they say. `means` is the rule as it will be applied. */
export function checkExamples(
  object: ObjectNode,
  rule: Rule,
  means: (example: string) => boolean,
  report: Report,
): void {
  const check = (key: "match" | "notMatch", wanted: boolean) => {
    for (const { text, line } of textsOf(object, key, report) ?? []) {
      if (means(text) !== wanted)
        report(
          line,
          `the example "${text}" of ${key} ${wanted ? "is not matched" : "is matched"} by ${reachText(rule)}`,
        );
    }
  };
  check("match", true);
  check("notMatch", false);
}

const reachText = (rule: Rule): string =>
  `'${rule.paths?.join(", ") ?? rule.command ?? rule.hosts?.join(", ") ?? rule.tool}' (${rule.decision})`;
