import { lstatSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { readByHand, readPolicyFile, updatePolicyFile } from "../../policy/files/policy-file.ts";
import { parseRules } from "../../policy/files/rules.ts";
import type { Rule } from "../../policy/types.ts";
import { CliProblem } from "../problem.ts";
import type { Found, NewRule, Scope } from "./found.ts";

/** A file as it is and as it would be. */
export interface Change {
  scope: Scope;
  file: string;
  before: string | undefined;
  after: string;
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

const form = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * The person's files with what was found, comments and all else left as they are; what is there already is not written again. A rule that
 * this version would not load is left out, with its reason.
 * @throws PolicyProblem where a file that is there is broken
 */
export async function changesFor(
  scope: Scope,
  targets: Targets,
  found: readonly Found[],
): Promise<{ changes: Change[]; leftOut: Found[] }> {
  const leftOut: Found[] = [];
  const changes: Change[] = [];
  const policy = await readPolicyFile(targets.policy);
  const known = await knownRules(policy, targets.policy, scope);
  let text = policy ?? '{ "rules": [] }\n';
  let rules = known.length;
  for (const one of found) {
    if (one.kind !== "rule" || one.scope !== scope || known.some((rule) => isSame(rule, one.rule))) continue;
    const written = { ...one.rule, why: `imported from ${one.from}: ${one.was}`.slice(0, 300) };
    const parsed = await parseRules(JSON.stringify({ rules: [written] }), one.from, scope);
    if ("problems" in parsed) {
      const why = parsed.problems.map(({ message }) => message).join("; ");
      leftOut.push({ kind: "left_out", scope, from: one.from, what: one.was, why });
      continue;
    }
    known.push(...parsed.rules);
    text = applyEdits(text, modify(text, ["rules", rules], written, { ...form, isArrayInsertion: true }));
    rules += 1;
  }
  if (rules > 0 && text !== (policy ?? ""))
    changes.push({ scope, file: targets.policy, before: policy, after: ended(text) });
  const named = found.filter((one) => one.kind === "instructions").filter((one) => one.named && one.scope === scope);
  const config = await withInstructions(
    targets.config,
    named.map(({ path }) => path),
  );
  if (config !== undefined) changes.push({ scope, file: targets.config, ...config });
  return { changes: changes.filter(({ before, after }) => before !== after), leftOut };
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

async function knownRules(text: string | undefined, file: string, scope: Scope): Promise<Rule[]> {
  if (text === undefined) return [];
  const parsed = await parseRules(text, file, scope);
  if ("rules" in parsed) return [...parsed.rules];
  const [first] = parsed.problems;
  throw new CliProblem("configuration", `${file}:${first?.line ?? 1}: ${first?.message ?? "it is broken"}`, {
    hint: "nothing was written: mend it first",
  });
}

const isSame = (rule: Rule, fresh: NewRule): boolean =>
  rule.tool === fresh.tool &&
  rule.decision === fresh.decision &&
  rule.command === fresh.command &&
  JSON.stringify(rule.paths) === JSON.stringify(fresh.paths) &&
  JSON.stringify(rule.hosts) === JSON.stringify(fresh.hosts) &&
  [rule.notFlags, rule.redirect, rule.network, rule.sandbox].every((more) => more === undefined);

async function withInstructions(
  file: string,
  paths: readonly string[],
): Promise<{ before: string | undefined; after: string } | undefined> {
  const before = await readPolicyFile(file);
  const root = before === undefined ? undefined : readByHand(before, file);
  const listed = root?.kind === "object" ? root.members.get("instructions")?.node : undefined;
  const have =
    listed?.kind === "array" ? listed.items.flatMap((item) => (item.kind === "string" ? [item.value] : [])) : [];
  const missing = paths.filter((path) => !have.includes(path));
  if (missing.length === 0) return undefined;
  const text = before ?? "{}\n";
  const after = missing.reduce((made, path, index) => {
    const at =
      listed === undefined && index === 0
        ? modify(made, ["instructions"], [path], form)
        : modify(made, ["instructions", have.length + index], path, { ...form, isArrayInsertion: true });
    return applyEdits(made, at);
  }, text);
  return { before, after: ended(after) };
}

/** Writes what was shown, each file at once. @throws CliProblem where one was changed since; it is then left as it is. */
export async function write({ file, before, after }: Change): Promise<void> {
  await updatePolicyFile(file, (now) => {
    if (now !== before)
      throw new CliProblem("failed", `${file} was changed while you were looking: it is left as it is`, {
        hint: "import again",
      });
    return after;
  });
}
