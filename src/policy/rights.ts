import { canonicalJson, sha256 } from "../core/json.ts";
import { isInside } from "../files/boundary.ts";
import type { Mode, Policy, RiskSetting, RiskSettings, Rule } from "./types.ts";

/** The rights that a policy gives, as plain data: kept with a session that a call drives, which has no more than that at any later time. */
export interface Rights {
  mode: Mode;
  autoSandbox?: true;
  isSandboxOff?: true;
  /** Marks of the rules that allow. */
  allows: string[];
  /** Those that deny or ask. */
  binds: Rule[];
  risks?: RiskSettings;
  /** Folders beside the workspace, symlinks resolved; of a session that an older version began they are not known. */
  addDirs?: readonly string[];
}

export const rightsOf = (
  { mode, rules, risks, autoSandbox, isSandboxOff }: Policy,
  addDirs: readonly string[],
): Rights => ({
  mode,
  ...(autoSandbox && { autoSandbox }),
  ...(isSandboxOff && { isSandboxOff }),
  allows: rules.filter(({ decision }) => decision === "allow").map(markOf),
  binds: rules.filter(({ decision }) => decision !== "allow"),
  ...(risks && { risks }),
  addDirs,
});

// Keeps policy 12.
/** A policy cut down to what was let be done then. What it has of grants counts: a person gave them to this very tree, or to all of theirs. */
export function noMoreThan(policy: Policy, then: Rights): Policy {
  const { autoSandbox, isSandboxOff, risks, ...rest } = policy;
  const allows = new Set(then.allows);
  const now = policy.rules.filter((rule) => rule.decision !== "allow" || allows.has(markOf(rule)));
  const known = new Set(now.map(markOf));
  const least = leastRisks(risks, then.risks);
  return {
    ...rest,
    mode: lesserMode(policy.mode, then.mode),
    rules: [...now, ...then.binds.filter((rule) => !known.has(markOf(rule)))],
    ...(autoSandbox && then.autoSandbox && { autoSandbox }),
    ...(isSandboxOff && then.isSandboxOff && { isSandboxOff }),
    ...(least && { risks: least }),
  };
}

// Keeps policy 12.
/** Of the folders that are added now those that were then, or are in one that was. */
export const addedThen = (now: readonly string[], then: Rights | undefined): readonly string[] => {
  const roots = then?.addDirs;
  return roots === undefined ? now : now.filter((folder) => roots.some((root) => isInside(root, folder)));
};

/** The one of the two that lets less be done; where both let the same be done, `now`. */
export const lesserMode = (now: Mode, then: Mode): Mode => (strength[now] <= strength[then] ? now : then);

/** Each mode lets be done what those before it do. */
const strength: Readonly<Record<Mode, number>> = { "read-only": 0, plan: 0, ask: 1, "accept-edits": 2, "full-auto": 3 };

const marks = new WeakMap<Rule, string>();

/** Returns a mark of a rule's reach and decision, the same whoever words it how and wherever in its file it stands. */
function markOf(rule: Rule): string {
  const known = marks.get(rule);
  if (known !== undefined) return known;
  const { why: _, origin, ...reach } = rule;
  const mark = sha256(canonicalJson({ ...reach, source: origin.source })).slice(0, 24);
  marks.set(rule, mark);
  return mark;
}

const order = { low: 0, medium: 1, high: 2 } as const;

type Risks = Readonly<Record<string, RiskSetting>>;

/**
 * Merges two settings of risks: a tool that the user's part of both names gets the higher of the two; one named alone only raises, as a project's
 * does.
 */
function leastRisks(now: RiskSettings | undefined, then: RiskSettings | undefined): RiskSettings | undefined {
  if (now === undefined && then === undefined) return undefined;
  const { user: mine = {}, project: ours = {} } = now ?? {};
  const { user: before = {}, project: theirs = {} } = then ?? {};
  const inBoth = ([tool]: [string, RiskSetting]): boolean => Object.hasOwn(mine, tool) && Object.hasOwn(before, tool);
  const users = [...Object.entries(mine), ...Object.entries(before)];
  const alone = users.filter((one) => !inBoth(one));
  return {
    user: highest(users.filter(inBoth)),
    project: highest([...alone, ...Object.entries(ours), ...Object.entries(theirs)]),
  };
}

function highest(settings: readonly [string, RiskSetting][]): Risks {
  const found = new Map<string, RiskSetting>();
  for (const [tool, one] of settings) {
    const known = found.get(tool);
    if (known === undefined || order[one.risk] > order[known.risk]) found.set(tool, one);
  }
  return Object.fromEntries(found);
}
