import type { PlannedCommand } from "../../../core/command.ts";
import { isInside } from "../../../files/boundary.ts";
import { NotFollowed } from "../../../files/git/bounded-text.ts";
import { gitEnvironment } from "../../../files/git/environment.ts";
import { repositoriesFrom } from "../../../files/git/repository.ts";
import { type Running, uncheckedSignatures } from "../../../files/git/running.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { boxRowOf } from "./box-rows.ts";
import { gitFolder } from "./git-folder.ts";
import { type GitUser, gitRunning } from "./git-settings.ts";
import { countsTouched, mayReadIndex, readGit, refreshesIndex, verbOfGit } from "./git-words.ts";
import { listedGit } from "./listed-git.ts";
import type { Words } from "./options.ts";
import { baseName } from "./wrappers.ts";

/** Git's own commands that write in its folder. They are named, for any other name may be an alias, which runs anything. */
const writing = new Set(
  `add am apply bisect branch checkout cherry-pick clean commit fetch gc merge mv pull push rebase reset restore revert rm stash
   switch tag update-index worktree`.split(/\s+/),
);

/** Git's own commands that only tell, whatever follows them; which words are known of them, and of others, says `git-words.ts`. */
const telling = new Set(
  `annotate blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index diff-tree for-each-ref grep
   log ls-files ls-tree merge-base name-rev range-diff rev-list rev-parse shortlog show show-branch show-ref status version
   --version`.split(/\s+/),
);

/** Words of the shell that change nothing. */
const beside = new Set("cd echo printf true false test [ : pwd".split(" "));
/** Programs that start no other one, so no other git. */
const startingNone = new Set([
  ...beside,
  ...`[[ cat cut grep head ls sort tail tr uniq wc date which type whoami id uname nproc basename dirname seq sleep stat realpath readlink
   cmp comm paste join fold fmt rev md5sum sha256sum cksum exit`.split(/\s+/u),
]);
/** Programs that only start what follows them, which stands in the line by itself. */
const carrying = new Set("timeout nice nohup time command builtin stdbuf ionice".split(" "));
/** A program that is asked for its version alone: by another word, some run what they read (`python3 -v`, `bash -v`). */
const asksVersion = (words: Words): boolean =>
  words.length === 2 &&
  /^(?:(?:node|npm|python3?|tsc|gcc|clang|make|ruby|bash) --version|(?:node|npm|tsc|gcc|clang|make|ruby) -v|python3? -V)$/u.test(
    words.join(" "),
  );

/** Programs that start another one by some of their words; of those known to read, none does. */
const printing = new Set("awk gawk mawk nawk sed rg jq find tree du diff column nl tac".split(" "));
const printsAlone = ({ argv: [name, ...words], fileOptions = [] }: PlannedCommand): boolean =>
  typeof name === "string" &&
  printing.has(name) &&
  !words.includes(null) &&
  fileOptions.every(({ does }) => does === "reads") &&
  boxRowOf(name, words) !== undefined;

/** Tells whether the line is git's own commands and nothing that could do anything else in its folder. */
export function isGitLine(commands: readonly PlannedCommand[]): boolean {
  const names = commands.map(({ argv, assignments, understood }) =>
    understood && assignments.length === 0 ? nameOf(argv) : undefined,
  );
  return names.includes("git") && names.every((name) => name === "git" || (name !== undefined && beside.has(name)));
}

/** The program's name; of git only where what follows is one of its own commands. */
function nameOf([program, ...words]: PlannedCommand["argv"]): string | undefined {
  if (program !== "git") return program ?? undefined;
  const [command] = words;
  return command !== null && command !== undefined && writing.has(command) ? "git" : undefined;
}

/** Tells whether a command is git, asked for what there is and nothing else. */
export function isTelling([program, ...words]: Words): boolean {
  if (typeof program !== "string" || baseName(program) !== "git") return false;
  return readGit(words) !== undefined || telling.has(verbOfGit(words)?.verb ?? "");
}

/** Tells whether a command is git, or may be. */
export const isGit = ({ argv: [name] }: PlannedCommand): boolean => name === null || baseName(name ?? "") === "git";

/** Notes of each command beside a git that it stands beside one, and of all where that is of a repository outside the roots. */
export function noteGit(commands: readonly PlannedCommand[], roots: readonly string[]): void {
  // Beside one that only lists its index, nothing of its folder is there but that.
  if (!commands.some(isGit) || listedGit(commands, roots) !== undefined) return;
  for (const command of commands) if (!isGit(command)) command.besideGit = true;
  if (commands.some((one) => isGit(one) && !isBelowRoots(gitFolder(one.argv, one.cwd), roots)))
    for (const command of commands) command.outerGit = true;
}

/** Tells whether the repository that git would find there, its data with it, lies below the roots; where there is none, nothing else does. */
function isBelowRoots(folder: string | undefined, roots: readonly string[]): boolean {
  if (folder === undefined) return false;
  try {
    return repositoriesFrom(folder).every(({ at, own, common }) =>
      [at, own, common].every((path) => roots.some((root) => isInside(root, path))),
    );
  } catch (error) {
    if (error instanceof NotFollowed) return false;
    throw error;
  }
}

/** Git's own commands that take what lies in folders into the index. */
const adding = new Set(["add", "stage", "submodule", "update-index"]);

/** Lists the paths that a command takes into git's index, relative to where git is; null where it may be any in the working tree. */
export function addedByGit([, ...words]: Words): (string | null)[] {
  const at = words.findIndex((word) => word !== null && adding.has(word));
  if (at < 0) return [];
  const rest = words.slice(at + 1);
  const end = rest.indexOf("--");
  const operands = rest.filter((word, index) => word === null || !word.startsWith("-") || (end >= 0 && index > end));
  return operands.length === 0
    ? [null]
    : operands.map((word) => (word === null || /[*?[\\:]/u.test(word) ? null : word));
}

/** The way in which git is run for a line. */
export interface GitOfLine {
  /** For a line that only asks git what there is: with what git obeys only the user's own settings. Else undefined. */
  env?: Record<string, string>;
  /** Names of settings whose programs change what git tells, and that it does not run. */
  without: string[];
  /** Its index is not refreshed, so that a file may count as changed of which the time alone is another one. */
  countsTouched?: true;
  /** Commits that it tells of may have notes, which are not shown with them where it only reads. */
  hidesNotes?: true;
  /** The commands, each with what git is not kept from, and no other doubt about what its folder says. */
  commands: PlannedCommand[];
}

/**
 * Keeps git from running what a repository names, by its environment; the line stays as it is. Not in a line that does more: what a git
 * somewhere in it is to do is not changed, and one that would run what a submodule names is not understood.
 * @param sandbox where it only reads, nothing of git's can be written, and it tells what it told then
 */
export function gitOfLine(
  commands: readonly PlannedCommand[],
  { sandbox = false, ...user }: GitUser & { sandbox?: boolean },
): GitOfLine {
  const found = new Map<PlannedCommand, Running>(
    commands.filter(({ argv }) => isTelling(argv)).map((git) => [git, gitRunning(gitFolder(git.argv, git.cwd), user)]),
  );
  const hidden: Pick<GitOfLine, "hidesNotes"> = [...found].some(([git, { hasNotes }]) => hasNotes && isOfCommits(git))
    ? { hidesNotes: true }
    : {};
  if (!isToldAlone(commands, found))
    return {
      without: [],
      ...hidden,
      commands: commands.map((one) =>
        noted(found.get(one)?.linksRun === true ? doubted(one) : one, found.get(one), true),
      ),
    };
  const settings = new Map([...found.values()].flatMap((running) => [...running.settings]));
  if (!sandbox) settings.set("diff.autoRefreshIndex", "false");
  if (![...found.keys()].some(asksForSignatures))
    for (const [name, value] of uncheckedSignatures) settings.set(name, value);
  return {
    env: gitEnvironment({ settings }),
    ...(!sandbox && [...found.keys()].some(isOfTouched) ? { countsTouched: true } : {}),
    ...hidden,
    without: [...settings.keys()].filter((name) => changesTelling.test(name)),
    commands: commands.map((command) => {
      const { obeysFolder: _, ...quiet } = command;
      const kept = noted(quiet, found.get(command), false);
      return (found.get(command)?.beyond.length ?? 0) === 0 ? kept : { ...kept, obeysFolder: true as const };
    }),
  };
}

/** Of what git is kept from, what it would tell otherwise with it. */
const changesTelling = /^(?:(?:filter|diff)\..*\.(?:clean|process|textconv)|core\.excludesfile)$/u;

/** With whether it writes its index, kept from that by its environment or not. */
function noted(command: PlannedCommand, running: Running | undefined, isFree: boolean): PlannedCommand {
  const { refreshesIndex: _, ...one } = command;
  const reading = one.argv[0] === "git" ? readGit(one.argv.slice(1)) : undefined;
  const how = reading === undefined ? undefined : refreshesIndex(reading);
  if (reading !== undefined && running?.writesObjects === true && mayReadIndex(reading))
    return { ...one, refreshesIndex: true };
  return how === "always" || (how !== undefined && isFree) ? { ...one, refreshesIndex: true } : one;
}

/** By its own words: that is asked about, and told as git tells it. */
const asksForSignatures = ({ argv }: PlannedCommand): boolean =>
  argv.some((word) => word === null || /%G|%\(\*?signature|^--show-s/u.test(word));

const isOfTouched = ({ argv: [, ...words] }: PlannedCommand): boolean => {
  const reading = readGit(words);
  return reading !== undefined && countsTouched(reading);
};

/** Those show notes of their own, or a format asks them to (`git rev-list --format=%N`). */
const isOfCommits = ({ argv: [, ...words] }: PlannedCommand): boolean =>
  /^(?:log|show|reflog)$/u.test(verbOfGit(words)?.verb ?? "") ||
  words.some((word) => /^--(?:format|pretty)\b.*%[-+ ]?N/u.test(word ?? ""));

/** Tells whether a line is git that only tells, with nothing beside it that could start another one. */
function isToldAlone(commands: readonly PlannedCommand[], gits: ReadonlyMap<PlannedCommand, unknown>): boolean {
  const isQuiet = (one: PlannedCommand): boolean => {
    const [name] = one.argv;
    if (one.assignments.length > 0 || one.refused !== undefined || !isCarried(one)) return false;
    if (gits.has(one)) return true;
    // One that is not understood may set what git has in its environment: `printf -v`, `$((a=0))`.
    if (!one.understood || name === null) return false;
    // A group of which the output goes elsewhere.
    if (name === undefined) return true;
    return startingNone.has(name) || carrying.has(name) || asksVersion(one.argv) || printsAlone(one);
  };
  const isCarried = ({ startedBy }: PlannedCommand): boolean => {
    const by = startedBy === undefined ? undefined : commands[startedBy];
    return startedBy === undefined || carrying.has(by?.argv[0] ?? "");
  };
  return gits.size > 0 && commands.every(isQuiet);
}

const doubted = (command: PlannedCommand): PlannedCommand => ({
  ...command,
  understood: false,
  why: command.why ?? shellDoubts.inner_repository,
});
