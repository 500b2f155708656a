import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { FileOption, PlannedScript } from "../../../core/command.ts";
import { rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import { shellRuns } from "../../../words/contract/shell-runs.ts";
import type { CommandPlace } from "./command-place.ts";
import type { Folders } from "./folders.ts";
import { fileOptionsOf, type GivenOption, type Words } from "./options.ts";
import { readProgram } from "./read-program.ts";
import { type Binder, isFile, isFolder } from "./runners/binder.ts";
import { above, findCode, findModule, type Lookup } from "./runners/find.ts";
import { folderFilesOf } from "./runners/folder-files.ts";
import { type PackageRun, packageRun } from "./runners/packages.ts";
import { bringsCode, type ReadRunner, readRunner } from "./runners/read-runner.ts";
import { makefilesOf, settingsOf } from "./runners/settings-files.ts";
import { type Runner, runnerOf } from "./runners/table.ts";
import { baseName, startsOthers } from "./wrappers.ts";

/** Words of the shell itself: no file is looked for. */
const builtins = new Set(
  `. : [ [[ (( alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/u),
);

/** The file that a program's name means, links followed; undefined for the shell's own words and where there is none. */
export function findProgram(name: string, cwd: string | undefined, path: readonly string[]): string | undefined {
  if (name.length > longestPath) return undefined;
  if (name.includes("/")) return name.startsWith("/") || cwd !== undefined ? kernelPath(cwd ?? "/", name) : undefined;
  if (builtins.has(name)) return undefined;
  const found = path.map((folder) => join(folder, name)).find(isRunnable);
  return found === undefined ? undefined : kernelPath("/", found);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The known facts of the code that a command runs. */
export interface Running {
  /** Files that say what it does: the program where it lies inside the boundary, scripts, modules, task files and settings. */
  scripts: PlannedScript[];
  /** The reason why not all of it is bound to the approval, in words. */
  unbound?: string;
  /** It takes its code from its input. */
  runsInput?: true;
  fileOptions: FileOption[];
}

/**
 * Finds the code that a command would run, in each of the folders that it may stand in. Where its runner's words are not all known, each word that
 * is a file is bound.
 */
export function scriptsOf(
  argv: Words,
  program: string | undefined,
  folders: Folders,
  place: CommandPlace,
  binder: Binder,
): Running {
  const [name, ...words] = argv;
  if (typeof name !== "string") return { scripts: [], fileOptions: [] };
  const runner = runnerOf(baseName(name));
  const roots = rootsOf(place);
  const places = (folders ?? [place.workspace]).map((folder) => kernelPath("/", folder));
  const meant = name.includes("/") ? places.map((folder) => findProgram(name, folder, place.path)) : [program];
  const own = meant.filter((one) => one !== undefined && roots.some((root) => isInside(root, one)));
  const programs = own.map((one) => binder.hashed(one ?? "")).filter((one) => one !== undefined);
  if (runner === undefined) return ofOthers(argv, programs, { places, roots, path: place.path, binder });
  const read = readRunner(runner, words);
  if (read.tells) return { scripts: unique(programs), fileOptions: fileOptionsOf(read.options) };
  const found = places.map((at) => runs(runner, read, { at, roots, path: place.path, binder }));
  const loose = found.find((one) => one.loose !== undefined)?.loose;
  const unbound = folders === undefined ? shellRuns.folder_unknown : loose;
  if (unbound !== undefined && (folders === undefined || found.some(({ isUnseen }) => isUnseen)))
    binder.warnings.add(shellRuns.may_differ({ word: name, because: unbound }));
  const named = unbound === undefined ? [] : places.flatMap((at) => filesNamed(words, at, binder));
  return {
    scripts: unique([...programs, ...found.flatMap(({ scripts }) => scripts), ...named]),
    ...(unbound === undefined ? {} : { unbound }),
    ...(read.isFed ? { runsInput: true } : {}),
    fileOptions: [
      ...fileOptionsOf(runner.operands === "text" ? read.options.filter(({ means }) => means !== "c") : read.options),
      ...strangeOptions(read, runner, places),
    ],
  };
}

/** Variables by which make runs another program, or reads another file. */
const makeSettings = /^(?:SHELL|\.SHELLFLAGS|(?:GNU)?MAKEFLAGS|MAKEFILES)$/u;

/** Options that no table has, and variables of make, whose value is a path: it may run, or be written. */
function strangeOptions(
  { strange, operands }: ReadRunner,
  { find }: Runner,
  places: readonly string[],
): Running["fileOptions"] {
  const isPath = (value: string): boolean =>
    value.includes("/") || places.some((at) => value !== "" && isFile(kernelPath(at, value)));
  const options = strange.flatMap(({ word, next = "" }) => {
    const [, value] = /^[^=]*=(.*)$/su.exec(word) ?? [];
    const isNamed = value === undefined ? /^\.{0,2}\//u.test(next) : isPath(value);
    return isNamed ? [{ word, name: word, does: "runs" as const }] : [];
  });
  const sets = find !== "make" ? [] : operands.filter((word) => word?.includes("=") === true);
  const named = sets.flatMap((word) => {
    const [name = "", ...value] = word?.split("=") ?? [];
    const isSet = makeSettings.test(name.replace(/[:?+!]+$/u, "")) || isPath(value.join("="));
    return isSet ? [{ word: word ?? "", name, does: "runs" as const }] : [];
  });
  return [...options, ...named];
}

/**
 * Of a program that is no runner: nothing where all that its words mean is known, or where they only name what it reads and writes. Where nothing
 * is known of it, any file that a word names may be its code, and so may what known names of its kind read in their folder.
 */
function ofOthers(
  [name, ...words]: Words,
  programs: readonly PlannedScript[],
  { places, ...lookup }: Omit<Lookup, "at"> & { places: readonly string[] },
): Running {
  const base = baseName(name ?? "");
  const read = readProgram([base, ...words]);
  const runs = read?.fileOptions.find(({ does }) => does === "runs");
  const isKnown = (read !== undefined && folderFilesOf(base).length === 0) || builtins.has(base) || startsOthers(base);
  if (isKnown && runs === undefined) return { scripts: unique(programs), fileOptions: [] };
  const named = places.flatMap((at) => filesNamed(words, at, lookup.binder));
  const settings = places.flatMap((at) => above({ ...lookup, at }, folderFilesOf(base)).filter(isFile));
  const found = settings.map((path) => lookup.binder.hashed(path)).filter((one) => one !== undefined);
  return {
    scripts: unique([...programs, ...[...named, ...found].map((one): PlannedScript => ({ ...one, how: "reads" }))]),
    ...(runs === undefined ? {} : { unbound: shellRuns.text_runs({ word: runs.name }) }),
    fileOptions: [],
  };
}

const unique = (scripts: readonly PlannedScript[]): PlannedScript[] =>
  [...new Map(scripts.toReversed().map((one) => [`${one.path}\0${one.name ?? ""}`, one])).values()].reverse();

/** Finds the code that a runner runs where it stands in this folder. */
function runs(runner: Runner, read: ReadRunner, lookup: Lookup): PackageRun {
  const { options, operands, isKnown } = read;
  const sent = options.filter(({ means }) => means === "C");
  const at = sent.reduce<string | undefined>(
    (from, { value }) =>
      typeof value === "string" && value.length <= longestPath && from !== undefined
        ? kernelPath(from, value)
        : undefined,
    lookup.at,
  );
  if (at === undefined) return { scripts: [], loose: shellRuns.way_unknown, isUnseen: true };
  const there: Lookup = { ...lookup, at };
  const parts: PackageRun[] = [
    ...options.map((option) => ofOption(option, runner, lookup, there)),
    ofOperands(runner, read, sent.length > 0, there),
  ];
  const settings = settingsOf(runner, there);
  if (runner.needs === true && !settings.isSought && !options.some(({ means }) => means === "f"))
    parts.push({ scripts: [], loose: shellRuns.no_tasks });
  const name = runner.names.split(" ")[0] ?? "";
  const strange = isKnown && !operands.includes(null) ? [] : [shellRuns.odd_words({ word: name })];
  const [loose] = [...strange, ...parts.flatMap((part) => part.loose ?? [])];
  return {
    scripts: [...parts.flatMap(({ scripts }) => scripts), ...settings.scripts],
    ...(loose === undefined ? {} : { loose }),
    ...(operands.includes(null) || parts.some(({ isUnseen }) => isUnseen) ? { isUnseen: true } : {}),
  };
}

const nothing: PackageRun = { scripts: [] };

/** @param here where it was started; `there` where it was sent to: manuals differ in where a path begins. */
function ofOption({ name, means, value }: GivenOption, runner: Runner, here: Lookup, there: Lookup): PackageRun {
  if (means === undefined || "kcCWivw".includes(means)) return nothing;
  if (means === "u" || means === "x") return { scripts: [], loose: shellRuns.unnamed({ word: name }) };
  if (typeof value !== "string") return { scripts: [], loose: shellRuns.named_unknown({ word: name }), isUnseen: true };
  if (means === "d") return ofFolder(name, value, [here, there]);
  const names = means === "r" ? [value] : [value, ...value.split(",")];
  const found = [here, there].flatMap((lookup) =>
    names.flatMap((one) =>
      means === "m" || means === "f" ? findOf(one, means, runner, lookup) : findCode(one, undefined, lookup),
    ),
  );
  if (found.length > 0) return hashedAll(found, here);
  if (isFolder(kernelPath(here.at, value))) return ofFolder(name, value, [here, there]);
  return means === "r" ? nothing : { scripts: [], loose: shellRuns.not_loaded({ word: name }) };
}

const findOf = (name: string, means: "m" | "f", runner: Runner, lookup: Lookup): string[] => {
  const isLoaded = means === "m" || runner.find === "node" || runner.names === "jest" || runner.names === "mocha";
  return isLoaded ? findModule(name, runner, lookup) : findCode(name, undefined, lookup);
};

/** A folder that code is taken from is bound as it is, and no grant lasts: what runs writes caches into it. */
function ofFolder(name: string, value: string, lookups: readonly Lookup[]): PackageRun {
  const scripts = lookups
    .map(({ at, binder }) => binder.folder(kernelPath(at, value)))
    .filter((one) => one !== undefined);
  const isLost = scripts.length === 0;
  return { scripts, loose: shellRuns.code_folder({ word: name }), ...(isLost ? { isUnseen: true } : {}) };
}

/** Files that are there and are not bound are too large, or too many. */
function hashedAll(files: readonly string[], { binder }: Lookup): PackageRun {
  const scripts = files.map((path) => binder.hashed(path)).filter((one) => one !== undefined);
  return {
    scripts,
    ...(scripts.length < files.length ? { loose: shellRuns.too_much, isUnseen: true } : {}),
  };
}

function ofOperands(
  runner: Runner,
  { options, operands, isFed }: ReadRunner,
  isSent: boolean,
  lookup: Lookup,
): PackageRun {
  if (isFed) return { scripts: [], loose: shellRuns.fed };
  if (runner.find === "package") return packageRun(operands, options, isSent, lookup);
  if (runner.find === "make") return ofMake(options, operands, lookup);
  switch (runner.operands) {
    case "script":
      return options.some((option) => bringsCode(runner, option)) || operands.length === 0
        ? nothing
        : ofScript(operands[0] ?? null, runner, lookup);
    case "text":
      return nothing;
    case "files":
      return ofFiles(runner, operands, lookup);
    case "tasks":
      return nothing;
  }
}

function ofScript(word: string | null, runner: Runner, lookup: Lookup): PackageRun {
  const files = word === null ? [] : findCode(word, runner.find, lookup);
  if (files.length > 0) return hashedAll(files, lookup);
  return { scripts: [], loose: shellRuns.no_script };
}

function ofFiles(runner: Runner, operands: Words, lookup: Lookup): PackageRun {
  const named = operands.map((word) => (word === null ? [] : findCode(word, runner.find, lookup)));
  const found = hashedAll(named.flat(), lookup);
  const isLost = runner.seeks !== true && named.some((files) => files.length === 0);
  return isLost ? { loose: shellRuns.not_found, ...found } : found;
}

function ofMake(options: readonly GivenOption[], operands: Words, lookup: Lookup): PackageRun {
  const values = (means: string): string[] =>
    options.flatMap((option) => (option.means === means && typeof option.value === "string" ? [option.value] : []));
  const files = makefilesOf(
    values("f"),
    values("d").map((folder) => kernelPath(lookup.at, folder)),
    lookup,
  );
  const found = hashedAll(files, lookup);
  const sets = operands.some((word) => word === null || word.includes("="));
  const loose = files.length === 0 ? shellRuns.no_makefile : sets ? shellRuns.set_variables : found.loose;
  const named = sets ? filesNamed(operands, lookup.at, lookup.binder) : [];
  return { scripts: [...found.scripts, ...named], ...(loose === undefined ? {} : { loose }) };
}

/** Every file that words name: whole, or behind what joins an option or a variable to its value. */
export function filesNamed(words: Words, at: string, binder: Binder): PlannedScript[] {
  const names = words.flatMap((word) =>
    word === null || word.length > longestPath
      ? []
      : [
          word,
          ...(/^-[^-]/u.test(word) ? [word.slice(2)] : []),
          ...word.split(/[=@:,\s]/u),
          ...[...word.matchAll(/[=@:,]/gu)].map(({ index }) => word.slice(index + 1)),
        ],
  );
  return [...new Set(names)]
    .filter((name) => name !== "" && isFile(kernelPath(at, name)))
    .map((name) => binder.hashed(kernelPath(at, name)))
    .filter((one) => one !== undefined);
}
