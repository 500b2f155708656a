import { resolve } from "node:path";
import type { PlannedCommand } from "../../core/command.ts";
import { foldCase } from "../../core/fold-case.ts";
import { type Bounds, rootsOf } from "../../core/tool.ts";
import {
  type Argv,
  type ArgvPattern,
  coversArgv,
  meansOption,
  meansValue,
  parseArgvPattern,
  type Touch,
  touchesArgv,
} from "../../tools/shell/reading/argv-pattern.ts";
import { destructiveRow } from "../../tools/shell/reading/destructive.ts";
import { inLongNames } from "../../tools/shell/reading/same-options.ts";
import { withJoinedValues, withValuesApart } from "../../tools/shell/reading/valued-options.ts";
import { isLed, wordKey } from "../leads.ts";
import { segmentsBelow } from "../names.ts";
import type { CallFacts, Grant, Leads, Rule } from "../types.ts";
import { areAsGranted } from "./bound-files.ts";

type CommandReach = Pick<Rule, "notFlags" | "redirect" | "network" | "sandbox" | "cwd" | "piped" | "scripts"> &
  Partial<Pick<Grant, "id">> & { command: string };

/** Patterns come from rules and grants, which are asked about again and again: each is read once. */
const read = new Map<string, ReturnType<typeof parseArgvPattern>>();
const mostRead = 2_000;

export function readPattern(text: string): ReturnType<typeof parseArgvPattern> {
  const known = read.get(text);
  if (known !== undefined) return known;
  if (read.size >= mostRead) read.clear();
  const pattern = parseArgvPattern(text);
  read.set(text, pattern);
  return pattern;
}

/**
 * Tells whether an allow means a simple command, with nothing set for it, in a folder that is known and one of the call's: `npm test` runs what
 * the folder says. One that another starts is meant where the pattern means that other,
 * all its words, and never by itself: `npm test` does not allow `xargs npm test`.
 */
export function coversCommand(reach: CommandReach, command: PlannedCommand, facts: CallFacts): boolean {
  const pattern = readPattern(reach.command);
  const outermost = facts.startedBy?.at(-1) ?? command;
  if ("wrong" in pattern || !holdsAround(reach, [command, outermost], facts)) return false;
  if (pattern.open && !(namesDestruction(pattern, command) && namesFileOptions(pattern, command))) return false;
  return areFilesMeant(reach, command, facts) && meansCommand(pattern, reach, outermost);
}

/** Tells whether the allow holds in the folder where the commands would run, and with the things around them. */
function holdsAround(reach: CommandReach, commands: readonly PlannedCommand[], facts: CallFacts): boolean {
  if (facts.network === true && reach.network !== true) return false;
  if (reach.sandbox === true && facts.sandbox !== true) return false;
  if (reach.piped === false && commands.some(({ isFed }) => isFed === true)) return false;
  const cwd = commands[0]?.cwd;
  if (cwd === undefined || !rootsOf(facts).some((root) => segmentsBelow(root, cwd) !== undefined)) return false;
  if (reach.cwd === undefined) return true;
  // Bound to a place, it means the files that its words name there, and none that a link put in their place leads to.
  const leadsElsewhere = commands[0]?.paths.some(({ asked, real }) => resolve(cwd, asked) !== real);
  return resolve(facts.workspace, reach.cwd) === cwd && leadsElsewhere !== true;
}

/** A wildcard does not mean what takes away, or reaches beyond the machine: the words before it must say so themselves. */
function namesDestruction({ words }: ArgvPattern, { argv }: PlannedCommand): boolean {
  const row = destructiveRow({ argv });
  return row === undefined || words.some((_, at) => destructiveRow({ argv: words.slice(at) }) === row);
}

function meansCommand(pattern: ArgvPattern, reach: CommandReach, command: PlannedCommand): boolean {
  if (!command.understood || command.assignments.length > 0 || !coversArgv(pattern, command.argv)) return false;
  const words = command.argv.slice(1).filter((word) => word !== null);
  if (reach.notFlags?.some((flag) => words.some((word) => hasFlag(word, flag))) === true) return false;
  if (!namesFileOptions(pattern, command)) return false;
  // A rule that a person wrote by hand names no files; one that does is bound to them as a grant is.
  return (reach.id === undefined && reach.scripts === undefined) || areAsGranted(reach.scripts ?? [], command);
}

/** Each option that writes, runs or reads a file, or leads elsewhere, stands in the pattern: as the word that it is in, or by its name. */
const namesFileOptions = ({ words }: ArgvPattern, { fileOptions = [] }: PlannedCommand): boolean =>
  fileOptions.every(({ word, name }) => words.includes(word) || words.includes(name));

/** `-f` is in `-rf` too, and `--forc` is `--force`. */
const hasFlag = (word: string, flag: string): boolean =>
  word === flag ||
  meansOption(word, flag) ||
  (/^-[A-Za-z]$/u.test(flag) && /^-[A-Za-z]/u.test(word) && !word.startsWith("--") && word.includes(flag[1] ?? ""));

function areFilesMeant({ redirect }: CommandReach, { redirects }: PlannedCommand, bounds: Bounds): boolean {
  return redirects.every(({ kind, real }) => {
    if (kind === "descriptor") return true;
    if (redirect !== "workspace") return false;
    return (
      kind === "text" ||
      (real !== undefined && rootsOf(bounds).some((root) => (segmentsBelow(root, real)?.length ?? 0) > 0))
    );
  });
}

// Keeps policy 13.
/** Tells whether a deny or an ask means a simple command, or may turn out to, by any spelling of its options. What cannot be read counts. */
export function touchesPart(pattern: string, command: PlannedCommand, bounds: Bounds, leads?: Leads): Touch {
  const known = readPattern(pattern);
  if ("wrong" in known) return "yes";
  const isSame = (word: string | null | undefined, wanted: string | null): boolean => {
    if (word === wanted) return true;
    return typeof word === "string" && wanted !== null && namesPlace(word, wanted, command, { bounds, leads });
  };
  const { argv } = command;
  const patternOf = (words: Argv): ArgvPattern => ({ ...known, words: words.filter((word) => word !== null) });
  const looks = [
    touchesArgv(known, argv, isSame),
    touchesArgv(patternOf(inLongNames(known.words)), inLongNames(argv), isSame),
    touchesArgv(known, withValuesApart(argv, known.words), isSame),
  ];
  const [wanted, joined] = [withJoinedValues(known.words), withJoinedValues(argv)];
  if (wanted !== undefined && joined !== undefined)
    looks.push(touchesArgv(patternOf(inLongNames(wanted)), inLongNames(joined), isSame, meansValue(isSame)));
  return looks.includes("yes") ? "yes" : looks.includes("maybe") ? "maybe" : "no";
}

/**
 * Tells whether a word names the file or folder that a word of a rule names, by another path (`./a`, `b/../a`, its whole path, from another
 * folder, by a link) or in letters that a file system may take for the same. What a rule names lies where the command runs, or in a root.
 */
function namesPlace(
  word: string,
  wanted: string,
  { cwd, paths }: PlannedCommand,
  { bounds, leads }: { bounds: Bounds; leads: Leads | undefined },
): boolean {
  const roots = rootsOf(bounds);
  // Where it is not known where it runs, that may be any of them.
  const from = cwd === undefined ? roots : [cwd];
  const asks = [word, ...from.map((at) => resolve(at, word))];
  const reals = paths.filter(({ asked }) => asks.includes(asked)).map(({ real }) => real);
  const led = leads?.rules?.get(wordKey(wanted));
  if (reals.length === 0 && !word.includes("/") && !wanted.includes("/") && led === undefined) return false;
  const places = [...asks.slice(1), ...reals];
  const found = new Set(places.map(foldCase));
  return (
    [...from, ...roots].some((at) => found.has(foldCase(resolve(at, wanted)))) ||
    places.some((place) => isLed(place, led))
  );
}

/** Tells whether the pattern means exactly one list of words. */
export function isExact(pattern: string | undefined): boolean {
  const known = pattern === undefined ? undefined : readPattern(pattern);
  return known !== undefined && "words" in known && !known.open;
}
