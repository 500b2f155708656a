import type { Sha } from "./json.ts";
import type { Access, PathFact } from "./path-fact.ts";

/** The kind of connection of a command to a file or a descriptor. `text`: a here-document or here-string. `descriptor`: `2>&1`, `<&-`. */
export type RedirectKind = "read" | "write" | "append" | "update" | "descriptor" | "text";

export interface PlannedRedirect {
  kind: RedirectKind;
  /** The target as it stands in the line; absent for texts. */
  asked?: string;
  /** The place that it leads to: absolute, links followed; absent where it is not known, and for descriptors and texts. */
  real?: string;
}

/** A file whose bytes say what a command will do: a script, the package.json that defines `npm test`, the program itself. */
export interface PlannedScript {
  /** Absolute, links followed. */
  path: string;
  sha: Sha;
  /** The part of it that runs, e.g. `test` of package.json; all of it where that is left out. */
  name?: string;
  /** The part of that name, or what of it names what else runs, for the person's eyes. */
  text?: string;
  /** `reads`: what runs it reads its settings there; left out: it runs, or is loaded. */
  how?: "reads";
}

/** An option by which a program writes, runs or reads a file, or goes to another folder. */
export interface FileOption {
  /** The word that it stands in, as it is written. */
  word: string;
  /** Its own name, such as `-o` of `-qo`. */
  name: string;
  does: "reads" | "writes" | "runs" | "goes";
}

/** The facts that are sure of a word that is known only when it runs: bash makes exactly one word of it. */
export interface CertainWord {
  /** Its place in `argv`. */
  at: number;
  /** Its beginning. */
  head: string;
  /** Each text that the line can give it; absent where it may be another one. */
  texts?: string[];
}

/**
 * One simple command of a line, wherever in it: in a list, a pipe, a substitution, a function's body, behind another program that
 * starts it. What bash works out only when it runs is not known here, and said so.
 */
export interface PlannedCommand {
  /** Its own source, as it stands in the line. */
  text: string;
  /** The program and its words, after unquoting. Null is a word that is known only when it runs, and may become any number of words. */
  argv: (string | null)[];
  /** Set for it alone, or for the shell where `argv` is empty. Without a value: one that is known only when it runs. */
  assignments: { name: string; value?: string }[];
  redirects: PlannedRedirect[];
  /** The folder that it runs in, absolute, links followed; absent where it may be one of several or any. */
  cwd?: string;
  /** The place in the list of the command that starts it, as `xargs` or `sh -c` do. */
  startedBy?: number;
  /** The paths that it reads and writes, by redirection and by operands. */
  paths: PathFact[];
  /** True if `paths` is all that its words say of files. */
  isPathsKnown: boolean;
  /**
   * It may read files that its words do not name: those below these folders (absolute, real), or any, where a word that it reads by is not
   * known before it runs.
   */
  reaches?: "any" | string[];
  /** The beginnings, as far as they are known, of words that are known only when it runs: a pattern's folder. */
  heads?: string[];
  /** A word of it that is known only when it runs may begin with a dash, for all that is known; `endable`: behind `--` it would be no option. */
  mayHoldOption?: "endable" | "fixed";
  /** Of a program whose text is read: those of its words that are known only when it runs, and of which something is sure. */
  certain?: CertainWord[];
  /** A place below those folders that is not read without asking; set by who looked, where nothing keeps the command from it. */
  comesUpon?: string;
  /** A file that it reads by its name, and that a rule keeps from being read without asking; set by who looked. */
  namesClosed?: string;
  /** Settings of the folder that it runs in may make it run programs. */
  obeysFolder?: true;
  /** It takes settings from a file of the project, whatever it is asked for, and some version writes where that says. */
  takesSettings?: true;
  /** Bash before 4, macOS's among them, may read its line otherwise. */
  unsureInOlder?: true;
  /** A git that only tells, but writes its index where that can be written. */
  refreshesIndex?: true;
  /**
   * It shows what git keeps, and of which files: how many, their absolute names as far as they are told, and a hash of them all. Those that
   * are not read without asking stand among `paths`.
   */
  objects?: { count: number; sha: Sha; names: string[] };
  /** It is no git, and another command of its line is. */
  besideGit?: true;
  /**
   * True if all that it goes through beside a git holds neither a folder of version control nor anything that is not read without asking; set by the
   * one that looked, and looked at once more when it runs.
   */
  clearOfGit?: true;
  /** A git of its line is of a repository that does not lie below the roots as a whole: the reading box would not hold it. */
  outerGit?: true;
  /** The part of the files it reads that it tells of; default content. */
  tells?: Access;
  /** Real path of the program's file; absent for the shell's own words and where it was not found. */
  program?: string;
  scripts?: PlannedScript[];
  /** The reason that `scripts` is not all that it would run, in words: then no grant is given, and none holds. */
  unbound?: string;
  /** It takes its code from its input. */
  runsInput?: true;
  /** Its input may come from another command, or from where a group around it is redirected. */
  isFed?: true;
  /** Options of its program that write, run or read a file. */
  fileOptions?: FileOption[];
  /** True if all that runs is known. Never of an allow, where it is false. */
  understood: boolean;
  /** The part that was not understood, in words. */
  why?: string;
  /** The reason that the line as a whole cannot be judged: it must not run. */
  refused?: string;
  /** All that it would change is kept for undo; set by who keeps it. */
  isKept?: boolean;
}
