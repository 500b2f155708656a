import { isSending } from "../core/http-methods.ts";
import { type Bounds, rootsOf } from "../core/tool.ts";
import type { Touch } from "../tools/shell/reading/argv-pattern.ts";
import { isLiteral, matchesGlob, parseGlob } from "./glob.ts";
import { coversHost, touchesHost } from "./hosts.ts";
import { isLed, ruleKey } from "./leads.ts";
import { type JudgedPath, judgedPaths, segmentsBelow } from "./names.ts";
import { tookName } from "./risk-table.ts";
import { coversCommand, isExact, touchesPart } from "./shell/command-rule.ts";
import type { CallFacts, Glob, Grant, Leads, Rule } from "./types.ts";

type Reach = Pick<Rule, "tool" | "paths" | "command" | "hosts" | "notFlags" | "redirect" | "network" | "sandbox"> &
  Pick<Rule, "workspace" | "cwd" | "piped" | "scripts" | "secrets" | "methods"> &
  Partial<Pick<Grant, "id">> &
  Partial<Pick<Rule, "origin" | "root">>;

/** A tool's name, or a pattern of it with `*`. */
export function meansTool(pattern: string, tool: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === tool;
  const glob = parseGlob(pattern);
  return "ways" in glob && matchesGlob(glob, `/${tool.replaceAll("/", "_")}`, "/", false);
}

/**
 * Tells whether an allow reaches over the whole call: every path (as asked and as it leads), or every command, or every host.
 * A rule about paths says nothing of a call that also has commands or hosts, so it does not allow it. What a project or a grant
 * allows is for the workspace: in a folder that was added it must name the place. No allow of any name is one for a tool that took the name
 * of another: whoever gave it meant that one.
 */
export function covers(reach: Reach | Grant, facts: CallFacts): boolean {
  // What a session made is allowed by where it would run, and by nothing else.
  if ("made" in reach || tookName(facts) || !meansTool(reach.tool, facts.tool) || !holdsIn(reach, facts)) return false;
  return namesSecrets(reach, facts) && meansMethod(reach, facts) && coversPlace(reach, facts);
}

function coversPlace(reach: Reach | Grant, facts: CallFacts): boolean {
  if (reach.paths !== undefined) {
    const { paths } = reach;
    const places = judgedPaths(facts);
    if (places.length === 0 || facts.commands.length > 0 || facts.hosts.length > 0) return false;
    return places.every(({ path }) => paths.some((glob) => coversPath(glob, path, allowedIn(reach, facts))));
  }
  if (reach.command !== undefined) {
    const { command } = reach;
    return facts.commands.length > 0 && facts.commands.every((one) => coversCommand({ ...reach, command }, one, facts));
  }
  if (reach.hosts !== undefined) {
    const { hosts } = reach;
    if (facts.hosts.length === 0 || facts.commands.length > 0 || facts.paths.length > 0) return false;
    return facts.hosts.every((host) => hosts.some((pattern) => coversHost(pattern, host)));
  }
  if (facts.commands.length > 0) return false;
  return isUsers(reach) || !judgedPaths(facts).some(({ path }) => isAdded(path, facts));
}

// Keeps policy 9.
/**
 * Tells whether an allow means a call that is given these secrets: it names each of them, and is the person's own rule. One that names some means no
 * call without.
 */
function namesSecrets(reach: Reach | Grant, { secrets = [] }: CallFacts): boolean {
  const named = "secrets" in reach ? reach.secrets : undefined;
  if (secrets.length === 0) return named === undefined;
  const isPlaced = reach.command !== undefined || reach.hosts !== undefined;
  return isPlaced && isUsers(reach as Reach) && secrets.every((name) => named?.includes(name) === true);
}

/** Tells whether an allow means the call's method: one to read a host does not allow to have it do something. */
function meansMethod(reach: Reach | Grant, { method, hosts }: CallFacts): boolean {
  const methods = "methods" in reach ? reach.methods : undefined;
  if (methods === undefined) return !isSending(method);
  return hosts.length > 0 && methods.includes(method ?? "GET");
}

const isUsers = ({ origin }: Reach): boolean => origin?.source === "user";

const holdsIn = (reach: Reach | Grant, { workspace }: Bounds): boolean =>
  !("workspace" in reach) || reach.workspace === undefined || reach.workspace === workspace;

/** The roots that the relative patterns of an allow hold in. */
const allowedIn = (reach: Reach, facts: Bounds): readonly string[] =>
  isUsers(reach) ? rootsOf(facts) : [facts.workspace];

const isBelow = (root: string, path: string): boolean => segmentsBelow(root, path) !== undefined;

const isAdded = (path: string, { workspace, addDirs = [] }: Bounds): boolean =>
  !isBelow(workspace, path) && addDirs.some((root) => isBelow(root, path));

/**
 * Tells whether a deny or ask has anything to do with the call: one path, one command or one host is enough. What cannot be read counts.
 * @param leads what the rule's patterns mean beside themselves
 */
export const touches = (rule: Reach, facts: CallFacts, leads?: Leads): boolean => touchOf(rule, facts, leads) === "yes";

/** Tells whether a deny or ask has anything to do with the call, or may turn out to when a command runs. */
export const mayTouch = (rule: Reach, facts: CallFacts, leads?: Leads): boolean => touchOf(rule, facts, leads) !== "no";

// Keeps policy 14.
function touchOf(rule: Reach, facts: CallFacts, leads: Leads | undefined): Touch {
  const { tool, paths, command, hosts, secrets, methods, root } = rule;
  const yes = (is: boolean): Touch => (is ? "yes" : "no");
  if (!meansTool(tool, facts.tool) || !holdsIn(rule, facts)) return "no";
  if (methods !== undefined && !methods.includes(facts.method ?? "GET")) return "no";
  if (secrets !== undefined && facts.secrets?.some((name) => secrets.includes(name)) !== true) return "no";
  if (root !== undefined || paths !== undefined) {
    const roots = root === undefined ? rootsOf(facts) : [root];
    const places = judgedPaths(facts).filter(({ path }) => root === undefined || isBelow(root, path));
    const meant = (glob: string, path: string): boolean =>
      touchesPath(glob, path, roots) || isLed(path, leads?.rules?.get(ruleKey(glob, root)));
    return yes(places.some(({ path }) => paths?.some((glob) => meant(glob, path)) ?? true));
  }
  if (command !== undefined) {
    const touched = facts.commands.map((one) => touchesPart(command, one, facts, leads));
    return touched.find((one) => one === "yes") ?? touched.find((one) => one === "maybe") ?? "no";
  }
  if (hosts !== undefined) return yes(facts.hosts.some((host) => hosts.some((pattern) => touchesHost(pattern, host))));
  return "yes";
}

/** Tells whether the reach names each of these files itself, without a wildcard; exact words of a command name the files that they mean. */
export function namesEach(reach: Reach | Grant, places: readonly JudgedPath[], facts: Bounds): boolean {
  if (isExact(reach.command)) return true;
  const roots = allowedIn(reach, facts);
  const globs = (reach.paths ?? []).map(readGlob).filter((glob) => "ways" in glob && isLiteral(glob));
  return places.every(({ path }) => globs.some((glob) => "ways" in glob && matchesIn(glob, path, roots, false)));
}

/** Below one of the roots, or anywhere where the pattern is absolute. */
export const matchesIn = (glob: Glob, path: string, roots: readonly string[], fold: boolean): boolean =>
  roots.some((root) => matchesGlob(glob, path, root, fold));

/** Patterns come from rules and grants, which are asked about again and again: each is read once. */
const read = new Map<string, ReturnType<typeof parseGlob>>();
const mostRead = 2_000;

export function readGlob(pattern: string): ReturnType<typeof parseGlob> {
  const known = read.get(pattern);
  if (known !== undefined) return known;
  if (read.size >= mostRead) read.clear();
  const glob = parseGlob(pattern);
  read.set(pattern, glob);
  return glob;
}

/** Letter for letter: on a file system that ignores case another spelling only means being asked. */
export function coversPath(pattern: string, path: string, roots: readonly string[]): boolean {
  const glob = readGlob(pattern);
  return "ways" in glob && matchesIn(glob, path, roots, false);
}

/** In any spelling that a file system may take for the same. */
export function touchesPath(pattern: string, path: string, roots: readonly string[]): boolean {
  const glob = readGlob(pattern);
  return "wrong" in glob || matchesIn(glob, path, roots, true);
}
