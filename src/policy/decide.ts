import { isSending } from "../core/http-methods.ts";
import { rootsOf } from "../core/tool.ts";
import { keyringUse } from "../tools/shell/reading/keyrings.ts";
import { type Reason, reasonText } from "../words/contract/policy-reasons.ts";
import { exposedReason, strangersReason } from "./exposure.ts";
import { forbiddenHost, innerReason, namesInnerHosts } from "./hosts.ts";
import { otherNames } from "./leads.ts";
import { type JudgedPath, judgedPaths, segmentsBelow } from "./names.ts";
import { guardedReason, holdsSealedReason, hooksReason, sealedReason, watchedReason } from "./protected.ts";
import { keptFromApart, nameOf, projectIn, protectedReason, toldBy } from "./protected-place.ts";
import { type Risk, raisedBySettings, riskOf } from "./risk-table.ts";
import { covers, mayTouch, namesEach, touches } from "./rule-match.ts";
import { commandRisk } from "./shell/command-risk.ts";
import { partsOf, verdictOfLine } from "./shell/line-parts.ts";
import type { CallFacts, Decision, Grant, Judged, Leads, Mode, Policy, Rule, RuleSource, Verdict } from "./types.ts";

interface Case {
  facts: CallFacts;
  policy: Policy;
  places: JudgedPath[];
  risk: Risk;
}

type Step = (call: Case) => Judged | undefined;

// Keeps policy 4.
/**
 * Decides one call by policy: the first step that applies decides. Pure; the order is a promise that rules are written
 * against. Paths are judged as asked and as they lead, and the stricter judgement wins: a deny or a guard needs one of
 * them, an allow needs all.
 */
export function decide(facts: CallFacts, policy: Policy): Verdict {
  if (facts.commands.length === 0) {
    const { decision, risk, rule, reason, exposes } = judge(facts, policy);
    return { decision, risk, rule, why: reasonText(reason), ...(exposes === undefined ? {} : { exposes }) };
  }
  return verdictOfLine(partsOf(facts).map((part) => ({ part, judged: judge(part, policy) })));
}

function judge(facts: CallFacts, policy: Policy): Judged {
  const call: Case = { facts, policy, places: placesOf(facts, policy), risk: riskOfCall(facts, policy) };
  for (const step of steps) {
    const judged = step(call);
    if (judged !== undefined) return judged;
  }
  return table(call);
}

const steps: readonly Step[] = [
  refused,
  sealed,
  sealedHost,
  ownKeyring,
  readOnly,
  denyRule,
  guarded,
  keyring,
  exposed,
  confirm,
  askRule,
  changesNothing,
  notUnderstood,
  allowRule,
  grant,
  givesSecrets,
  ranApart,
  watched,
  inner,
  mode,
];

function riskOfCall(facts: CallFacts, { risks }: Policy): Risk {
  const [command] = facts.commands;
  if (command !== undefined) return raisedBySettings(facts.tool, commandRisk(command, facts), risks);
  const why = innerHostReason(facts) ?? methodReason(facts);
  return why === undefined ? riskOf(facts, risks) : { risk: "high", why };
}

const methodReason = ({ method }: CallFacts): Reason | undefined =>
  method === undefined || !isSending(method) ? undefined : { code: "asks_host", method };

const innerHostReason = (facts: CallFacts): Reason | undefined =>
  facts.hosts.length === 0 ? undefined : innerReason(facts);

function refused(call: Case): Judged | undefined {
  const why = call.facts.commands[0]?.refused;
  return why === undefined ? undefined : said(call, "deny", { source: "table" }, why);
}

/** Each path of the call, with the protected names that lead to it: a place is what it is called, by whatever name it is reached. */
function placesOf(facts: CallFacts, policy: Policy): JudgedPath[] {
  const places = judgedPaths(facts);
  const { leads } = policy;
  if (leads === undefined || leads.links.length + leads.files.size === 0) return places;
  const known = new Set(places.map(({ path }) => path));
  return places.flatMap((place) => [
    place,
    ...otherNames(place.path, leads, place.file)
      .filter((path) => !known.has(path) && protectedReason({ ...place, path }, facts, policy) !== undefined)
      .map((path) => ({ ...place, path, leadsTo: place.path })),
  ]);
}

/** A sealed name that leads to what holds the workspace does not close all of it: there each call is asked about. */
const isWide = ({ path, leadsTo }: JudgedPath, { leads }: Policy): boolean =>
  leadsTo !== undefined && leads?.links.some((link) => link.holdsRoot === true && isBelow(link.path, path)) === true;

const isBelow = (root: string, path: string): boolean => segmentsBelow(root, path) !== undefined;

function sealed({ facts, policy, places }: Case): Judged | undefined {
  for (const place of places) {
    const { path, gitDir, gitRuns, access, deep } = place;
    if (isWide(place, policy)) continue;
    const held = deep && access === "write" ? holdsSealedReason(path, rootsOf(facts), policy.sealed) : undefined;
    const inGit = gitDir === true ? gitFolderReason : gitRuns === "hooks" ? hooksReason : undefined;
    const reason = sealedReason(path, projectIn(facts, policy), policy.sealed) ?? inGit ?? held;
    if (reason !== undefined) {
      const why: Reason = { code: "sealed", place: saidOf(place, facts), because: reason };
      return high("deny", "sealed", why);
    }
  }
  return undefined;
}

function sealedHost({ facts }: Case): Judged | undefined {
  const reason = facts.hosts.length === 0 ? undefined : forbiddenHost(facts);
  return reason === undefined ? undefined : high("deny", "sealed", reason);
}

// Keeps policy 10.
/** Denies each command that reads this program's own entries of the system's keyring: calls get secrets by their names. */
function ownKeyring({ facts }: Case): Judged | undefined {
  if (!facts.commands.some((command) => keyringUse(command) === "own")) return undefined;
  return high("deny", "sealed", { code: "own_keyring" });
}

const high = (decision: Decision, source: RuleSource["source"], reason: Reason): Judged => ({
  decision,
  risk: "high",
  rule: { source },
  reason,
});

const gitFolderReason: Reason = { code: "git_folder" };

/** A place, with the name that leads to it where that is what protects it. */
const saidOf = ({ path, leadsTo }: JudgedPath, { workspace }: CallFacts): Reason =>
  leadsTo === undefined
    ? nameOf(path, workspace)
    : { code: "led_place", place: nameOf(leadsTo, workspace), by: nameOf(path, workspace) };

/** The modes in which nothing may be changed. */
const keepsAll: Partial<Record<Mode, Reason>> = {
  "read-only": { code: "read_only_mode" },
  plan: { code: "plan_mode" },
};

function readOnly(call: Case): Judged | undefined {
  const why = keepsAll[call.policy.mode];
  if (why === undefined || call.facts.effect === "none" || staysInSession(call.facts)) return undefined;
  return said(call, "deny", { source: "mode" }, why);
}

/**
 * Tells whether a call changes nothing that a person has: as a session that keeps something of its own for itself, or hands work to sessions
 * whose every call is judged by the same mode. Of a tool that is not the program's own nobody knows what else it does.
 */
const staysInSession = ({ effect, outlasts, own }: CallFacts): boolean =>
  own !== true && (effect === "child" || (effect === "store" && outlasts === false));

function denyRule(call: Case): Judged | undefined {
  return byRule(call, "deny", touches);
}

function guarded({ facts, places, policy }: Case): Judged | undefined {
  for (const place of places) {
    const { path, access, key, gitRuns } = place;
    const wide = isWide(place, policy) ? sealedReason(path, projectIn(facts, policy), policy.sealed) : undefined;
    const listed = guardedReason(
      path,
      projectIn(facts, policy),
      access === "read" ? toldBy(facts) : access,
      key,
      policy.linked,
    );
    const because = wide ?? listed ?? (gitRuns === undefined ? undefined : ({ code: "named_by_git" } as const));
    if (because !== undefined) {
      const reason: Reason = { code: "guarded", place: saidOf(place, facts), because };
      return high("ask", "guarded", reason);
    }
  }
  const reason = reachReason(facts);
  return reason === undefined ? undefined : high("ask", "guarded", reason);
}

function keyring({ facts }: Case): Judged | undefined {
  if (!facts.commands.some((command) => keyringUse(command) === "some")) return undefined;
  return high("ask", "guarded", { code: "keyring" });
}

/** In the sandbox what is not read without asking is not there for a command that does not name it. */
function reachReason({ commands, sandbox, workspace }: CallFacts): Reason | undefined {
  const named = commands.find(({ namesClosed }) => namesClosed !== undefined)?.namesClosed;
  if (named !== undefined) return { code: "reads_closed", place: nameOf(named, workspace) };
  if (sandbox === true) return undefined;
  const place = commands.find(({ comesUpon }) => comesUpon !== undefined)?.comesUpon;
  if (place !== undefined) return { code: "comes_upon", place: nameOf(place, workspace) };
  return commands.some(({ reaches }) => reaches === "any") ? { code: "reads_unknown" } : undefined;
}

function exposed({ facts }: Case): Judged | undefined {
  const reason = facts.past === undefined ? undefined : exposedReason(facts);
  return reason === undefined ? undefined : { ...high("ask", "guarded", reason), exposes: true };
}

function confirm(call: Case): Judged | undefined {
  const { confirm: told } = call.facts;
  const reason = told === true ? ({ code: "must_be_confirmed" } as const) : told || strangersReason(call.facts);
  if (reason === undefined) return undefined;
  const judged = said(call, "ask", { source: "confirm" }, reason);
  return judged.risk === "low" && told !== true ? { ...judged, risk: "medium" } : judged;
}

function askRule(call: Case): Judged | undefined {
  return byRule(call, "ask", mayTouch) ?? couldBeDenied(call);
}

/** Not all of its words are known, and it may turn out to be what a rule denies. */
function couldBeDenied(call: Case): Judged | undefined {
  const judged = byRule(call, "deny", mayTouch);
  return judged && { ...judged, decision: "ask", reason: { code: "may_be_denied", because: judged.reason } };
}

/** There is nothing to decide. */
function changesNothing(call: Case): Judged | undefined {
  if (call.facts.changesNothing !== true || call.facts.secrets !== undefined) return undefined;
  return said(call, "allow", { source: "table" }, { code: "changes_nothing" });
}

/** Asks about a line of which it is not known which commands may run: no rule, grant or mode can have meant it. */
function notUnderstood(call: Case): Judged | undefined {
  const [command] = call.facts.commands;
  if (command === undefined || command.understood) return undefined;
  const risk = call.risk.risk === "high" ? "high" : "medium";
  const because = risk === "high" ? call.risk.why : (command.why ?? ({ code: "not_understood" } as const));
  return { decision: "ask", risk, rule: { source: "table" }, reason: { code: "not_known", because } };
}

function allowRule(call: Case): Judged | undefined {
  const files = watchedPlaces(call);
  return byRule(
    call,
    "allow",
    (rule, facts) => covers(rule, facts) && namesEach(rule, files, facts) && namesInnerHosts(rule.hosts, facts),
  );
}

function grant(call: Case): Judged | undefined {
  const { facts, policy } = call;
  const files = watchedPlaces(call);
  const found = policy.grants.find(
    (candidate) =>
      covers(candidate, facts) && namesEach(candidate, files, facts) && namesInnerHosts(candidate.hosts, facts),
  );
  if (found === undefined) return undefined;
  return byGrant(call, found);
}

// Keeps policy 9.
/** Only a rule of the person's own that names the secret and where it goes has meant that: no grant, mode or risk of its tool has. */
function givesSecrets(call: Case): Judged | undefined {
  const { secrets = [] } = call.facts;
  if (secrets.length === 0) return undefined;
  const risk = call.risk.risk === "high" ? "high" : "medium";
  return { decision: "ask", risk, rule: { source: "watched" }, reason: { code: "gives_secrets", names: secrets } };
}

// Keeps policy 8.
/**
 * Allows a call that runs files which its session made whole where it can change nothing of the workspace and reach nobody: by the setting, or a
 * grant. None of it is a file that runs by itself later, or when a person builds.
 */
function ranApart(call: Case): Judged | undefined {
  if (call.facts.apart !== true || keptFromApart(call.facts, call.policy) !== undefined) return undefined;
  return apartBy(call);
}

/** Finds the grant or the setting that would let the call run apart, were nothing protected among the files that the session made. */
function apartBy(call: Case): Judged | undefined {
  const { facts, policy, risk } = call;
  const { made = [], sandbox, network } = facts;
  const isBoxed = sandbox === true && network !== true && facts.own !== true;
  if (!isBoxed || made.length === 0 || risk.risk === "high") return undefined;
  const found = policy.grants.find((one) => one.made === true && one.tool === facts.tool);
  if (found !== undefined) return byGrant(call, found);
  if (policy.autoSandbox !== true) return undefined;
  return said(call, "allow", { source: "mode" }, { code: "auto_sandbox" });
}

/** Lists the files that the call would write and that run when the person builds: an allow must name each of them. */
const watchedPlaces = ({ facts, policy, places }: Case): JudgedPath[] =>
  places.filter(
    ({ path, access }) => access === "write" && watchedReason(path, projectIn(facts, policy)) !== undefined,
  );

function watched(call: Case): Judged | undefined {
  const [file] = watchedPlaces(call);
  const because = file && watchedReason(file.path, projectIn(call.facts, call.policy));
  if (file === undefined || because === undefined) return undefined;
  const reason: Reason = { code: "watched", place: saidOf(file, call.facts), because };
  const risk = call.risk.risk === "high" ? "high" : "medium";
  return { decision: "ask", risk, rule: { source: "watched" }, reason };
}

function inner(call: Case): Judged | undefined {
  const reason = innerHostReason(call.facts);
  return reason === undefined ? undefined : said(call, "ask", { source: "watched" }, reason);
}

function mode(call: Case): Judged | undefined {
  const { facts, policy, places, risk } = call;
  if (policy.mode === "accept-edits" && facts.effect === "file" && staysInside(facts, places))
    return said(call, "allow", { source: "mode" }, { code: "edits_accepted", added: facts.addDirs !== undefined });
  // What a host was asked to do nobody here holds or takes back.
  const isHeld = !isSending(facts.method) && (facts.sandbox !== false || policy.isSandboxOff === true);
  if (policy.mode === "full-auto" && risk.risk !== "low" && isHeld)
    return said(call, "allow", { source: "mode" }, { code: "full_auto" });
  return undefined;
}

function table(call: Case): Judged {
  const { risk, why, set = { source: "table" } } = call.risk;
  if (risk === "low") return said(call, "allow", set, { code: "of_risk", risk, because: why });
  // The person was told that such a line runs unasked: why this one does not is news to them.
  const kept = apartBy(call) && keptFromApart(call.facts, call.policy);
  return said(call, "ask", set, kept ?? { code: "of_risk", risk, because: why });
}

const staysInside = (facts: CallFacts, places: JudgedPath[]): boolean =>
  places.length > 0 &&
  facts.commands.length === 0 &&
  facts.hosts.length === 0 &&
  places.every(({ path }) => rootsOf(facts).some((root) => segmentsBelow(root, path) !== undefined));

const said = ({ risk }: Case, decision: Decision, rule: RuleSource, reason: Reason): Judged => ({
  decision,
  risk: risk.risk,
  rule,
  reason,
});

const byGrant = (call: Case, grant: Grant): Judged =>
  said(
    call,
    "allow",
    { source: "grant", grant: grant.id },
    { code: "by_grant", granted: grantReason(grant), id: grant.id },
  );

function byRule(
  call: Case,
  decision: Decision,
  matches: (rule: Rule, facts: CallFacts, leads: Leads | undefined) => boolean,
): Judged | undefined {
  const { rules, leads } = call.policy;
  const rule = rules.find((candidate) => candidate.decision === decision && matches(candidate, call.facts, leads));
  if (rule === undefined) return undefined;
  const { source, file, line } = rule.origin;
  const own = rule.why === "" ? {} : { own: rule.why };
  return said(call, decision, { source, file, line }, { code: "by_rule", reach: ruleText(rule), file, line, ...own });
}

/** Words the reach of a rule, as short as it was written: its patterns, else the tool. */
function ruleText(rule: Pick<Rule, "tool" | "paths" | "command" | "hosts">): string {
  return rule.paths?.join(", ") ?? rule.command ?? rule.hosts?.join(", ") ?? rule.tool;
}

/**
 * A grant in the words of a rule, e.g. `edit_file(src/**) for this session`.
 * @param isOfHelper a helper of the session has asked: what is granted then holds for all of them, and that is said
 */
export const grantText = (granted: Omit<Grant, "id" | "at">, { isOfHelper = false } = {}): string =>
  reasonText(grantReason(granted, isOfHelper));

function grantReason(granted: Omit<Grant, "id" | "at">, isOfHelper = false): Reason {
  if (granted.made === true) return { code: "grant_made" };
  const { tool, scope } = granted;
  const reach = ruleText(granted);
  return { code: "grant", tool, scope, helpers: isOfHelper, ...(reach === tool ? {} : { reach }) };
}
