import { join, relative } from "node:path";
import { lookAlikes } from "../../core/look-alikes.ts";
import { holdsUnseen } from "../../core/unseen.ts";
import { escapeGlob } from "../glob.ts";
import { askedCommand } from "../grants.ts";
import { hostText } from "../hosts.ts";
import { judgedPaths, segmentsBelow } from "../names.ts";
import { boundFiles } from "../shell/bound-files.ts";
import type { CallFacts, Rule } from "../types.ts";
import type { PastCall } from "./past-call.ts";

/** A rule as it would be written, without its words and examples. */
export type SuggestedRule = Omit<Rule, "why" | "origin" | "root">;

/** More than this nobody reads before it is written. */
const longest = 500;
const mostPaths = 8;

// Keeps policy 7.
/**
 * The narrowest rule that would have answered this call as it was answered, or undefined where none is suggested: the words, files or hosts of
 * the call and no other, in its workspace. An allow of a command holds in its folder and in the sandbox, without the network, with no input
 * from elsewhere, and while the files that say what it does are what they were: no wider than a grant for the project.
 */
export function ruleOf({ facts, answer, verdict }: PastCall): SuggestedRule | undefined {
  if (verdict === undefined || !isPlain(verdict) || facts.confirm !== undefined || facts.network === true)
    return undefined;
  const reach = answer === "yes" ? allowOf(facts) : answer === "no" ? denyOf(facts) : undefined;
  return reach === undefined || hides(reach) ? undefined : reach;
}

/** Asked by the risk table alone, in each part, and not as high: nothing guarded, watched, confirmed, or under a rule. */
function isPlain({ decision, risk, rule, parts = [], exposes }: NonNullable<PastCall["verdict"]>): boolean {
  const asked = parts.filter((part) => part.decision !== "allow");
  return (
    decision === "ask" &&
    exposes === undefined &&
    [{ risk, rule }, ...asked].every((one) => one.risk !== "high" && one.rule.source === "table")
  );
}

function allowOf(facts: CallFacts): SuggestedRule | undefined {
  const { tool, workspace } = facts;
  if (facts.commands.length > 0) return allowOfCommand(facts);
  if (facts.hosts.length > 0) return withHosts(facts, "allow");
  if (facts.effect !== "file") return undefined;
  const paths = pathsOf(facts);
  return paths && { tool, paths, workspace, decision: "allow" };
}

function allowOfCommand(facts: CallFacts): SuggestedRule | undefined {
  const { tool, workspace } = facts;
  const asked = askedCommand(facts);
  const cwd = asked?.command.cwd;
  // Without the sandbox nothing keeps a command from the network and from the person's files.
  if (facts.sandbox !== true || asked === undefined || cwd === undefined || asked.command.isFed === true)
    return undefined;
  if (segmentsBelow(workspace, cwd) === undefined) return undefined;
  return {
    tool,
    command: asked.pattern,
    workspace,
    cwd: relative(workspace, cwd) || ".",
    piped: false,
    sandbox: true,
    scripts: boundFiles(asked.command),
    decision: "allow",
  };
}

function denyOf(facts: CallFacts): SuggestedRule | undefined {
  const { tool, workspace } = facts;
  if (facts.commands.length > 0) {
    const asked = askedCommand(facts);
    return asked && { tool, command: asked.pattern, workspace, decision: "deny" };
  }
  if (facts.hosts.length > 0) return withHosts(facts, "deny");
  const paths = pathsOf(facts);
  return paths && { tool, paths, workspace, decision: "deny" };
}

/** Public hosts with their ports; what leads into the person's own networks is decided each time. */
function withHosts(
  { tool, hosts, method, paths, workspace }: CallFacts,
  decision: "allow" | "deny",
): SuggestedRule | undefined {
  if (paths.length > 0 || method !== undefined) return undefined;
  if (hosts.some(({ range, port }) => range !== undefined || port === undefined)) return undefined;
  return { tool, hosts: [...new Set(hosts.map(hostText))].toSorted(), workspace, decision };
}

/** Whole paths: a relative one would mean the same name in folders that were added. */
function pathsOf(facts: CallFacts): string[] | undefined {
  const { workspace } = facts;
  const below = judgedPaths(facts).map(({ path }) => segmentsBelow(workspace, path));
  if (below.length === 0 || below.length > mostPaths) return undefined;
  const paths = below.map((segments) =>
    segments === undefined || segments.length === 0 ? undefined : escapeGlob(join(workspace, ...segments)),
  );
  return paths.every((path) => path !== undefined) ? [...new Set(paths)].toSorted() : undefined;
}

/** A person reads the rule before it is written: what cannot be seen in it, or could be taken for another word, is not offered. */
function hides({ command = "", paths = [], hosts = [], cwd = "", workspace = "" }: SuggestedRule): boolean {
  const texts = [command, cwd, ...paths, ...hosts];
  return (
    [...texts, workspace].some((text) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || holdsUnseen(text)) ||
    texts.some((text) => text.length > longest || lookAlikes(text).length > 0 || isDrawnAsAnother(text))
  );
}

/** It holds a blank that is none to a shell, a joiner, or a letter that can be written in two ways and is drawn in one. */
const isDrawnAsAnother = (text: string): boolean => /(?! )\p{Zs}|\p{Cf}/u.test(text) || text.normalize() !== text;
