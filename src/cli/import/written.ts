import { lstatSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { readByHand, readPolicyFile } from "../../policy/files/policy-file.ts";
import type { Rule } from "../../policy/types.ts";
import { endedLine, type FileChange, rulesIn, withAllOf } from "../policy-change.ts";
import { CliProblem } from "../problem.ts";
import { withRule } from "../with-rule.ts";
import type { Found, NewRule, Scope } from "./found.ts";

/** A file as it is and as it would be. */
export interface Change extends FileChange {
  scope: Scope;
}

/** Where rules and settings of a scope go. */
interface Targets {
  policy: string;
  config: string;
}

/** Where a project's go. @throws CliProblem where a link of the project would lead the writing elsewhere. */
export function projectTargets(workspace: string): Targets {
  const folder = join(workspace, ".holdfast");
  const targets = { policy: join(folder, "policy.json"), config: join(folder, "config.json") };
  for (const path of [folder, targets.policy, targets.config]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    const isFit = found === undefined || (path === folder ? found.isDirectory() : found.isFile());
    if (!isFit)
      throw new CliProblem(
        "failed",
        `${path} is a link, or no ${path === folder ? "folder" : "plain file"}: nothing is written through it`,
      );
  }
  return targets;
}

const writtenForm = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * The person's files with what was found, comments and all else left as they are; what is there already is not written again.
 * @throws PolicyProblem, CliProblem where a file that is there is broken, or would be too long
 */
export async function changesFor(scope: Scope, targets: Targets, found: readonly Found[]): Promise<Change[]> {
  const changes: Change[] = [];
  const before = await readPolicyFile(targets.policy);
  const after = await withRules(before, targets.policy, scope, found);
  if (after !== before && after !== undefined) changes.push({ scope, file: targets.policy, before, after });
  const named = found.filter((one) => one.kind === "instructions").filter((one) => one.named && one.scope === scope);
  const paths = named.map(({ path }) => path);
  const config = await withInstructions(targets.config, paths);
  return config === undefined ? changes : [...changes, { scope, file: targets.config, ...config }];
}

async function withRules(before: string | undefined, file: string, scope: Scope, found: readonly Found[]) {
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

async function withInstructions(
  file: string,
  paths: readonly string[],
): Promise<{ before: string | undefined; after: string } | undefined> {
  const before = await readPolicyFile(file);
  const root = before === undefined ? undefined : readByHand(before, file);
  const given = root?.kind === "object" ? root.members.get("instructions") : undefined;
  if ((root !== undefined && root.kind !== "object") || (given !== undefined && given.node.kind !== "array"))
    throw new CliProblem("configuration", `${file}:${given?.line ?? 1}: "instructions" must be a list`, {
      hint: "nothing was written: mend it first",
    });
  const listed = root?.kind === "object" ? root.members.get("instructions")?.node : undefined;
  const have =
    listed?.kind === "array" ? listed.items.flatMap((item) => (item.kind === "string" ? [item.value] : [])) : [];
  const missing = paths.filter((path) => !have.includes(path));
  if (missing.length === 0) return undefined;
  const text = before ?? "{}\n";
  const after = missing.reduce((made, path, index) => {
    const at =
      listed === undefined && index === 0
        ? modify(made, ["instructions"], [path], writtenForm)
        : modify(made, ["instructions", have.length + index], path, { ...writtenForm, isArrayInsertion: true });
    return applyEdits(made, at);
  }, text);
  return { before, after: endedLine(after) };
}
