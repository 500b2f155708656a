import { decide, toldBy } from "./decide.ts";
import { type Glob, matchesGlob, parseGlob } from "./glob.ts";
import { guardedReason, sealedReason } from "./protected.ts";
import { meansTool } from "./rule-match.ts";
import type { CallFacts, Policy, RuleSource } from "./types.ts";

/**
 * Whether a call may read a place that it comes upon, without asking: what `decide` says of each use, made quick for many thousands of
 * places. `decide` itself is asked wherever a rule or a guard has anything to say of one.
 * @param uses facts of a call without its paths; a place must be allowed to all of them.
 * @param approved what made a person be asked about the call that they then approved: for its sake they are not asked again.
 */
export function pathJudge(
  uses: readonly CallFacts[],
  policy: Policy,
  approved?: RuleSource,
): (real: string) => boolean {
  const judges = uses.map((use) => {
    const isOpen = decide({ ...use, paths: [] }, policy).decision === "allow";
    const speaks = rulesAbout(use, policy);
    return (real: string): boolean => {
      if (isOpen && !speaks(real)) return true;
      const { decision, rule } = decide({ ...use, paths: [{ asked: real, real, access: "read" }] }, policy);
      return decision === "allow" || (decision === "ask" && approved !== undefined && isSame(rule, approved));
    };
  });
  return (real) => judges.every((judge) => judge(real));
}

const isSame = (one: RuleSource, other: RuleSource): boolean =>
  one.source === other.source && one.file === other.file && one.line === other.line && one.grant === other.grant;

/** Whether a place is protected, or a rule that denies or asks means it. */
function rulesAbout(use: CallFacts, policy: Policy): (real: string) => boolean {
  const { workspace } = use;
  const rules = policy.rules.filter(({ decision, tool }) => decision !== "allow" && meansTool(tool, use.tool));
  const globs = rules.flatMap(({ paths = [] }) => paths.map(parseGlob));
  const isReadable = globs.every((glob) => "ways" in glob);
  const known = globs.filter((glob): glob is Glob => "ways" in glob);
  return (real) =>
    !isReadable ||
    sealedReason(real, workspace, policy.sealed) !== undefined ||
    guardedReason(real, workspace, toldBy(use)) !== undefined ||
    known.some((glob) => matchesGlob(glob, real, workspace, true));
}
