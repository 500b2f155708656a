import { resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { type Bounds, rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { type BoxRow, boxRowOf, isOfBox, isPlainSetting } from "./box-readers.ts";
import { type ReaderRow, readers } from "./reader-table.ts";

/** What a line is judged by beside its words: the folders that it may read, and what it would run in. */
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

/**
 * Why a command only reads: as its words say, or because it would run in the reading box, where it can do nothing else (`reading-box.ts`).
 * @returns words that can follow "because"; undefined where that is not sure.
 */
export const readerReason = (command: PlannedCommand, place: ReadingPlace): string | undefined =>
  plainReason(command, place) ?? (isBoxed(command, place) ? boxReason(command, place) : undefined);

/** Whether a command that only reads does so by its words alone: it may run where files lie that are not read unasked. */
export const readsByItsWords = (command: PlannedCommand, place: ReadingPlace): boolean =>
  plainReason(command, place) !== undefined;

/** With the network even a reader could tell what it read. */
const isBoxed = ({ outerGit }: PlannedCommand, { sandbox, network }: ReadingPlace): boolean =>
  sandbox === true && network !== true && outerGit !== true;

function plainReason(command: PlannedCommand, place: Bounds): string | undefined {
  const { argv, assignments } = command;
  if (command.obeysFolder === true || argv.includes(null) || !readsAlone(command, place, false)) return undefined;
  if (argv.length === 0 && assignments.length === 0) return openedReason(command);
  if (argv.length === 0) return areHarmless(assignments) ? "it only sets a variable of the line" : undefined;
  if (assignments.length > 0) return undefined;
  const [program, ...words] = argv as readonly string[];
  if (program === undefined || program.includes("/")) return undefined;
  if (command.objects !== undefined) return gitReason(command);
  if (command.program !== undefined && isShim(command.program)) return undefined;
  const row = rowsOf
    .get(program)
    ?.find(({ only, namesNoFile }) => (namesNoFile === true || command.isPathsKnown) && (only?.(words) ?? true));
  return row?.why;
}

/** Of a group or a loop: where what it reads comes from. */
const openedReason = ({ redirects, isPathsKnown }: PlannedCommand): string | undefined =>
  redirects.length > 0 && isPathsKnown ? "it only opens what the line reads from" : undefined;

/** What it shows was listed when it was planned; what is not read unasked among it stands among the paths. */
const gitReason = ({ objects }: PlannedCommand): string =>
  objects?.count === 0
    ? "it only tells of the repository"
    : `it only shows what git keeps of ${objects?.count === 1 ? "a file" : `${objects?.count} files`} that may be read`;

/** The same where nothing can be written, nothing told, and what is not read unasked is not there: words may be unknown, folders gone through. */
function boxReason(command: PlannedCommand, place: Bounds): string | undefined {
  const { argv, assignments } = command;
  if (command.obeysFolder === true || !readsAlone(command, place, true)) return undefined;
  if (!assignments.every(({ name }) => isPlainSetting(name))) return undefined;
  if (argv.length === 0) return assignments.length > 0 ? "it only sets a variable of the line" : openedReason(command);
  const [program, ...words] = argv;
  if (typeof program !== "string" || program.includes("/")) return undefined;
  const row = boxRowOf(program, words);
  if (row === undefined || (!command.isPathsKnown && leadsOut(command, row, place))) return undefined;
  if (command.besideGit === true && (row.isAnyProgram === true || !staysAtItsWords(command))) return undefined;
  return `${row.why}, where nothing can be written`;
}

/** A word that would name something outside names nothing in the box: what it told would not be so. */
function leadsOut(
  { argv: [, ...words], cwd, heads = [] }: PlannedCommand,
  { takesText }: BoxRow,
  place: Bounds,
): boolean {
  const known = words.filter((word) => word !== null);
  const operands = known.filter((word) => !word.startsWith("-")).slice(takesText === true ? 1 : 0);
  const values = known.flatMap((word) => (word.startsWith("-") ? (/=(.+)$/su.exec(word)?.[1] ?? []) : []));
  return [...operands, ...values, ...heads].some((word) => {
    if (!/^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/u.test(word)) return false;
    // `~root/x`: whose home that is, bash finds out.
    if (/^~[^/]/u.test(word)) return true;
    return (cwd === undefined && !word.startsWith("/")) || !isOpen(resolve(cwd ?? "/", word), place, true);
  });
}

/** Git's own folder is there for the git of the line: beside it nothing may come upon that. */
const staysAtItsWords = ({ argv, reaches, paths }: PlannedCommand): boolean =>
  reaches === undefined && !argv.includes(null) && !paths.some(({ deep }) => deep === true);

/** Nothing that its words say writes, runs what a file says, or leads elsewhere. */
function readsAlone(
  { redirects, paths, understood, program, fileOptions = [], argv }: PlannedCommand,
  place: Bounds,
  inBox: boolean,
): boolean {
  const opens = (path: string): boolean => isOpen(path, place, inBox);
  return (
    understood &&
    !fileOptions.some(({ does }) => does === "writes" || does === "runs") &&
    redirects.every(({ kind }) => /^(?:descriptor|text|read)$/u.test(kind)) &&
    paths.every(
      ({ access, deep, asked, real }) =>
        access === "read" && (inBox || deep !== true) && ((opens(asked) && opens(real)) || isMove(argv, place, inBox)),
    ) &&
    !(argv.length > 0 && program !== undefined && isBelow(program, place))
  );
}

/** It runs another version of a program, or fetches it, as a file of the project says. */
const isShim = (program: string): boolean => /\/(?:shims|\.volta|volta|corepack|mise|proto)\//u.test(program);

const isBelow = (path: string, place: Bounds): boolean => rootsOf(place).some((root) => isInside(root, path));
const isOpen = (path: string, place: Bounds, inBox: boolean): boolean =>
  isBelow(path, place) || isOfSystem(path, inBox) || (inBox && isOfBox(path));

/** Headers, libraries and documents that were installed for the whole machine. */
const installed = /^\/(?:usr\/(?:local\/)?)?(?:include|lib|lib32|lib64|libexec|libx32|share|src)(?:\/|$)/u;
const isOfSystem = (path: string, inBox: boolean): boolean =>
  installed.test(path) ||
  (inBox && /^\/usr(?:\/(?:local\/)?s?bin)?(?:\/|$)/u.test(path) && !/^\/usr\/local\/etc/u.test(path));

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
