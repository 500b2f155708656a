import { dirname } from "node:path";
import type { PlannedCommand } from "../core/command.ts";
import { canonicalJson, sha256 } from "../core/json.ts";
import type { Bounds } from "../core/tool.ts";
import { escapeWords } from "../tools/shell/reading/argv-pattern.ts";
import { meansOneThing } from "../tools/shell/reading/carriers.ts";
import { policyReasons } from "../words/contract/policy-reasons.ts";
import { decide, grantText } from "./decide.ts";
import { escapeGlob } from "./glob.ts";
import { hostPattern } from "./hosts.ts";
import { judgedPaths, segmentsBelow } from "./names.ts";
import { watchedReason } from "./protected.ts";
import { projectIn } from "./protected-place.ts";
import { riskOf } from "./risk-table.ts";
import { covers } from "./rule-match.ts";
import { boundFiles } from "./shell/bound-files.ts";
import { partsOf } from "./shell/line-parts.ts";
import type { CallFacts, Grant, GrantOffer, GrantScope, Policy } from "./types.ts";

/** More than a person can weigh in a dialog, beside the one about what the session made. */
const maxOffers = 3;
/** A grant that lists more files than this is not read before it is given. */
const maxPaths = 8;

type Reach = Pick<Grant, "tool" | "paths" | "command" | "scripts" | "hosts" | "made">;

// Keeps policy 5.
/** Tells whether the grant alone reaches over the whole call. */
export const allows = (grant: Grant | GrantOffer["grant"], facts: CallFacts): boolean =>
  covers({ ...grant, id: "", at: 0 }, facts);

/**
 * Lists the grants that the dialog may offer beside "once", narrowest first, at most three: only grants with which `decide` would allow
 * this very call (so none for what is guarded, or where an ask rule matches). Pure.
 * @param where the session's id, the workspace's real path, the file that grants are written to, and whether a helper of the session asks.
 */
export function offersFor(
  facts: CallFacts,
  policy: Policy,
  where: { session: string; workspace: string; grantFile: string; isOfHelper?: boolean },
): GrantOffer[] {
  const offers = proposals(facts, policy).map(({ scope, reach }): GrantOffer => {
    const key = scope === "session" ? where.session : where.workspace;
    const bare = { scope, key, ...reach, why: "" };
    const text = grantText(bare, where);
    return { scope, grant: { ...bare, why: policyReasons.from_dialog }, text, where: where.grantFile };
  });
  const effective = offers.filter((offer) => isEffective(offer, facts, policy));
  const isOfMade = ({ grant }: GrantOffer): boolean => grant.made === true;
  return [...effective.filter((one) => !isOfMade(one)).slice(0, maxOffers), ...effective.filter(isOfMade)];
}

/** The grant that an accepted offer becomes. Its id comes from what it says, so that accepting twice adds it once. */
export function grantFrom(offer: GrantOffer, at: number): Grant {
  const { why: _, ...said } = offer.grant;
  return { ...offer.grant, id: `g-${sha256(canonicalJson(said)).slice(0, 8)}`, at };
}

/**
 * Tells whether the grant would allow the call the next time; files that the session made are allowed by where they will run then, for this call is
 * approved as it was shown.
 */
function isEffective(offer: GrantOffer, facts: CallFacts, policy: Policy): boolean {
  const grant = { ...offer.grant, id: "offered", at: 0 };
  const next: CallFacts = grant.made === true ? { ...facts, apart: true } : facts;
  const { decision, rule } = decide(next, { ...policy, grants: [grant] });
  return decision === "allow" && rule.source === "grant";
}

function proposals(facts: CallFacts, policy: Policy): { scope: GrantScope; reach: Reach }[] {
  const narrow = narrowReach(facts, policy);
  const folder = folderReach(facts);
  const both = (reach: Reach | undefined, scopes: GrantScope[]) =>
    reach === undefined ? [] : scopes.map((scope) => ({ scope, reach }));
  const isWatched = judgedPaths(facts).some(({ path }) => watchedReason(path, projectIn(facts, policy)) !== undefined);
  const made = facts.made === undefined ? undefined : { tool: facts.tool, made: true as const };
  const plain =
    folder === undefined || isWatched
      ? both(narrow, ["session", "project"])
      : [...both(narrow, ["session"]), ...both(folder, ["session", "project"])];
  return [...plain, ...both(made, ["session"])];
}

/** This call's files, command or hosts and no other; the tool as such where it has none of them and no high risk. */
function narrowReach(facts: CallFacts, { risks }: Policy): Reach | undefined {
  const { tool, commands, hosts } = facts;
  if (commands.length > 0) return commandReach(facts);
  if (hosts.length > 0) return { tool, hosts: [...new Set(hosts.map(hostPattern))] };
  if (facts.paths.length > 0) return pathReach(facts, (path) => path);
  return riskOf(facts, risks).risk === "high" ? undefined : { tool };
}

/** The exact words of the one command of a line that is asked about; none for what runs text, or what its words do not tell. */
function commandReach(facts: CallFacts): Reach | undefined {
  const asked = askedCommand(facts);
  if (asked === undefined) return undefined;
  const scripts = boundFiles(asked.command);
  const reach = { tool: facts.tool, command: asked.pattern };
  return scripts.length === 0 ? reach : { ...reach, scripts };
}

/** The one command of a line that is asked about, and the pattern that means its exact words; none where an allow of them could mean another thing. */
export function askedCommand(facts: CallFacts): { command: PlannedCommand; pattern: string } | undefined {
  const asked = partsOf(facts).filter(({ effect, startedBy }) => effect !== "none" && startedBy === undefined);
  const [command] = asked.flatMap(({ commands }) => commands);
  const words = command?.argv.filter((word) => word !== null) ?? [];
  if (command === undefined || asked.length > 1 || words.length < command.argv.length || !meansOneThing(words))
    return undefined;
  return command.unbound === undefined ? { command, pattern: escapeWords(words) } : undefined;
}

/** The folders of the files that an edit changes; none where one lies at the top, whose folder is the whole workspace. */
function folderReach(facts: CallFacts): Reach | undefined {
  if (facts.effect !== "file" || facts.commands.length > 0 || facts.hosts.length > 0) return undefined;
  const reach = pathReach(facts, (path) => dirname(path));
  if (reach?.paths?.some((path) => path === "" || path === ".")) return undefined;
  return reach === undefined ? undefined : { ...reach, paths: (reach.paths ?? []).map((path) => `${path}/**`) };
}

/** What means just this place: relative to the workspace, else in full where it lies in a folder that was added. */
function patternOf(path: string, { workspace, addDirs = [] }: Bounds): string | undefined {
  const below = segmentsBelow(workspace, path);
  if (below !== undefined) return escapeGlob(below.join("/"));
  return addDirs.some((root) => (segmentsBelow(root, path) ?? []).length > 0) ? escapeGlob(path) : undefined;
}

/** Patterns for every place of the call, links and their targets both; none where one lies outside of all roots. */
function pathReach(facts: CallFacts, place: (path: string) => string): Reach | undefined {
  const paths = [...new Set(judgedPaths(facts).map(({ path }) => patternOf(place(path), facts)))];
  if (paths.length === 0 || paths.length > maxPaths) return undefined;
  return paths.every((path) => path !== undefined && path !== "")
    ? { tool: facts.tool, paths: paths as string[] }
    : undefined;
}
