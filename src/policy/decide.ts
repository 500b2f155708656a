import { isSending } from "../core/http-methods.ts";
import { shownPath } from "../core/shown-path.ts";
import { rootsOf } from "../core/tool.ts";
import { keyringUse } from "../tools/shell/reading/keyrings.ts";
import { forbiddenHost, innerReason, namesInnerHosts } from "./hosts.ts";
import { otherNames } from "./leads.ts";
import { type JudgedPath, judgedPaths, segmentsBelow } from "./names.ts";
import { exposedReason, strangersReason } from "./past.ts";
import { guardedReason, holdsSealedReason, hooksReason, sealedReason, watchedReason } from "./protected.ts";
import { type Risk, raisedBySettings, riskOf } from "./risk-table.ts";
import { covers, mayTouch, namesEach, touches } from "./rule-match.ts";
import { commandRisk } from "./shell/command-risk.ts";
import { partsOf, verdictOfLine } from "./shell/line-parts.ts";
import type { CallFacts, Decision, Grant, Mode, Policy, Rule, RuleSource, Verdict } from "./types.ts";

interface Case {
  facts: CallFacts;
  policy: Policy;
  places: JudgedPath[];
  risk: Risk;
}

type Step = (call: Case) => Verdict | undefined;

// Keeps policy 4.
/**
 * What policy says of one call: the first step that applies decides. Pure; the order is a promise that rules are written
 * against. Paths are judged as asked and as they lead, and the stricter judgement wins: a deny or a guard needs one of
 * them, an allow needs all.
 */
export function decide(facts: CallFacts, policy: Policy): Verdict {
  if (facts.commands.length === 0) return decideOne(facts, policy);
  return verdictOfLine(partsOf(facts).map((part) => ({ part, verdict: decideOne(part, policy) })));
}

function decideOne(facts: CallFacts, policy: Policy): Verdict {
  const call: Case = { facts, policy, places: placesOf(facts, policy), risk: riskOfCall(facts, policy) };
  for (const step of steps) {
    const verdict = step(call);
    if (verdict !== undefined) return verdict;
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

const methodReason = ({ method }: CallFacts): string | undefined =>
  !isSending(method) ? undefined : `by ${method} it asks the host to do something, which nobody here can take back`;

const innerHostReason = (facts: CallFacts): string | undefined =>
  facts.hosts.length === 0 ? undefined : innerReason(facts);

function refused(call: Case): Verdict | undefined {
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
      .filter((path) => !known.has(path) && isProtected({ ...place, path }, facts, policy))
      .map((path) => ({ ...place, path, leadsTo: place.path })),
  ]);
}

function isProtected({ path, access }: JudgedPath, facts: CallFacts, policy: Policy): boolean {
  const project = projectIn(facts, policy);
  return (
    sealedReason(path, project, policy.sealed) !== undefined ||
    guardedReason(path, project, access === "read" ? toldBy(facts) : access, false, policy.linked) !== undefined ||
    (access === "write" && watchedReason(path, project) !== undefined)
  );
}

/** A sealed name that leads to what holds the workspace does not close all of it: there each call is asked about. */
const isWide = ({ path, leadsTo }: JudgedPath, { leads }: Policy): boolean =>
  leadsTo !== undefined && leads?.links.some((link) => link.holdsRoot === true && isBelow(link.path, path)) === true;

const isBelow = (root: string, path: string): boolean => segmentsBelow(root, path) !== undefined;

function sealed({ facts, policy, places }: Case): Verdict | undefined {
  for (const place of places) {
    const { path, gitDir, gitRuns, access, deep } = place;
    if (isWide(place, policy)) continue;
    const held = deep && access === "write" ? holdsSealedReason(path, rootsOf(facts), policy.sealed) : undefined;
    const inGit = gitDir === true ? gitFolderReason : gitRuns === "hooks" ? hooksReason : undefined;
    const reason = sealedReason(path, projectIn(facts, policy), policy.sealed) ?? inGit ?? held;
    if (reason !== undefined) {
      const why = `${saidOf(place, facts)} is sealed: ${reason}`;
      return { decision: "deny", risk: "high", rule: { source: "sealed" }, why };
    }
  }
  return undefined;
}

function sealedHost({ facts }: Case): Verdict | undefined {
  const why = facts.hosts.length === 0 ? undefined : forbiddenHost(facts);
  return why === undefined ? undefined : { decision: "deny", risk: "high", rule: { source: "sealed" }, why };
}

// Keeps policy 10.
/** What this program keeps in the system's keyring no command is given: calls get secrets by their names. */
function ownKeyring({ facts }: Case): Verdict | undefined {
  if (!facts.commands.some((command) => keyringUse(command) === "own")) return undefined;
  const why =
    "it asks the system's keyring for the agent's own secrets: a call is given one by its name (agent secrets)";
  return { decision: "deny", risk: "high", rule: { source: "sealed" }, why };
}

const gitFolderReason = "it is git's own data, or would be taken for it, and that can run commands";

/**
 * What protected names are looked for below: the repository that the workspace is a part of, else the person's home, where it lies in
 * that, else the workspace itself.
 */
export function projectIn({ project, workspace }: CallFacts, { home }: Policy): string {
  if (project !== undefined) return project;
  return home !== undefined && segmentsBelow(home, workspace) !== undefined ? home : workspace;
}

function nameOf(path: string, workspace: string): string {
  return path === workspace ? "the workspace folder" : shownPath(workspace, path);
}

/** A place, with the name that leads to it where that is what protects it. */
const saidOf = ({ path, leadsTo }: JudgedPath, { workspace }: CallFacts): string =>
  leadsTo === undefined
    ? nameOf(path, workspace)
    : `${nameOf(leadsTo, workspace)}, which ${nameOf(path, workspace)} leads to,`;

/** The modes in which nothing may be changed. */
const keepsAll: Partial<Record<Mode, string>> = {
  "read-only": "the mode is read-only: nothing may be changed",
  plan: "the mode is plan: nothing may be changed before a person has approved a plan",
};

function readOnly(call: Case): Verdict | undefined {
  const why = keepsAll[call.policy.mode];
  if (why === undefined || call.facts.effect === "none" || staysInSession(call.facts)) return undefined;
  return said(call, "deny", { source: "mode" }, why);
}

/**
 * What a session keeps of its own for itself is no change of anything that a person has, nor is handing work to sessions whose every call is
 * judged by the same mode. Of a tool that is not the program's own nobody knows what else it does.
 */
const staysInSession = ({ effect, outlasts, own }: CallFacts): boolean =>
  own !== true && (effect === "child" || (effect === "store" && outlasts === false));

function denyRule(call: Case): Verdict | undefined {
  return byRule(call, "deny", touches);
}

function guarded({ facts, places, policy }: Case): Verdict | undefined {
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
    const reason =
      wide ??
      listed ??
      (gitRuns === undefined ? undefined : "git's settings name it, and git runs or reads it by itself");
    if (reason !== undefined) {
      const why = `${saidOf(place, facts)} is guarded, a person decides each time: ${reason}`;
      return { decision: "ask", risk: "high", rule: { source: "guarded" }, why };
    }
  }
  const why = reachReason(facts);
  return why === undefined ? undefined : { decision: "ask", risk: "high", rule: { source: "guarded" }, why };
}

function keyring({ facts }: Case): Verdict | undefined {
  if (!facts.commands.some((command) => keyringUse(command) === "some")) return undefined;
  const why = "it speaks to a keyring, which gives out passwords: a person decides each time";
  return { decision: "ask", risk: "high", rule: { source: "guarded" }, why };
}

const anyReason =
  "a file that it reads is not known before it runs, and without the sandbox it may be a guarded one: a person decides each time";

/** In the sandbox what is not read without asking is not there for a command that does not name it. */
function reachReason({ commands, sandbox, workspace }: CallFacts): string | undefined {
  const named = commands.find(({ namesClosed }) => namesClosed !== undefined)?.namesClosed;
  if (named !== undefined)
    return `it reads ${nameOf(named, workspace)}, which a rule keeps from being read without asking: a person decides each time`;
  if (sandbox === true) return undefined;
  const place = commands.find(({ comesUpon }) => comesUpon !== undefined)?.comesUpon;
  if (place !== undefined)
    return `it goes through folders in which ${nameOf(place, workspace)} lies, which is not read without asking, and there is no sandbox to keep it from that: a person decides each time`;
  return commands.some(({ reaches }) => reaches === "any") ? anyReason : undefined;
}

function exposed({ facts }: Case): Verdict | undefined {
  const why = facts.past === undefined ? undefined : exposedReason(facts);
  return why === undefined
    ? undefined
    : { decision: "ask", risk: "high", rule: { source: "guarded" }, why, exposes: true };
}

/** A secret's name is all that a list of names shows of it. */
export const toldBy = ({ access }: CallFacts): "read" | "names" =>
  access === undefined || access === "content" ? "read" : "names";

function confirm(call: Case): Verdict | undefined {
  const { confirm: told } = call.facts;
  const why = told === true ? "it must be confirmed each time" : told || strangersReason(call.facts);
  if (why === undefined) return undefined;
  const verdict = said(call, "ask", { source: "confirm" }, why);
  return verdict.risk === "low" && told !== true ? { ...verdict, risk: "medium" } : verdict;
}

function askRule(call: Case): Verdict | undefined {
  return byRule(call, "ask", mayTouch) ?? couldBeDenied(call);
}

/** Not all of its words are known, and it may turn out to be what a rule denies. */
function couldBeDenied(call: Case): Verdict | undefined {
  const verdict = byRule(call, "deny", mayTouch);
  return verdict && { ...verdict, decision: "ask", why: `it could turn out to be what is denied: ${verdict.why}` };
}

/** There is nothing to decide. */
function changesNothing(call: Case): Verdict | undefined {
  if (call.facts.changesNothing !== true || call.facts.secrets !== undefined) return undefined;
  return said(call, "allow", { source: "table" }, "it changes nothing: what it would write is there already");
}

/** What may run is not known: no rule, grant or mode can have meant it. */
function notUnderstood(call: Case): Verdict | undefined {
  const [command] = call.facts.commands;
  if (command === undefined || command.understood) return undefined;
  const risk = call.risk.risk === "high" ? "high" : "medium";
  const told = risk === "high" ? call.risk.why : (command.why ?? "the command is not understood");
  return { decision: "ask", risk, rule: { source: "table" }, why: `it is not known what would run: ${told}` };
}

function allowRule(call: Case): Verdict | undefined {
  const files = watchedPlaces(call);
  return byRule(
    call,
    "allow",
    (rule, facts) => covers(rule, facts) && namesEach(rule, files, facts) && namesInnerHosts(rule.hosts, facts),
  );
}

function grant(call: Case): Verdict | undefined {
  const { facts, policy } = call;
  const files = watchedPlaces(call);
  const found = policy.grants.find(
    (candidate) =>
      covers(candidate, facts) && namesEach(candidate, files, facts) && namesInnerHosts(candidate.hosts, facts),
  );
  if (found === undefined) return undefined;
  return said(call, "allow", { source: "grant", grant: found.id }, `you allowed ${grantText(found)} (${found.id})`);
}

// Keeps policy 9.
/** Only a rule of the person's own that names the secret and where it goes has meant that: no grant, mode or risk of its tool has. */
function givesSecrets(call: Case): Verdict | undefined {
  const { secrets = [] } = call.facts;
  if (secrets.length === 0) return undefined;
  const risk = call.risk.risk === "high" ? "high" : "medium";
  const what = secrets.length === 1 ? "your secret" : "your secrets";
  const why = `it is given ${what} ${secrets.join(", ")}: you are asked about each use`;
  return { decision: "ask", risk, rule: { source: "watched" }, why };
}

// Keeps policy 8.
/**
 * What its session made whole runs where it can change nothing of the workspace and reach nobody: by the setting, or a grant. None of it is a file
 * that runs by itself later, or when a person builds.
 */
function ranApart(call: Case): Verdict | undefined {
  const { facts, policy, risk } = call;
  const { apart, made = [], sandbox, network } = facts;
  const isBoxed = apart === true && sandbox === true && network !== true && facts.own !== true;
  if (!isBoxed || made.length === 0 || risk.risk === "high") return undefined;
  if (made.some((path) => isProtected({ path, access: "write" }, facts, policy))) return undefined;
  const found = policy.grants.find((one) => one.made === true && one.tool === facts.tool);
  if (found !== undefined)
    return said(call, "allow", { source: "grant", grant: found.id }, `you allowed ${grantText(found)} (${found.id})`);
  if (policy.autoSandbox !== true) return undefined;
  const why = "auto-sandbox is on: this session wrote it, and it runs where nothing else of the workspace is";
  return said(call, "allow", { source: "mode" }, why);
}

/** What the call would write of the files that run when the person builds: an allow must name each of them. */
const watchedPlaces = ({ facts, policy, places }: Case): JudgedPath[] =>
  places.filter(
    ({ path, access }) => access === "write" && watchedReason(path, projectIn(facts, policy)) !== undefined,
  );

function watched(call: Case): Verdict | undefined {
  const [file] = watchedPlaces(call);
  if (file === undefined) return undefined;
  const why = `${saidOf(file, call.facts)} is watched: ${watchedReason(file.path, projectIn(call.facts, call.policy))}`;
  const risk = call.risk.risk === "high" ? "high" : "medium";
  return { decision: "ask", risk, rule: { source: "watched" }, why };
}

function inner(call: Case): Verdict | undefined {
  const why = innerHostReason(call.facts);
  return why === undefined ? undefined : said(call, "ask", { source: "watched" }, why);
}

function mode(call: Case): Verdict | undefined {
  const { facts, policy, places, risk } = call;
  if (policy.mode === "accept-edits" && facts.effect === "file" && staysInside(facts, places))
    return said(
      call,
      "allow",
      { source: "mode" },
      `the mode accepts edits of files in the workspace${facts.addDirs === undefined ? "" : " and in added folders"}`,
    );
  // What a host was asked to do nobody here holds or takes back.
  const isHeld = !isSending(facts.method) && (facts.sandbox !== false || policy.isSandboxOff === true);
  if (policy.mode === "full-auto" && risk.risk !== "low" && isHeld)
    return said(call, "allow", { source: "mode" }, "the mode is full-auto: only rules and guarded files ask");
  return undefined;
}

function table(call: Case): Verdict {
  const { risk, why, set = { source: "table" } } = call.risk;
  const warning = risk === "high" ? "careful, high risk: " : `${risk} risk: `;
  return said(call, risk === "low" ? "allow" : "ask", set, warning + why);
}

const staysInside = (facts: CallFacts, places: JudgedPath[]): boolean =>
  places.length > 0 &&
  facts.commands.length === 0 &&
  facts.hosts.length === 0 &&
  places.every(({ path }) => rootsOf(facts).some((root) => segmentsBelow(root, path) !== undefined));

const said = ({ risk }: Case, decision: Decision, rule: RuleSource, why: string): Verdict => ({
  decision,
  risk: risk.risk,
  rule,
  why,
});

function byRule(
  call: Case,
  decision: Decision,
  matches: (rule: Rule, facts: CallFacts) => boolean,
): Verdict | undefined {
  const rule = call.policy.rules.find((candidate) => candidate.decision === decision && matches(candidate, call.facts));
  if (rule === undefined) return undefined;
  const { source, file, line } = rule.origin;
  const reason = rule.why === "" ? "" : `: ${rule.why}`;
  return said(
    call,
    decision,
    { source, file, line },
    `matches rule '${ruleText(rule)}' of ${file} line ${line}${reason}`,
  );
}

/** What a rule reaches, as short as it was written: its patterns, else the tool. */
function ruleText(rule: Pick<Rule, "tool" | "paths" | "command" | "hosts">): string {
  return rule.paths?.join(", ") ?? rule.command ?? rule.hosts?.join(", ") ?? rule.tool;
}

const scopeWords = { session: "for this session", project: "for this project", user: "for all your projects" } as const;

/**
 * A grant in the words of a rule, e.g. `edit_file(src/**) for this session`.
 * @param isOfHelper a helper of the session has asked: what is granted then holds for all of them, and that is said
 */
export function grantText(granted: Omit<Grant, "id" | "at">, { isOfHelper = false } = {}): string {
  if (granted.made === true) return "what this session writes may run in the sandbox, apart from the workspace";
  const reach = ruleText(granted);
  const helpers = isOfHelper && granted.scope === "session" ? " and all its helpers" : "";
  return `${granted.tool}${reach === granted.tool ? "" : `(${reach})`} ${scopeWords[granted.scope]}${helpers}`;
}
