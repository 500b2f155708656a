import { basename, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import type { PathFact } from "../../../core/path-fact.ts";
import { shownPath } from "../../../core/shown-path.ts";
import { type Bounds, rootsOf } from "../../../core/tool.ts";
import { isAmongDevices, isInside } from "../../../files/boundary.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import type { BoxRow } from "./box-readers.ts";
import { boxRowOf, isOfBox, isOfBoxRows, isOfRow, showsNamedAlone } from "./box-rows.ts";
import { onlyFinds } from "./box-words.ts";
import { showsObjects } from "./git-names.ts";
import { comparesOnDisk } from "./git-on-disk.ts";
import { readGit } from "./git-words.ts";
import { isPlainGiven, isPlainSetting } from "./line-variables.ts";
import { readProgram } from "./read-program.ts";
import { type ReaderRow, readers } from "./reader-table.ts";

/** The facts that a line is judged by beside its words: the folders that it may read, and the surroundings that it would run in. */
export interface ReadingPlace extends Bounds {
  sandbox?: boolean;
  network?: boolean;
}

const rowsOf = new Map<string, ReaderRow[]>();
for (const row of readers)
  for (const program of row.programs) rowsOf.set(program, [...(rowsOf.get(program) ?? []), row]);

const lowerCase = /^[a-z][a-z0-9_]*$/u;
/** Lower-case names that programs take from their environment all the same. */
const known = /^(?:.*_proxy|npm_.*|no_proxy)$/u;

/** The judgement whether a command only reads, and why, or why not; in words that can follow "because". `no` is absent where no table tells of it. */
type Judged = { reads: string } | { no?: string };

/**
 * Tells why a command only reads: as its words say, or because it would run in the reading box, where it can do nothing else (`reading-box.ts`).
 * @returns words that can follow "because"; undefined where that is not sure.
 */
export const readerReason = (command: PlannedCommand, place: ReadingPlace): string | undefined =>
  reasonOf(judgedReader(command, place));

/** Tells whether a command that only reads does so by its words alone: it may run where files lie that are not read unasked. */
export const readsByItsWords = (command: PlannedCommand, place: ReadingPlace): boolean =>
  reasonOf(byItsWords(command, place)) !== undefined;

/** Tells whether a command is a reader, and by what of it that was decided. */
export function judgedReader(command: PlannedCommand, place: ReadingPlace): Judged {
  if (place.sandbox !== true && command.refreshesIndex === true) return { no: shellReaders.refreshing };
  if (place.sandbox !== true && command.unsureInOlder === true) return { no: shellReaders.older_bash };
  const plain = byItsWords(command, place);
  if ("reads" in plain) return plain;
  const boxed = inTheBox(command, place);
  // With the network even a reader could tell what it read.
  const isBoxed = place.sandbox === true && place.network !== true && command.outerGit !== true;
  if (isBoxed && "reads" in boxed) return boxed;
  if (!("reads" in boxed)) {
    if (!isOfTables(command)) return {};
    return isBoxed ? { ...plain, ...boxed } : { ...boxed, ...plain };
  }
  if (place.sandbox !== true) return { no: shellReaders.not_held };
  return {
    no: place.network === true ? shellReaders.could_tell : shellReaders.outer_git,
  };
}

/** Of any other program it is no matter what its words are. */
const isOfTables = ({ argv: [program] }: PlannedCommand): boolean =>
  typeof program !== "string" || rowsOf.has(program) || isOfBoxRows(program);

const reasonOf = (judged: Judged): string | undefined => ("reads" in judged ? judged.reads : undefined);
const judged = (reads: string | undefined, no?: string): Judged =>
  reads !== undefined ? { reads } : no === undefined ? {} : { no };

function byItsWords(command: PlannedCommand, place: Bounds): Judged {
  const { argv, assignments } = command;
  if (command.obeysFolder === true) return { no: shellReaders.obeying };
  if (argv.includes(null)) return { no: shellReaders.open_words };
  const more = doesMore(command, place, false);
  if (more !== undefined) return { no: more };
  if (argv.length === 0) return withoutWords(command, areHarmless(assignments));
  if (assignments.length > 0) return { no: shellReaders.setting };
  const [program, ...words] = argv as readonly string[];
  if (program === undefined || program.includes("/")) return {};
  if (comparesOnDisk(command)) return { no: shellReaders.compares_on_disk };
  if (command.objects !== undefined) return { reads: gitReason(command) };
  const rows = rowsOf.get(program);
  if (rows === undefined) return {};
  if (command.takesSettings === true) return { no: shellReaders.npm_settings };
  if (command.program !== undefined && isShim(command.program, program)) return { no: shellReaders.shim };
  const row = rows.find(
    ({ only, namesNoFile }) => (namesNoFile === true || command.isPathsKnown) && (only?.(words) ?? true),
  );
  return judged(row?.why, showsObjects(command) ? shellReaders.unnamed_files : shellReaders.unknown_words);
}

/** It sets variables of the line, or is a group or a loop. */
function withoutWords(command: PlannedCommand, isHarmless: boolean): Judged {
  if (command.assignments.length === 0) return judged(openedReason(command));
  return judged(isHarmless ? shellReaders.sets_variable : undefined, shellReaders.setting);
}

/** Of a group or a loop: where what it reads comes from. */
const openedReason = ({ redirects, isPathsKnown }: PlannedCommand): string | undefined =>
  redirects.length > 0 && isPathsKnown ? shellReaders.opens_input : undefined;

/** Tells why a git only reads: the files that it shows were listed when it was planned; those not read unasked stand among the paths. */
const gitReason = ({ objects }: PlannedCommand): string =>
  objects === undefined || objects.count === 0
    ? shellReaders.tells_repository
    : shellReaders.shows_kept({ count: objects.count });

/** The same where nothing can be written, nothing told, and what is not read unasked is not there: words may be unknown, folders gone through. */
function inTheBox(command: PlannedCommand, place: Bounds): Judged {
  const { argv, assignments } = command;
  if (command.obeysFolder === true) return { no: shellReaders.obeying };
  const more = doesMore(command, place, true);
  if (more !== undefined) return { no: more };
  if (!assignments.every((one) => isPlainFor(one, argv))) return { no: shellReaders.setting };
  if (argv.length === 0) return withoutWords(command, true);
  const [program, ...words] = argv;
  if (typeof program !== "string" || program.includes("/")) return {};
  const row = boxRowOf(program, words, behindProgram(command));
  if (row === undefined) return isOfBoxRows(program) ? { no: shellReaders.unknown_words } : {};
  const option = byOption(command, row);
  if (option !== undefined) return { no: option };
  if (!command.isPathsKnown && leadsOut(command, row, place)) return { no: shellReaders.names_outside };
  const beside = besideGitWords(command, row);
  if (beside !== undefined) return { no: beside };
  return { reads: shellReaders.boxed({ because: row.why }) };
}

/** Tells whether a setting is plain for a command: the signs that part the words that `read` reads are nothing to another command. */
const isPlainFor = (one: PlannedCommand["assignments"][number], [program]: PlannedCommand["argv"]): boolean =>
  program === undefined ? isPlainSetting(one) : isPlainGiven(one) || (program === "read" && one.name === "IFS");

/** Tells why a word that is not known would make a command more than reading, as an option. */
function byOption(command: PlannedCommand, row: BoxRow): string | undefined {
  if (doesMoreByOptions(command, row)) return shellReaders.given_option;
  if (row.startsByOption !== true || command.mayHoldOption === undefined) return undefined;
  return command.mayHoldOption === "endable" ? shellReaders.may_be_ended : shellReaders.may_be_option;
}

/** Words that are not known may be options as far as anybody knows; these are, for the line itself says how they begin. */
function doesMoreByOptions(command: PlannedCommand, row: BoxRow): boolean {
  const { argv, heads = [] } = command;
  const given = heads.flatMap((head) => head.split(/\s+/u)).filter((word) => /^(?:-|\+.|@)/u.test(word));
  if (given.length === 0) return false;
  // Each by itself, too: another one may take it for its value, or end the options.
  return [given, ...given.map((one) => [one])].some((some) => {
    const words = [...argv, ...some];
    const does = readProgram(words)?.fileOptions.some((option) => option.does !== "reads") === true;
    const [program, ...more] = words;
    return does || !isOfRow(row, program ?? "", more, behindProgram(command));
  });
}

/** By their places among the words behind the program. */
const behindProgram = ({ certain }: PlannedCommand): PlannedCommand["certain"] =>
  certain?.map((one) => ({ ...one, at: one.at - 1 }));

/** Tells why a command is not to run beside the git of its line, whose folder is there then. */
function besideGitWords(command: PlannedCommand, { isAnyProgram }: BoxRow): string | undefined {
  if (command.besideGit !== true) return undefined;
  if (isAnyProgram === true) return shellReaders.any_program;
  return staysAtItsWords(command) || isClear(command) ? undefined : shellReaders.unknown_files;
}

/** A word that would name something outside names nothing in the box: what it told would not be so. */
function leadsOut(
  { argv: [, ...words], cwd, heads = [] }: PlannedCommand,
  { takesText }: BoxRow,
  place: Bounds,
): boolean {
  const known = words.filter((word) => word !== null);
  const plain = known.filter((word) => !word.startsWith("-"));
  const operands = takesText === undefined ? plain : takesText === true ? plain.slice(1) : takesText(words);
  const values = known.flatMap((word) => (word.startsWith("-") ? (/=(.+)$/su.exec(word)?.[1] ?? []) : []));
  return [...operands, ...values, ...heads].some((word) => {
    if (!/^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/u.test(word)) return false;
    // `~root/x`: whose home that is, bash finds out.
    if (/^~[^/]/u.test(word)) return true;
    return (cwd === undefined && !word.startsWith("/")) || !isOpen(resolve(cwd ?? "/", word), place, true);
  });
}

/** Git's own folder is there for the git of the line: beside it nothing may come upon that but for names, which it tells without a git, too. */
const staysAtItsWords = ({ argv, reaches, paths, tells, isPathsKnown }: PlannedCommand): boolean =>
  reaches === undefined &&
  (isPathsKnown || showsNamedAlone(argv[0])) &&
  !argv.includes(null) &&
  (tells === "names" || !paths.some(({ deep }) => deep === true));

/** Nothing lies in the folders that it goes through that it is not to come upon. */
const isClear = ({ argv, clearOfGit }: PlannedCommand): boolean => clearOfGit === true && !argv.includes(null);

/** Tells by what of its words a command writes, runs what a file says, or leads elsewhere; undefined where it does none of these. */
function doesMore(command: PlannedCommand, place: Bounds, inBox: boolean): string | undefined {
  const { redirects, understood, program, fileOptions = [], argv } = command;
  if (!understood) return shellReaders.not_understood;
  const option = fileOptions.find(({ does }) => does === "writes" || does === "runs");
  if (option !== undefined)
    return shellReaders[option.does === "writes" ? "writes_by_word" : "runs_by_word"]({ option: option.word });
  if (!redirects.every(({ kind }) => /^(?:descriptor|text|read)$/u.test(kind))) return shellReaders.into_file;
  if (argv.length > 0 && program !== undefined && isBelow(program, place)) return shellReaders.own_program;
  const stream = streamOf(command, place);
  if (stream !== undefined) return shellReaders.reads_stream({ place: shownPath(place.workspace, stream.asked) });
  return command.paths.map((path) => leadsOn(path, argv, place, inBox)).find((why) => why !== undefined);
}

/**
 * Finds the first that it opens and that is no file and no folder. Where it only looks at what its words name, that is what it is redirected from: bash opens it, whatever
 * the program is. Which devices of the system's may be read is a matter of their names.
 */
function streamOf({ argv, tells, redirects, paths }: PlannedCommand, place: Bounds): PathFact | undefined {
  const streams = paths.filter((path) => path.stream === true && !isAmongDevices(path.real, rootsOf(place)));
  if (tells !== "names" && !looksAtNames(argv)) return streams[0];
  // One of which it is not known where it leads may lead to any.
  const opened = redirects.filter(({ kind }) => kind === "read");
  return streams.find(({ real }) => opened.some((one) => one.real === undefined || one.real === real));
}

/** Of these no table says what their words name, and they open none of it; a git that compares opens a FIFO even to tell names. */
function looksAtNames([program, ...words]: PlannedCommand["argv"]): boolean {
  if (program === "find") return onlyFinds(words);
  const git = program === "git" ? readGit(words) : undefined;
  return git?.tells === "names" && git.verb !== "diff";
}

/** Tells by what a path that a command names is more than reading a file that is open to it. */
function leadsOn(
  { access, deep, asked, real, ofMachine }: PathFact,
  argv: PlannedCommand["argv"],
  place: Bounds,
  inBox: boolean,
): string | undefined {
  if (access !== "read") return shellReaders.writes({ place: shownPath(place.workspace, asked) });
  if (!inBox && deep === true) return shellReaders.goes_deep;
  if (ofMachine === true) return undefined;
  const other = [asked, real].find((path) => !isOpen(path, place, inBox));
  if (other === undefined || isMove(argv, place, inBox)) return undefined;
  return shellReaders.reads_outside({ place: shownPath(place.workspace, other) });
}

/** It runs another version of a program, or fetches it, as a file of the project says: one of many names stands in for it, or it lies among such. */
const isShim = (path: string, name: string): boolean =>
  /\/(?:shims|\.volta|volta|corepack|mise|proto)(?:\/|$)/u.test(path) ||
  (versioned.has(name) && !isNamedFor(path, name));

/** Programs that are asked for their version unasked, and which managers of versions, of packages or of caches stand in for. */
const versioned = new Set("node npm python python3 tsc gcc clang make ruby".split(" "));

/** `python3.12` for python3, `x86_64-linux-gnu-gcc-12` for gcc, `npm-cli.js` for npm, `nodejs` for node; not `mise`, `ccache` or `snap`. */
function isNamedFor(path: string, name: string): boolean {
  const [, base] = /^(?:[\w.]+-)*([a-z]+?)(?:js|-cli\.js)?(?:-?\d[\d.]*)?$/u.exec(basename(path)) ?? [];
  return base === name.replace(/\d+$/u, "");
}

const isBelow = (path: string, place: Bounds): boolean => rootsOf(place).some((root) => isInside(root, path));
const isOpen = (path: string, place: Bounds, inBox: boolean): boolean =>
  isBelow(path, place) || isOfSystem(path, inBox) || (inBox && isOfBox(path));

/** Headers, libraries and documents that were installed for the whole machine. */
const installed = /^\/(?:usr\/(?:local\/)?)?(?:include|lib|lib32|lib64|libexec|libx32|share|src)(?:\/|$)/u;
/** The folders where programs lie, and those around them: of what else is in these, the box shows nothing that was put there by hand. */
const ofPrograms = /^\/usr(?:\/local)?(?:\/(?:s?bin|games)(?:\/.*)?)?$/su;
const isOfSystem = (path: string, inBox: boolean): boolean => installed.test(path) || (inBox && ofPrograms.test(path));

/**
 * `cd` tells nothing of the folder that its words lead through: in the box, where nothing else is, nor to the workspace or an added
 * folder by its whole name.
 */
function isMove([program, ...words]: PlannedCommand["argv"], place: Bounds, inBox: boolean): boolean {
  if (program !== "cd" || inBox) return program === "cd";
  const [to, ...more] = words[0] === "--" ? words.slice(1) : words;
  return more.length === 0 && rootsOf(place).some((root) => to === root || to === `${root}/`);
}

const areHarmless = (assignments: PlannedCommand["assignments"]): boolean =>
  assignments.length > 0 && assignments.every(({ name }) => lowerCase.test(name) && !known.test(name));
