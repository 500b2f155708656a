import type { Assignment, Command, Redirection, Word } from "unbash";
import type { CertainWord, PlannedCommand, PlannedScript } from "../../../core/command.ts";
import { rootsOf } from "../../../core/tool.ts";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { shellRuns } from "../../../words/contract/shell-runs.ts";
import { optionPlaces } from "./awk-script.ts";
import type { CommandPlace } from "./command-place.ts";
import { namesOption, textHoldsOption } from "./expansions.ts";
import { type Folders, onlyFolder } from "./folders.ts";
import { gitFolder } from "./git-folder.ts";
import { addedByGit, isTelling } from "./git-line.ts";
import { type GitSettings, gitSettings, holdsRunning } from "./git-settings.ts";
import type { LineState } from "./line-state.ts";
import { mentionedFiles } from "./mentioned-files.ts";
import { settingsTaken } from "./npm-settings.ts";
import { beginningOf, certainWord, textsGiven } from "./one-word.ts";
import type { Words } from "./options.ts";
import type { Use } from "./programs.ts";
import { placeOf, readProgram, type WordPlace } from "./read-program.ts";
import { pathsOf, readRedirect } from "./redirects.ts";
import { type Binder, isFolder } from "./runners/binder.ts";
import { filesNamed, findProgram, scriptsOf } from "./scripts.ts";
import { textPlaces } from "./sed-script.ts";
import { spreadOf } from "./spread.ts";
import { fixedValue } from "./words.ts";
import { baseName } from "./wrappers.ts";

/** The words of a command after unquoting; `a=1` behind `export` is a word too. */
export function wordsOf({ name, args }: Command, home: string | undefined): (string | null)[] {
  if (name === undefined) return [];
  const suffix = args.map((one) => {
    if (one.type === "Word") return fixedValue(one, home);
    const value = assignedValue(one);
    return value === undefined ? null : `${one.name}=${value}`;
  });
  return [fixedValue(name, home), ...suffix];
}

/** A word that is not known before it runs, and its place among its command's. */
interface OpenWord {
  at: number;
  word: Word;
}

/** Those of its words that are not known before it runs. */
export function openWords({ name, args }: Command, home: string | undefined): OpenWord[] {
  const words = args.map((one) => (one.type === "Word" ? one : one.value));
  return [...(name === undefined ? [] : [name]), ...words].flatMap((word, at) =>
    word.type === "Word" && fixedValue(word, home) === null ? [{ at, word }] : [],
  );
}

/** Programs whose text a word is, which is read. */
const ofText = /^(?:g?sed|[gmn]?awk)$/u;

/** Returns the sure facts of the words of a program whose text is read; and the words that may be files. */
function certainOf(
  argv: PlannedCommand["argv"],
  open: readonly OpenWord[],
  { variables }: LineState,
): { certain: CertainWord[]; files: readonly OpenWord[] } {
  const [name, ...words] = argv;
  if (typeof name !== "string" || !ofText.test(name)) return { certain: [], files: open };
  const certain = open.flatMap(({ at, word }) => {
    const sure = certainWord(word, variables);
    return sure === undefined ? [] : [{ at, ...sure }];
  });
  const behind = certain.map((one) => ({ ...one, at: one.at - 1 }));
  const texts = name.endsWith("sed") ? textPlaces(words, behind) : optionPlaces(words, behind);
  return { certain, files: open.filter(({ at }) => !texts.includes(at - 1)) };
}

/** Tells whether a word that is not known may be an option, and whether `--` before it would make it none. */
function optionOf(argv: Words, open: readonly OpenWord[], standing: LineState): Pick<PlannedCommand, "mayHoldOption"> {
  const place = optionIn(argv, open, standing);
  if (place === undefined) return {};
  const word = open.find(({ at }) => at === place)?.word;
  const head = word === undefined ? "" : beginningOf(word);
  const ended = [...argv.slice(0, place), "--", ...argv.slice(place)];
  const moved = open.map((one) => (one.at < place ? one : { ...one, at: one.at + 1 }));
  const isEndable = !begins(head, signsOf(argv[0])) && optionIn(ended, moved, standing) === undefined;
  return { mayHoldOption: isEndable ? "endable" : "fixed" };
}

/** The place of the first word that is not known and may be an option, by what is sure of it, and of its place. */
function optionIn(argv: Words, open: readonly OpenWord[], standing: LineState): number | undefined {
  let isSettled = true;
  for (const [at, known] of argv.entries()) {
    if (known !== null || at === 0) continue;
    const meant = unknownAt(argv, at, open.find((one) => one.at === at)?.word, isSettled, standing);
    if (meant === "ended") return undefined;
    if (meant === "option") return at;
    // Of a word that may become none or several, an option before it may take another one: then no place is sure any more.
    isSettled &&= meant === "settled";
  }
  return undefined;
}

/**
 * Tells of a word that is not known whether it may be an option, stands behind the end of the options, or neither; and whether those behind it stand
 * where they stand in the line.
 */
function unknownAt(
  argv: Words,
  at: number,
  word: Word | undefined,
  isSettled: boolean,
  standing: LineState,
): "ended" | "option" | "settled" | "unsettled" {
  const sure = word === undefined ? undefined : certainWord(word, standing.variables);
  const signs = signsOf(argv[0]);
  // What stands in the place of `@file` may be an option wherever the word stands.
  const place: WordPlace = isSettled && !signs.includes("@") ? placeOf(argv, at, sure?.head ?? "") : undefined;
  if (place === "behind") return "ended";
  if (word === undefined) return "option";
  const becomes = becomesOption(word, standing, signs);
  if (becomes === "named" || (becomes === "unknown" && (sure === undefined || place === undefined))) return "option";
  const staysOne = sure !== undefined && place === "value";
  return staysOne || (becomes === "no" && (sure !== undefined || place === undefined)) ? "settled" : "unsettled";
}

/** The signs that an option of a program begins with, or the name of a file whose words are words of the line. */
function signsOf(name: string | null | undefined): string {
  const program = baseName(name ?? "");
  if (/^(?:nm|size|objdump)$/u.test(program)) return "-@";
  return /^(?:less|more)$/u.test(program) ? "-+" : "-";
}

const begins = (text: string, signs: string): boolean => text !== "" && signs.includes(text.charAt(0));

/** Tells whether a word becomes one that begins as an option: `text`, where a text of the line says so, which is judged by itself. */
function becomesOption(word: Word, standing: LineState, signs: string): "no" | "text" | "named" | "unknown" {
  // `<(…)` is the name of a file.
  if (word.parts?.length === 1 && word.parts[0]?.type === "ProcessSubstitution") return "no";
  const names = namesOption(word, standing, signs);
  if (names !== undefined) return names ? "named" : textHoldsOption(word, standing) ? "text" : "no";
  const texts = textsGiven(word, standing.variables);
  if (texts !== undefined) return texts.some((text) => begins(text, signs)) ? "unknown" : "no";
  const head = certainWord(word, standing.variables)?.head ?? "";
  return head === "" || begins(head, signs) ? "unknown" : "no";
}

export const assignmentsOf = ({ prefix }: Command): PlannedCommand["assignments"] =>
  prefix.filter((one) => one.type === "Assignment").map(readAssignment);

function readAssignment(node: Assignment): { name: string; value?: string } {
  const value = assignedValue(node);
  return value === undefined ? { name: node.name } : { name: node.name, value };
}

function assignedValue({ value, append, index }: Assignment): string | undefined {
  if (value.type !== "Word" || append === true || index !== undefined || value.text.includes("~")) return undefined;
  return fixedValue(value, undefined) ?? undefined;
}

/** A command as it stands, before anything is known of its program. @throws TooMuch */
export function plainCommand(
  text: string,
  words: {
    argv: (string | null)[];
    assignments: PlannedCommand["assignments"];
    redirects: readonly Redirection[];
    troubles: readonly string[];
    /** Files that it names beside what its words say; null among them for one that is not known. */
    files?: readonly (Use | null)[];
    /** Those of its words that are not known before it runs. */
    open?: readonly OpenWord[];
  },
  standing: LineState,
): PlannedCommand {
  const { folders, home, place } = standing;
  const redirects = words.redirects.map((node) => readRedirect(node, folders, home, place.workspace));
  const lost = redirects.some(({ isUnknown }) => isUnknown) ? [shellDoubts.redirect] : [];
  const named = words.redirects.some(({ descriptor }) => descriptor?.type === "FileDescriptorVariable")
    ? [shellDoubts.redirect_variable]
    : [];
  const cwd = onlyFolder(folders);
  const { certain, files } = certainOf(words.argv, words.open ?? [], standing);
  const unsure = files.map(({ word }) => word);
  const spread = spreadOf(words.argv, unsure, words.redirects, standing);
  const uses = [...(words.files ?? []), ...spread.uses];
  const { paths, stranger, scripts = [], ...known } = meaningOf(words.argv, uses, cwd, standing);
  const set = setFiles(words.argv, words.assignments, folders, place, standing.binder);
  const nameless = words.argv[0] === null ? [shellDoubts.program] : [];
  const isOwn = typeof words.argv[0] === "string" && standing.functions.has(words.argv[0]);
  const [why] = [
    ...words.troubles,
    ...nameless,
    ...lost,
    ...named,
    ...(isOwn ? [shellDoubts.own_name] : []),
    ...(stranger === undefined ? [] : [stranger]),
  ];
  return {
    text,
    argv: words.argv,
    assignments: words.assignments,
    redirects: redirects.map(({ redirect }) => redirect),
    ...(cwd === undefined ? {} : { cwd }),
    paths: [...redirects.flatMap((one) => one.paths), ...paths],
    ...known,
    ...(spread.reaches === undefined ? {} : { reaches: spread.reaches }),
    ...(spread.heads === undefined ? {} : { heads: spread.heads }),
    ...(certain.length === 0 ? {} : { certain }),
    ...optionOf(words.argv, words.open ?? [], standing),
    ...(scripts.length + set.length === 0 ? {} : { scripts: [...scripts, ...set] }),
    understood: why === undefined,
    ...(why === undefined ? {} : { why }),
  };
}

type Meaning = Pick<
  PlannedCommand,
  | "paths"
  | "isPathsKnown"
  | "obeysFolder"
  | "takesSettings"
  | "tells"
  | "program"
  | "scripts"
  | "unbound"
  | "runsInput"
  | "fileOptions"
> & {
  /** The reason why it is not known what it does: a file that anybody may have made says it, or a path cannot be followed; in words. */
  stranger?: string;
};

/** The files that its words name, and those that say what it does. */
function meaningOf(
  argv: (string | null)[],
  files: readonly (Use | null)[],
  cwd: string | undefined,
  { folders, place, functions, binder }: LineState,
): Meaning {
  const [name] = argv;
  const known = files.filter((use) => use !== null);
  const placesOf = (uses: readonly Use[]) =>
    uses.filter(({ path }) => path.length <= longestPath).flatMap((use) => pathsOf(use, folders, place.workspace));
  if (name === undefined) return { paths: placesOf(known), isPathsKnown: known.length === 0 };
  if (name === null || functions.has(name))
    return { paths: placesOf([...known, ...mentionedFiles(argv, folders, place)]), isPathsKnown: false };
  const read = readProgram(argv);
  const mentioned = read?.isKnown === true ? [] : mentionedFiles(argv, folders, place);
  const uses = [...(read?.uses ?? []), ...known, ...mentioned];
  const isFollowed = uses.every(({ path }) => path.length <= longestPath);
  const paths = placesOf(uses);
  const git = baseName(name) === "git" ? settingsFor(argv, cwd, place) : undefined;
  const program = findProgram(name, cwd, place.path);
  const { fileOptions, ...running } = scriptsOf(argv, program, folders, place, binder);
  const options = [...new Map([...fileOptions, ...(read?.fileOptions ?? [])].map((one) => [one.name, one])).values()];
  return {
    paths,
    isPathsKnown: read?.isKnown === true && !files.includes(null) && folders !== undefined && isFollowed,
    ...(read?.isKnown === true && read.tells !== undefined ? { tells: read.tells } : {}),
    ...(git?.obeysWhenRead === true ? { obeysFolder: true } : {}),
    ...settingsTaken(name, folders, place.home),
    ...(program === undefined ? {} : { program }),
    ...running,
    ...(options.length === 0 ? {} : { fileOptions: options }),
    ...(git?.obeysStranger === true ? { stranger: shellDoubts.strange_repository } : {}),
    ...(isFollowed ? {} : { stranger: shellDoubts.long_path }),
  };
}

/** Tells what git may run for this command: also the programs that a repository that it is to take in would run from then on. */
function settingsFor(argv: Words, cwd: string | undefined, place: CommandPlace): GitSettings {
  const user = { home: place.home, config: place.gitConfig };
  const folder = gitFolder(argv, cwd);
  const settings = gitSettings(folder, rootsOf(place), isTelling(argv), user);
  if (settings.obeysStranger || folder === undefined) return settings;
  const obeysStranger = addedByGit(argv).some((path) => holdsRunning(folder, path, user));
  return { ...settings, obeysStranger };
}

/** Words of the shell that set what later programs get. */
const setters = new Set(["export", "declare", "typeset", "readonly", "local"]);
/** Variables by which programs find code in folders: PATH, PYTHONPATH, NODE_PATH, PERL5LIB, RUBYLIB, CLASSPATH, LD_LIBRARY_PATH. */
const places = /(?:PATH|LIB)$/u;

/** Files, and folders that code is taken from, which variables name that are set for a program (`BASH_ENV=a.sh`, `PYTHONPATH=lib`). */
function setFiles(
  argv: Words,
  assignments: PlannedCommand["assignments"],
  folders: Folders,
  { workspace }: CommandPlace,
  binder: Binder,
): PlannedScript[] {
  const words = setters.has(argv[0] ?? "") ? argv.slice(1).map((word) => word?.split("=", 2) ?? []) : [];
  const set = [...assignments.map(({ name, value }) => [name, value]), ...words];
  if (set.length === 0) return [];
  return set.flatMap(([name = "", value = ""]) =>
    (folders ?? [workspace]).flatMap((folder) => {
      const at = kernelPath("/", folder);
      const named = places.test(name) ? value.split(":").filter((one) => one !== "" && one.length <= longestPath) : [];
      const taken = named.map((one) => kernelPath(at, one)).filter(isFolder);
      const bound = taken.map((one) => binder.folder(one));
      if (bound.includes(undefined)) binder.warnings.add(shellRuns.large_folder({ word: name }));
      return [...filesNamed([value], at, binder), ...bound.filter((one) => one !== undefined)];
    }),
  );
}
