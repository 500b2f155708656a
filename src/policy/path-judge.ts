import type { PathFact } from "../core/path-fact.ts";
import { rootsOf } from "../core/tool.ts";
import { decide } from "./decide.ts";
import { anyOf, parseGlob } from "./glob.ts";
import { otherNames, ruleKey } from "./leads.ts";
import { foldProtected, segmentsBelow } from "./names.ts";
import { guardedReason, protectedNames, sealedReason } from "./protected.ts";
import { projectIn, toldBy } from "./protected-place.ts";
import { meansTool } from "./rule-match.ts";
import type { CallFacts, Glob, Policy, RuleSource } from "./types.ts";

type Test = (real: string) => boolean;

/** `isKey`: its head, where somebody looked at it, is that of a private key. `file`: as in `PathFact`. */
type PathJudge = (real: string, isKey: boolean, file?: string) => boolean;

/**
 * Makes the judge that tells whether a call may read a place that it comes upon, without asking: as `decide` would for each use, made quick for many
 * thousands of places. `decide` itself is asked wherever a rule or a guard may have anything to say of one.
 * @param uses facts of a call without its paths; a place must be allowed to all of them.
 * @param approved what made a person be asked about the call that they then approved: for its sake they are not asked again.
 */
export function pathJudge(uses: readonly CallFacts[], policy: Policy, approved?: RuleSource): PathJudge {
  const isOpen = uses.every((use) => decide({ ...use, paths: [] }, policy).decision === "allow");
  const mayBeMeant = isOpen ? rulesAbout(uses, policy) : () => true;
  const isAllowed = (use: CallFacts, real: string, isKey: boolean, file?: string): boolean => {
    const noted = { ...(isKey ? { key: true as const } : {}), ...(file === undefined ? {} : { file }) };
    const path: PathFact = { asked: real, real, access: "read", ...noted };
    const { decision, rule } = decide({ ...use, paths: [path] }, policy);
    return decision === "allow" || (decision === "ask" && approved !== undefined && isSame(rule, approved));
  };
  return (real, isKey, file) =>
    (!isKey && !isOfLead(file, policy) && !mayBeMeant(real)) || uses.every((use) => isAllowed(use, real, isKey, file));
}

/**
 * Makes the test whether a place is guarded for reading, or a rule denies reading it or asks about it: a command is not to come upon
 * such places beside those that it names. Sealed places are no matter of this. As quick as `pathJudge`; `file` as there.
 * @param uses facts of the call itself and of a reading by read_file, both without paths, commands and hosts.
 */
export function closedJudge(uses: readonly CallFacts[], policy: Policy): (real: string, file?: string) => boolean {
  const mayBeMeant = rulesAbout(uses, policy);
  const isClosedTo = (use: CallFacts, real: string, file: string | undefined): boolean => {
    const path: PathFact = { asked: real, real, access: "read", ...(file === undefined ? {} : { file }) };
    const { decision, rule } = decide({ ...use, paths: [path] }, policy);
    return rule.source === "guarded" || (decision !== "allow" && (rule.source === "user" || rule.source === "project"));
  };
  return (real, file) =>
    (isOfLead(file, policy) || mayBeMeant(real)) && uses.some((use) => isClosedTo(use, real, file));
}

/** Tells whether it is a file of a protected name, by another one. */
const isOfLead = (file: string | undefined, { leads }: Policy): boolean =>
  file !== undefined && leads?.files.has(file) === true;

const isSame = (one: RuleSource, other: RuleSource): boolean =>
  one.source === other.source && one.file === other.file && one.line === other.line && one.grant === other.grant;

/** Makes the test whether a place is protected, or a rule that denies or asks means it. */
function rulesAbout(uses: readonly CallFacts[], policy: Policy): Test {
  const rules = policy.rules.filter(
    ({ decision, tool }) => decision !== "allow" && uses.some((use) => meansTool(tool, use.tool)),
  );
  const globs = rules.flatMap(({ paths = [] }) => paths.map(parseGlob));
  const known = globs.filter((glob): glob is Glob => "ways" in glob);
  const [use] = uses;
  if (use === undefined || known.length < globs.length) return () => true;
  const roots = [...rootsOf(use), ...rules.flatMap(({ root = [] }) => root)];
  const whole = rules.flatMap(({ root, paths }) => (root === undefined || paths !== undefined ? [] : [root]));
  const told = uses.some((one) => toldBy(one) === "read") ? "read" : "names";
  const isProtected = protection(projectIn(use, policy), told, policy);
  const led = rules.flatMap(({ paths = [], root }) =>
    paths.flatMap((pattern) => policy.leads?.rules?.get(ruleKey(pattern, root)) ?? []),
  );
  const isMeant = anyOf([...known, ...led], roots);
  return (real) => isProtected(real) || isMeant(real) || whole.some((root) => segmentsBelow(root, real) !== undefined);
}

/**
 * Makes the test whether a place is protected: by its own name, or with the folder that it lies in, so a place costs no more than a look at its name.
 */
function protection(workspace: string, told: "read" | "names", { sealed, linked, leads }: Policy): Test {
  const isNamed = protectedNames(sealed, linked);
  const ends = new Set(leads?.links.map(({ to }) => to.slice(to.lastIndexOf("/") + 1)));
  const mayBe = (name: string): boolean => isNamed(name) || (ends.size > 0 && ends.has(foldProtected(name)));
  const folders = new Map<string, boolean>();
  const isCalledSo: Test = (path) =>
    sealedReason(path, workspace, sealed) !== undefined ||
    guardedReason(path, workspace, told, false, linked) !== undefined;
  const isProtected: Test = (real) =>
    isCalledSo(real) || (leads !== undefined && otherNames(real, leads).some(isCalledSo));
  return (real) => {
    const end = real.lastIndexOf("/");
    const folder = end === 0 ? "/" : real.slice(0, end);
    let known = folders.get(folder);
    if (known === undefined) {
      known = isProtected(folder);
      folders.set(folder, known);
    }
    return known || (mayBe(real.slice(end + 1)) && isProtected(real));
  };
}
