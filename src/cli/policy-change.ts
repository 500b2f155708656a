import { relative } from "node:path";
import { diffOf } from "../files/diff/diff.ts";
import { diffText } from "../files/diff/diff-text.ts";
import { updatePolicyFile } from "../policy/files/policy-file.ts";
import { parseRules } from "../policy/files/rules.ts";
import type { Rule } from "../policy/types.ts";
import { policyChange } from "../words/en/policy-change.ts";
import { CliProblem } from "./problem.ts";

/** A file as it is and as it would be. */
export interface FileChange {
  file: string;
  before: string | undefined;
  after: string;
}

/** The change as git shows one of a file that is named from the top. */
export const changeText = ({ file, before, after }: FileChange): string =>
  diffText([
    { ...diffOf(before ?? null, after), kind: before === undefined ? "new" : "modify", name: relative("/", file) },
  ]);

export const endedLine = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** The rules of a file that is there. @throws CliProblem where it is broken, naming the line: nothing is written into it. */
export async function rulesIn(text: string | undefined, file: string, source: "user" | "project"): Promise<Rule[]> {
  if (text === undefined) return [];
  const parsed = await parseRules(text, file, source);
  if ("rules" in parsed) return [...parsed.rules];
  const [first] = parsed.problems;
  throw new CliProblem("configuration", `${file}:${first?.line ?? 1}: ${first?.message ?? policyChange().broken}`, {
    hint: policyChange().mendFirst,
  });
}

/** @throws CliProblem where the rules are not all in the text: it is not written then. */
export async function withAllOf(
  text: string,
  count: number,
  file: string,
  source: "user" | "project",
): Promise<Rule[]> {
  const now = await rulesIn(text, file, source);
  if (now.length === count) return now;
  throw new CliProblem("failed", policyChange().tooMany({ file }));
}

/**
 * Writes what was shown, each file at once.
 * @param again what the person may do then
 * @throws CliProblem where the file was changed since; it is then left as it is.
 */
export async function writeChange({ file, before, after }: FileChange, again: string): Promise<void> {
  let isAsShown = true;
  await updatePolicyFile(file, (now) => {
    isAsShown = now === before;
    return isAsShown ? after : undefined;
  });
  if (!isAsShown) throw new CliProblem("failed", policyChange().changed({ file }), { hint: again });
}
