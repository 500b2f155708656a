import { join } from "node:path";
import { PolicyProblem } from "../problem.ts";
import type { GrantBook, LinkedPlace, Mode, Policy, PolicyFileProblem, Rule } from "../types.ts";
import { readPolicyFile, readProjectFile } from "./policy-file.ts";
import { projectPolicyPath } from "./project-policy.ts";
import { type ParsedRules, parseAllowFlags, parseRules } from "./rules.ts";
import { isTrusted, type TrustState } from "./trust.ts";

export interface PolicySources {
  /** Need not exist. */
  userPolicyFile: string;
  /** Real path. Its `.holdfast/policy.json` need not exist. */
  workspace: string;
  /** Folders added to the boundary, real paths. Of their projects' policies deny and ask count, each in its own folder. */
  addDirs?: readonly string[];
  grantBook: GrantBook;
  session: string;
  mode: Mode;
  /** Absolute, symlinks resolved. */
  sealedRoots: string[];
  /** Folders of hooks that git's settings name. */
  hookFolders?: string[];
  linked?: readonly LinkedPlace[];
  /** The person's own folder, real. */
  home?: string | undefined;
  /** Rules of `--allow`, in their short form. */
  allow: string[];
  /** Given the state that was found, the project's policy counts only if its bytes are still those of that state. */
  trusted: boolean | TrustState;
}

/**
 * The policy in force for one session: user's rules, flags, then the project's. The project's deny and ask count at once,
 * its allow rules only when the workspace is trusted (else they are listed as `inert`). The risks that a project sets only raise.
 * @throws PolicyProblem with every problem of every source; a broken policy never counts as none.
 */
export async function loadPolicy(sources: PolicySources): Promise<Policy> {
  const projectFile = join(sources.workspace, projectPolicyPath);
  const [userText, projectText] = await Promise.all([
    readPolicyFile(sources.userPolicyFile),
    readProjectFile(sources.workspace, projectPolicyPath),
  ]);
  const problems: PolicyFileProblem[] = [];
  const user = taken(
    userText === undefined ? none : await parseRules(userText, sources.userPolicyFile, "user"),
    problems,
  );
  const flags = taken(await parseAllowFlags(sources.allow), problems);
  const project = taken(
    projectText === undefined ? none : await parseRules(projectText, projectFile, "project"),
    problems,
  );
  const added: Rule[] = [];
  for (const root of sources.addDirs ?? []) {
    const text = await readProjectFile(root, projectPolicyPath);
    const rules = taken(
      text === undefined ? none : await parseRules(text, join(root, projectPolicyPath), "project"),
      problems,
    );
    added.push(...rules.rules.filter(tightensPaths).map((rule) => ({ ...rule, root })));
  }
  if (problems.length > 0) throw new PolicyProblem(problems);
  const counts = (rule: Rule) => rule.decision !== "allow" || mayLoosen(sources.trusted, projectText);
  return {
    rules: [...user.rules, ...flags.rules, ...project.rules.filter(counts), ...added],
    inert: project.rules.filter((rule) => !counts(rule)),
    ...(user.risks === undefined && project.risks === undefined
      ? {}
      : { risks: { user: user.risks ?? {}, project: project.risks ?? {} } }),
    grants: await sources.grantBook.inForce(sources.session, sources.workspace),
    mode: sources.mode,
    ...(sources.home === undefined ? {} : { home: sources.home }),
    ...(sources.linked === undefined ? {} : { linked: sources.linked }),
    sealed: {
      roots: sources.sealedRoots,
      ...(sources.hookFolders === undefined ? {} : { hooks: sources.hookFolders }),
    },
  };
}

/**
 * The allow rules that the project's policy, with the bytes of this state, would bring once they are trusted.
 * @throws PolicyProblem where it is malformed.
 */
export async function rulesWaitingIn({ files, workspace }: TrustState): Promise<Rule[]> {
  const text = files.find(({ path }) => path === projectPolicyPath)?.text;
  if (text === undefined) return [];
  const parsed = await parseRules(text, join(workspace, projectPolicyPath), "project");
  if ("problems" in parsed) throw new PolicyProblem(parsed.problems);
  return parsed.rules.filter(({ decision }) => decision === "allow");
}

/** Tells whether a rule of a project that was only added counts: one that denies or asks, of paths; commands and hosts are not about the folder. */
const tightensPaths = ({ decision, command, hosts }: Rule): boolean =>
  decision !== "allow" && command === undefined && hosts === undefined;

type Parsed = Extract<ParsedRules, { rules: Rule[] }>;

const none: Parsed = { rules: [] };

function taken(parsed: ParsedRules, problems: PolicyFileProblem[]): Parsed {
  if ("rules" in parsed) return parsed;
  problems.push(...parsed.problems);
  return none;
}

/**
 * Tells whether the project's policy may loosen anything: only the text that was trusted, for the file may have changed after the state was found.
 */
function mayLoosen(trusted: boolean | TrustState, text: string | undefined): boolean {
  if (typeof trusted === "boolean") return trusted;
  return text !== undefined && isTrusted(trusted, projectPolicyPath, text);
}
