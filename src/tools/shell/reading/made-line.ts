import { join, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import type { PathFact } from "../../../core/path-fact.ts";
import { type Bounds, rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { readerReason } from "./only-reads.ts";
import { isFile, isFolder } from "./runners/binder.ts";

/** Files that this session made whole, by their real paths. */
export type MadeBefore = Pick<ReadonlySet<string>, "has">;

/** Programs that run the file that their first operand names, and options before it that load, run and read nothing. */
const runners: readonly { programs: readonly string[]; options: RegExp }[] = [
  { programs: ["bash", "sh", "dash"], options: /^-[eux]+$/u },
  { programs: ["node"], options: /^--(?:no-warnings|enable-source-maps|trace-warnings|trace-uncaught)$/u },
  { programs: ["python", "python3"], options: /^-[BEIsSuOq]+$/u },
  { programs: ["perl", "ruby"], options: /^-w$/u },
];

/** Programs that only pass on, cut or say text, or start another: of those, in such a line, that name no file. */
const ofText = new Set(
  `head tail wc grep egrep fgrep sort uniq cut tr rev nl cat sed echo printf true false : sleep date
   timeout nice time nohup command bash sh`.split(/\s+/u),
);

/**
 * The files that a line runs where all that it does is to run files of these, directly or by an interpreter of the system, and to pass text on;
 * undefined for each other line. A word that names what else lies in the workspace makes it another one: it would not be there.
 */
export function madeRunsOf(
  commands: readonly PlannedCommand[],
  place: Bounds,
  made: MadeBefore,
): readonly string[] | undefined {
  const runs: string[] = [];
  for (const command of commands) {
    if (!isPlain(command, place, made)) return undefined;
    const run = runOf(command, place, made);
    if (run !== undefined) runs.push(run);
    else if (!passesText(command, place)) return undefined;
  }
  return runs.length === 0 ? undefined : runs;
}

/** All its words are known, nothing is set for it, and it names no file but these. */
function isPlain(command: PlannedCommand, place: Bounds, made: MadeBefore): boolean {
  const { argv, assignments, redirects, understood, unbound, runsInput, cwd, paths, reaches } = command;
  return (
    understood &&
    unbound === undefined &&
    runsInput !== true &&
    reaches === undefined &&
    argv.length > 0 &&
    !argv.includes(null) &&
    assignments.length === 0 &&
    redirects.every(({ kind }) => kind === "descriptor") &&
    cwd !== undefined &&
    rootsOf(place).some((root) => isInside(root, cwd)) &&
    (isMove(command, place) || paths.every((path) => path.access === "read" && isOneOf(path, made)))
  );
}

const isOneOf = ({ asked, real }: PathFact, made: MadeBefore): boolean => asked === real && made.has(real);

/** The file that it runs; undefined where it runs none of these. */
function runOf(
  { argv, program, cwd = "/", scripts = [], fileOptions = [] }: PlannedCommand,
  place: Bounds,
  made: MadeBefore,
): string | undefined {
  const [name = "", ...words] = argv.map((word) => word ?? "");
  const isKnown = (path: string): boolean => made.has(path) && kernelPath("/", path) === path;
  if (fileOptions.length > 0 || !scripts.every(({ path }) => isKnown(path))) return undefined;
  if (name.includes("/")) {
    const path = resolve(cwd, name);
    return program === path && isKnown(path) && words.every((word) => namesNothing(word, cwd, made)) ? path : undefined;
  }
  const runner = runners.find(({ programs }) => programs.includes(name));
  if (runner === undefined || program === undefined || rootsOf(place).some((root) => isInside(root, program)))
    return undefined;
  const at = words.findIndex((word) => !runner.options.test(word));
  const path = resolve(cwd, words[at] ?? "");
  const isFile = at >= 0 && /^[^-+]/u.test(words[at] ?? "") && isKnown(path);
  return isFile && words.slice(at + 1).every((word) => namesNothing(word, cwd, made)) ? path : undefined;
}

/** It is no name of what lies there, or of a file of these. */
function namesNothing(word: string, cwd: string, made: MadeBefore): boolean {
  const values = [word, ...(/=(.+)$/su.exec(word)?.slice(1) ?? [])];
  return values.every((value) => {
    const path = value === "" ? undefined : kernelPath(cwd, value);
    return path === undefined || made.has(path) || !(isFile(path) || isFolder(path));
  });
}

/** Of what it starts, the files are named by it too, and are that command's. */
const passesText = (command: PlannedCommand, place: Bounds): boolean =>
  isMove(command, place) ||
  (ofText.has(command.argv[0] ?? "") && readerReason({ ...command, paths: [] }, place) !== undefined);

/** `cd` to a root by its whole path. */
const isMove = ({ argv: [program, to, ...more] }: PlannedCommand, place: Bounds): boolean =>
  program === "cd" && more.length === 0 && rootsOf(place).some((root) => to === root || to === join(root, "/"));
