import type { PlannedCommand } from "../../../core/command.ts";
import { type Bounds, type Plan, rootsOf } from "../../../core/tool.ts";
import { fetchingNothing, gitEnvironment, showingNoNotes } from "../../../files/git/environment.ts";
import { uncheckedSignatures } from "../../../files/git/running.ts";
import { type GitOfLine, gitOfLine, isGit } from "../reading/git-line.ts";
import { type ShellSettings, surroundingsOf } from "./surroundings.ts";

// Keeps tools 22.
/** The variables of a line, and what git in it is kept from. */
export interface GivenVariables {
  git: GitOfLine;
  /** All that it may get: their names stand in its plan. */
  named: Record<string, string>;
  /** Those without what the person lets pass, for a line that only reads or runs apart, and for a git that is asked for names. */
  withoutLent: Record<string, string>;
  /** Those that it gets as it is planned. */
  given: Record<string, string>;
}

/**
 * Finds the variables of a line. What git is to be kept from comes last, and is looked for anew each time. From fetching what it lacks, and from
 * showing notes, a git is kept that only reads; another one a person allowed, with the network that it may have.
 * @param commands as they were read; those with what git is kept from are in `git`
 */
export function givenVariables(
  settings: ShellSettings,
  commands: readonly PlannedCommand[],
  { network = false, sandbox = false, apart, effect }: Omit<Plan, "summary" | "cwd">,
  place: Bounds,
): GivenVariables {
  const around = (one: ShellSettings) => surroundingsOf(one, rootsOf(place), { network, sandbox }).env;
  const env = around(settings);
  const git = gitOfLine(commands, { home: env["HOME"], config: env["XDG_CONFIG_HOME"], sandbox });
  const ofGit = commands.some(isGit) ? (git.env ?? quiet) : {};
  const named = { ...env, ...ofGit };
  const withoutLent = { ...around({ ...settings, shellEnv: [] }), ...ofGit };
  const given = apart === true || effect === "none" ? withoutLent : { ...env, ...asAllowed(git.env) };
  const { hidesNotes: _, ...others } = git;
  return { git: given === withoutLent ? git : others, named, withoutLent, given };
}

/** Also one that stands beside others, or that another one starts, tells of commits unasked: a format of settings starts no checker of signatures for it. */
const quiet = gitEnvironment({ settings: uncheckedSignatures });

/** The variables of a git that a person, or a rule, has allowed: it may fetch, and shows its notes. */
const asAllowed = (env: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !readingAlone.has(name)));

const readingAlone = new Set(Object.keys({ ...fetchingNothing, ...showingNoNotes }));
