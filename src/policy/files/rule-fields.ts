import { isAbsolute, normalize } from "node:path";
import type { JsonNode } from "../../core/json-text.ts";
import { wrongSecretName } from "../../core/secrets/secret-names.ts";
import { allowsEverything, parseArgvPattern } from "../../tools/shell/reading/argv-pattern.ts";
import { policyFiles as words } from "../../words/en/policy-files.ts";
import { saidAgain } from "../../words/said-again.ts";
import { parseGlob } from "../glob.ts";
import { riskTable } from "../risk-table.ts";
import { meansTool } from "../rule-match.ts";
import type { Decision, GrantedScript, PolicyFileProblem, Rule } from "../types.ts";

export type ObjectNode = Extract<JsonNode, { kind: "object" }>;
/** A text of the file and the line it stands on. */
export type Told = { text: string; line: number };
/** Notes what is wrong at a line; reading goes on, so that one start shows all that is to be mended. */
export type Report = (line: number, message: string) => void;

export function reporter(file: string): { problems: PolicyFileProblem[]; report: Report } {
  const problems: PolicyFileProblem[] = [];
  return { problems, report: (line, message) => problems.push({ file, line, message }) };
}

type KeysOf = Parameters<ReturnType<typeof words>["unknownKey"]>[0]["of"];

/** Names every key that is not among `known`: a misspelt restriction must not turn into none. */
export function checkKeys(object: ObjectNode, known: readonly string[], of: KeysOf, report: Report): void {
  for (const [key, { line }] of object.members) {
    if (!known.includes(key)) report(line, words().unknownKey({ key, of, known }));
  }
}

/** The text of a member: undefined where it is absent or was reported as wrong. */
export function textOf(object: ObjectNode, key: string, report: Report): Told | undefined {
  const node = object.members.get(key)?.node;
  if (node === undefined) return undefined;
  if (node.kind === "string") return { text: node.value, line: node.line };
  report(node.line, words().notText({ key }));
  return undefined;
}

/** A list of texts with at least one entry. */
function textsOf(object: ObjectNode, key: string, report: Report): Told[] | undefined {
  const node = object.members.get(key)?.node;
  if (node === undefined) return undefined;
  if (node.kind === "array" && node.items.length > 0 && node.items.every((item) => item.kind === "string"))
    return node.items.map((item) => ({ text: item.kind === "string" ? item.value : "", line: item.line }));
  report(node.line, words().notTexts({ key }));
  return undefined;
}

/** The part of rules and grants that says what they reach. */
export type ReachFields = Pick<Rule, "tool" | "paths" | "command" | "hosts" | "methods" | "secrets" | "workspace"> &
  CommandFields;

/**
 * Reads `tool`, `paths`, `command`, `hosts` and reports what is wrong with them. Only a result without reports may be
 * used.
 */
export function readReach(object: ObjectNode, decision: Decision, report: Report): ReachFields {
  const tool = readTool(object, report);
  const paths = textsOf(object, "paths", report);
  const command = textOf(object, "command", report);
  const hosts = textsOf(object, "hosts", report);
  const secrets = textsOf(object, "secrets", report);
  const methods = readMethods(object, report);
  const workspace = readWorkspace(object, report);
  const kinds = ["paths", "command", "hosts"].filter((key) => object.members.has(key));
  if (kinds.length > 1) report(object.line, words().oneKind({ kinds }));
  for (const path of paths ?? []) checkPath(path, report);
  if (command !== undefined) checkCommand(command, decision, report);
  for (const host of hosts ?? []) checkHost(host, report);
  checkSecrets({ secrets, decision, isPlaced: command !== undefined || hosts !== undefined }, object.line, report);
  if (decision === "allow" && kinds.length === 0) checkUnrestricted(tool, object.line, report);
  return {
    tool,
    ...(paths === undefined ? {} : { paths: paths.map(({ text }) => text) }),
    ...(command === undefined ? {} : { command: command.text }),
    ...readCommandFields(object, decision, report),
    ...(hosts === undefined ? {} : { hosts: hosts.map(({ text }) => text) }),
    ...(methods && { methods }),
    ...(secrets && { secrets: secrets.map(({ text }) => text) }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

function readMethods(object: ObjectNode, report: Report): string[] | undefined {
  const methods = textsOf(object, "methods", report);
  for (const { text, line } of methods ?? [])
    if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(text)) report(line, words().method({ method: text }));
  const member = object.members.get("methods");
  if (member !== undefined && !object.members.has("hosts")) report(member.line, words().methodsPlace);
  return methods?.map(({ text }) => text);
}

function checkSecrets(
  { secrets, decision, isPlaced }: { secrets: Told[] | undefined; decision: Decision; isPlaced: boolean },
  at: number,
  report: Report,
): void {
  for (const { text, line } of secrets ?? []) {
    const wrong = wrongSecretName(text);
    if (wrong !== undefined) report(line, words().secret({ name: text, wrong: saidAgain(wrong) }));
  }
  if (secrets !== undefined && decision === "allow" && !isPlaced) report(at, words().secretsPlace);
}

function readWorkspace(object: ObjectNode, report: Report): string | undefined {
  const told = textOf(object, "workspace", report);
  if (told !== undefined && (!isAbsolute(told.text) || normalize(told.text) !== told.text))
    report(told.line, words().workspace);
  return told?.text;
}

export const commandFields = ["notFlags", "redirect", "network", "sandbox", "cwd", "piped", "scripts"] as const;
type CommandFields = Pick<Rule, (typeof commandFields)[number]>;

/** Reads the fields that an allow of a command has beside its pattern: where one would say nothing it is a mistake. */
function readCommandFields(object: ObjectNode, decision: Decision, report: Report): CommandFields {
  for (const key of commandFields) {
    const member = object.members.get(key);
    if (member !== undefined && (decision !== "allow" || !object.members.has("command")))
      report(member.line, words().ofCommand({ key }));
  }
  const notFlags = textsOf(object, "notFlags", report);
  const redirect = textOf(object, "redirect", report);
  if (redirect !== undefined && redirect.text !== "none" && redirect.text !== "workspace")
    report(redirect.line, words().redirect);
  const network = truthOf(object, "network", report);
  const sandbox = truthOf(object, "sandbox", report);
  const cwd = textOf(object, "cwd", report);
  const piped = truthOf(object, "piped", report);
  const scripts = scriptsOf(object, report);
  return {
    ...(notFlags === undefined ? {} : { notFlags: notFlags.map(({ text }) => text) }),
    ...(redirect?.text === "none" || redirect?.text === "workspace" ? { redirect: redirect.text } : {}),
    ...(network === undefined ? {} : { network }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(cwd === undefined ? {} : { cwd: cwd.text }),
    ...(piped === undefined ? {} : { piped }),
    ...(scripts === undefined ? {} : { scripts }),
  };
}

/** Files and their hashes; of none at all the list is empty, and says that there is none. */
function scriptsOf(object: ObjectNode, report: Report): GrantedScript[] | undefined {
  const member = object.members.get("scripts");
  if (member === undefined) return undefined;
  if (member.node.kind !== "array") {
    report(member.line, words().scripts);
    return undefined;
  }
  return member.node.items.flatMap((node) => {
    if (node.kind !== "object") {
      report(node.line, words().scripts);
      return [];
    }
    checkKeys(node, ["path", "sha"], "script", report);
    const path = textOf(node, "path", report)?.text ?? "";
    const sha = textOf(node, "sha", report)?.text ?? "";
    if (!isAbsolute(path) || !/^[0-9a-f]{64}$/u.test(sha)) report(node.line, words().scripts);
    return [{ path, sha }];
  });
}

function truthOf(object: ObjectNode, key: string, report: Report): boolean | undefined {
  const node = object.members.get(key)?.node;
  if (node === undefined) return undefined;
  if (node.kind === "other" && typeof node.value === "boolean") return node.value;
  report(node.line, words().notTruth({ key }));
  return undefined;
}

function readTool(object: ObjectNode, report: Report): string {
  const told = textOf(object, "tool", report);
  if (told === undefined) {
    if (!object.members.has("tool")) report(object.line, words().noTool);
    return "";
  }
  if (!/^[\w.:/*-]+$/u.test(told.text)) report(told.line, words().notTool({ tool: told.text }));
  return told.text;
}

function checkPath({ text, line }: Told, report: Report): void {
  const glob = parseGlob(text);
  if ("wrong" in glob) report(line, words().path({ pattern: text, wrong: glob.wrong }));
}

function checkCommand({ text, line }: Told, decision: Decision, report: Report): void {
  const pattern = parseArgvPattern(text);
  if ("wrong" in pattern) report(line, words().command({ pattern: text, wrong: saidAgain(pattern.wrong) }));
  else if (decision === "allow" && allowsEverything(pattern))
    report(line, words().command({ pattern: text, wrong: words().startsAnother }));
}

function checkHost({ text, line }: Told, report: Report): void {
  if (
    !/^(\*\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?(:\d{1,5})?$|^[0-9a-f:]+$|^\[[0-9a-f:]+\](:\d{1,5})?$/iu.test(text)
  )
    report(line, words().host({ host: text }));
}

function checkUnrestricted(tool: string, line: number, report: Report): void {
  // What such a tool does is in the command and nowhere else.
  const runs = riskTable.find((row) => row.by === "command" && meansTool(tool, row.tool));
  if (runs !== undefined) report(line, words().everyCommand(runs));
  const risky = riskTable.find((row) => row.risk === "high" && meansTool(tool, row.tool));
  if (risky !== undefined) report(line, words().everything(risky));
}

/** The texts of `match`/`notMatch` that do not come out as they say. `means` is the rule as it will be applied. */
export async function checkExamples(
  object: ObjectNode,
  rule: Rule,
  means: (example: string) => boolean | Promise<boolean>,
  report: Report,
): Promise<void> {
  for (const [key, wanted] of [
    ["match", true],
    ["notMatch", false],
  ] as const) {
    for (const { text, line } of textsOf(object, key, report) ?? []) {
      if ((await means(text)) === wanted) continue;
      const about = { example: text, key, rule: reachText(rule) };
      report(line, wanted ? words().notMatched(about) : words().matched(about));
    }
  }
}

const reachText = (rule: Rule): string =>
  `'${rule.paths?.join(", ") ?? rule.command ?? rule.hosts?.join(", ") ?? rule.tool}' (${rule.decision})`;
