import { lstatSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { type HookEvent, hookEvents } from "../../core/hooks.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { lineAt, plainValue } from "../../core/json-text.ts";
import { readByHand, readPolicyFile } from "../../policy/files/policy-file.ts";
import type { Rule } from "../../policy/types.ts";
import { importWritten } from "../../words/en/import-written.ts";
import { saidAgain } from "../../words/said-again.ts";
import { changeText, endedLine, type FileChange, rulesIn, withAllOf } from "../policy-change.ts";
import { CliProblem } from "../problem.ts";
import { userConfig } from "../settings/config-schema.ts";
import { withRule } from "../with-rule.ts";
import type { FoundSetting, HookGroup, NewRule, Scope } from "./found.ts";
import type { Known } from "./servers.ts";
import { isObject, objectAt } from "./sources.ts";

/** A file as it is and as it would be. */
export interface Change extends FileChange {
  scope: Scope;
  /** The change for the person to read. Of settings it is what is added alone: what stands around it may be secrets of theirs. */
  diff: string;
}

/** The files to which rules and settings of a scope go. */
interface Targets {
  policy: string;
  config: string;
}

/** Finds the files to which a project's go. @throws CliProblem where a link of the project would lead the writing elsewhere. */
export function projectTargets(workspace: string): Targets {
  const folder = join(workspace, ".holdfast");
  const targets = { policy: join(folder, "policy.json"), config: join(folder, "config.json") };
  for (const path of [folder, targets.policy, targets.config]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    const isFit = found === undefined || (path === folder ? found.isDirectory() : found.isFile());
    if (!isFit) throw new CliProblem("failed", importWritten().link({ path, isFolder: path === folder }));
  }
  return targets;
}

const writtenForm = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * Finds the servers and words that the person's settings have already.
 * @param text of the file, as it is.
 * @throws PolicyProblem where it is broken
 */
export function knownIn(text: string | undefined, file: string): Known {
  const whole = text === undefined ? {} : plainValue(readByHand(text, file));
  return { servers: Object.keys(objectAt(whole, "mcpServers")), words: JSON.stringify(whole).match(/\w+/gu) ?? [] };
}

/**
 * The person's files with what was found, comments and all else left as they are; what is there already is not written again.
 * @param settings the text of the config that what was found was chosen by
 * @throws PolicyProblem, CliProblem where a file that is there is broken, or would be too long
 */
export async function changesFor(
  scope: Scope,
  targets: Targets,
  found: readonly FoundSetting[],
  settings: string | undefined,
): Promise<Change[]> {
  const changes: Change[] = [];
  const before = await readPolicyFile(targets.policy);
  const after = await withRules(before, targets.policy, scope, found);
  if (after !== before && after !== undefined) {
    const change = { file: targets.policy, before, after };
    changes.push({ scope, ...change, diff: changeText(change) });
  }
  const config = withSettings(settings, targets.config, scope, found);
  return config === undefined ? changes : [...changes, { scope, file: targets.config, ...config }];
}

async function withRules(before: string | undefined, file: string, scope: Scope, found: readonly FoundSetting[]) {
  const known = await rulesIn(before, file, scope);
  let text = before ?? '{ "rules": [] }\n';
  let rules = known.length;
  const fresh: NewRule[] = [];
  for (const one of found) {
    if (one.kind !== "rule" || one.scope !== scope) continue;
    const { rule, from, was } = one;
    if (known.some((old) => isSame(old, rule)) || fresh.some((other) => isEqual(other, rule))) continue;
    const written = { ...rule, why: `imported from ${from}: ${was}`.slice(0, 300) };
    text = withRule(text, written);
    fresh.push(rule);
    rules += 1;
  }
  if (fresh.length === 0) return before;
  await withAllOf(text, rules, file, scope);
  return endedLine(text);
}

const isEqual = (one: NewRule, other: NewRule): boolean => JSON.stringify(one) === JSON.stringify(other);

const isSame = (rule: Rule, fresh: NewRule): boolean =>
  rule.tool === fresh.tool &&
  rule.decision === fresh.decision &&
  rule.command === fresh.command &&
  JSON.stringify(rule.paths) === JSON.stringify(fresh.paths) &&
  JSON.stringify(rule.hosts) === JSON.stringify(fresh.hosts) &&
  [rule.notFlags, rule.redirect, rule.network, rule.sandbox, rule.workspace, rule.cwd, rule.piped, rule.scripts].every(
    (more) => more === undefined,
  );

function withSettings(
  before: string | undefined,
  file: string,
  scope: Scope,
  found: readonly FoundSetting[],
): Omit<Change, "scope" | "file"> | undefined {
  const own = found.filter((one) => one.scope === scope);
  const paths = own.flatMap((one) => (one.kind === "instructions" && one.named ? [one.path] : []));
  const hooks = own.filter((one) => one.kind === "hook");
  const text = before ?? "{}\n";
  const named = withInstructions(text, file, paths);
  const hooked = withHooks(named.text, file, hooks);
  const made = hooked.text;
  const servers = scope === "user" ? newServers(made, file, found) : {};
  const after = Object.entries(servers).reduce(
    (so, [name, entry]) => applyEdits(so, modify(so, ["mcpServers", name], entry, writtenForm)),
    made,
  );
  if (after === text) return undefined;
  const added = {
    ...(named.added.length === 0 ? {} : { instructions: named.added }),
    ...(made === named.text ? {} : { hooks: hooked.added }),
    ...(after === made ? {} : { mcpServers: servers }),
  };
  return { before, after: endedLine(after), diff: `${file} gets\n${JSON.stringify(added, null, 2)}\n` };
}

/** Those that are taken, but for names that are there. @throws CliProblem where something else stands in their place */
function newServers(text: string, file: string, found: readonly FoundSetting[]): JsonObject {
  const root = readByHand(text, file);
  const whole = plainValue(root);
  const known = isJsonObject(whole) ? (whole["mcpServers"] ?? {}) : undefined;
  if (!isJsonObject(known))
    throw new CliProblem("configuration", importWritten().noServers({ file, line: lineAt(root, ["mcpServers"]) }), {
      hint: importWritten().mendFirst,
    });
  return Object.fromEntries(
    found.flatMap((one) =>
      one.kind === "server" && one.entry !== undefined && !Object.hasOwn(known, one.name)
        ? [[one.name, one.entry] as const]
        : [],
    ),
  );
}

function withInstructions(text: string, file: string, paths: readonly string[]): { text: string; added: string[] } {
  const listed = listAt(text, file, ["instructions"]);
  const missing = paths.filter((path) => !(listed ?? []).includes(path));
  return { text: withItems(text, ["instructions"], listed, missing), added: missing };
}

/** Each is a group of its own behind those that there are. @throws CliProblem where there would be more than are read */
function withHooks(text: string, file: string, hooks: readonly HookGroup[]) {
  let made = text;
  const added: Partial<Record<HookEvent, HookGroup["hook"][]>> = {};
  for (const event of hookEvents) {
    const wanted = hooks.flatMap((one) => (one.event === event ? [one.hook] : []));
    if (wanted.length === 0) continue;
    const listed = listAt(made, file, ["hooks", event]);
    const known = new Set((listed ?? []).flatMap(runsOf));
    const fresh = wanted.filter((group) => runsOf(group).some((run) => known.size < known.add(run).size));
    made = withItems(made, ["hooks", event], listed, fresh);
    if (fresh.length > 0) added[event] = fresh;
  }
  if (made === text) return { text, added };
  const wrong = userConfig.shape.hooks.safeParse(objectAt(plainValue(readByHand(made, file)), "hooks")).error;
  if (wrong === undefined) return { text: made, added };
  throw new CliProblem(
    "configuration",
    `${file}: "hooks": ${wrong.issues.map(({ message }) => saidAgain(message)).join("; ")}`,
    {
      hint: importWritten().mendFirst,
    },
  );
}

/** Lists the commands that a group has run, each with its matcher: by this two are the same. */
function runsOf(group: unknown): string[] {
  const { matcher = "", hooks } = isObject(group) ? group : {};
  return (Array.isArray(hooks) ? hooks : []).map((hook: unknown) =>
    JSON.stringify([matcher, isObject(hook) ? hook["command"] : undefined]),
  );
}

/** The list that stands there; undefined where there is none. @throws CliProblem where something else stands there */
function listAt(text: string, file: string, path: readonly string[]): Json[] | undefined {
  const root = readByHand(text, file);
  let at: Json | undefined = plainValue(root);
  for (const key of path) {
    if (at !== undefined && !isJsonObject(at)) throw noList(file, lineAt(root, path), path);
    at = at?.[key];
  }
  if (at !== undefined && !Array.isArray(at)) throw noList(file, lineAt(root, path), path);
  return at;
}

const noList = (file: string, line: number, path: readonly string[]): CliProblem =>
  new CliProblem("configuration", importWritten().noList({ file, line, path }), { hint: importWritten().mendFirst });

function withItems(
  text: string,
  path: string[],
  listed: readonly Json[] | undefined,
  items: readonly unknown[],
): string {
  return items.reduce<string>((made, item, index) => {
    const edits =
      listed === undefined && index === 0
        ? modify(made, path, [item], writtenForm)
        : modify(made, [...path, (listed?.length ?? 0) + index], item, { ...writtenForm, isArrayInsertion: true });
    return applyEdits(made, edits);
  }, text);
}
