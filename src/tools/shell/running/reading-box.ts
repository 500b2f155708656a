import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ToolRefusal } from "../../../core/codes.ts";
import type { PlannedCommand } from "../../../core/command.ts";
import { shownPath } from "../../../core/shown-path.ts";
import { type ClosedPlaces, rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { boxRowOf } from "../reading/box-rows.ts";
import { leavesTree, readGit } from "../reading/git-words.ts";
import { trustedReal } from "../reading/led-way.ts";
import { listedGit } from "../reading/listed-git.ts";
import { isOfMachine } from "../reading/of-machine.ts";
import { judgedReader, type ReadingPlace, readsByItsWords } from "../reading/only-reads.ts";
import { isBeside, isShown, type ProgramView } from "./around-programs.ts";
import { lookAt, realOf } from "./closed-below.ts";
import { closedIn, holdsGitsData, versionFolders } from "./closed-in.ts";
import { variableRows } from "./home-rows.ts";
import type { Mount } from "./sandbox.ts";
import type { HomePlaces } from "./sandbox-home.ts";
import { masksIn, reachedFolders, withoutLeftOut } from "./sandbox-masks.ts";
import { settingsOf } from "./system-settings.ts";

// Keeps tools 7.
/*
 * The reading box: the sandbox of a line that only reads. Nothing of the disk can be written in it, no other machine is
 * reached, and of the disk there are the workspace, the system's programs and what tool chains need of a home. A line
 * whose words do not say all that it reads finds nothing in it that is not read without asking.
 */

/** Folders of the top that hold the system's programs, or are made anew in each sandbox. */
const shownAtTop = /^(?:bin|sbin|lib(?:32|64|x32|exec)?|usr|nix|snap|dev|proc|sys|run|tmp)$/u;

/**
 * Lists the mounts that lie over the disk so that nothing of it is there but the system's programs: to be laid before homes and roots. Folders of
 * programs elsewhere are shown, with what they lie beside; of files that the line names those that were installed for all users of the machine.
 * @param homes they are laid later, and hold what is shown of them
 */
export function emptiedDisk(
  { roots, write, named, env }: Pick<HomePlaces, "roots" | "write" | "named" | "env">,
  homes: readonly string[],
  { folders, around, isSmall }: ProgramView,
): Mount[] {
  const tops = namesAt("/").filter((name) => !shownAtTop.test(name) && lookAt(`/${name}`)?.isDirectory() === true);
  const emptied = [...tops.map((name) => `/${name}`), ...putByHand([...folders, ...toolHomes(env)])];
  const mayShow = (folder: string): boolean =>
    emptied.some((top) => top !== folder && isInside(top, folder)) &&
    !homes.some((home) => isInside(home, folder)) &&
    !roots.some((root) => isInside(folder, root) || isInside(root, folder));
  const written = [...roots, ...write.flatMap((path) => realOf(path) ?? [])];
  const programs = folders
    .flatMap((folder) => trustedReal(folder, written) ?? [])
    .filter(mayShow)
    .map((folder) => around.mounts(isBeside(folder) && mayShow(dirname(folder)) ? dirname(folder) : folder, folder));
  const files = named.filter((one) => emptied.some((top) => isInside(top, one)) && isOfMachine(one));
  const shown = [...settingsOf(isSmall), ...new Set(files)].filter((one) => lookAt(one) !== undefined);
  return [
    ...emptied.map((at): Mount => ({ at, kind: "nothing" })),
    ...shown.flatMap((at): Mount[] => {
      const from = realOf(at);
      return from === undefined ? [] : [{ at, kind: "read-only", from }];
    }),
    ...laidOnce(programs),
  ];
}

/** Parts of /usr/local that are as those of /usr; any other is what a person puts there, of their own projects, too. */
const ofPackages = /^(?:bin|sbin|games|include|lib(?:32|64|x32|exec)?|man|share|src)$/u;

/** Folders of settings: programs that lie in them are shown by themselves. */
const settings = new Set(["/usr/etc", "/usr/local/etc"]);

/** Folders below /usr with settings, and those of /usr/local that are none of a package's, but where tool chains lie. */
function putByHand(tools: readonly string[]): string[] {
  const local = namesAt("/usr/local").filter((name) => !ofPackages.test(name));
  const all = ["/usr/etc", ...local.map((name) => `/usr/local/${name}`)];
  return all.filter((at) => isFolder(at) && (settings.has(at) || !tools.some((tool) => isInside(at, tool))));
}

const toolHomes = (env: Readonly<Record<string, string>>): string[] =>
  Object.keys(variableRows).flatMap((name) => env[name] ?? []);

/** One that lies in what another one of before shows is there by that: by its own it would show what is held back of the outer one. */
function laidOnce(lists: readonly Mount[][]): Mount[] {
  const all: Mount[] = [];
  for (const list of lists) {
    const parts = list.filter(({ kind }) => kind === "read-only");
    if (!parts.every(({ at }) => isShown(at, all))) all.push(...list);
  }
  return all;
}

/** The parts of the roots that a box holds back. */
export interface HeldBack {
  mounts: Mount[];
  /** Places that are not read without asking: how many of them the line would come upon, or all where that is not known. */
  places: number;
  /** Its words do not say what it reads. */
  isAny: boolean;
  /** Names of folders that are empty for it, and that it goes through. */
  emptied: string[];
}

/**
 * Nothing where files lie that are not read unasked, nor in the folders of version control and of ours, as far as the line may come upon
 * them: below the folders that it goes through, or in all roots where its words do not say what it reads. Those that it names itself, a
 * person or policy has judged.
 * @throws ToolRefusal where there is too much to look through: then it is not run.
 */
export function heldFrom(
  commands: readonly PlannedCommand[],
  place: ReadingPlace,
  roots: readonly string[],
  closed: ClosedPlaces,
): HeldBack {
  const boxed = commands.filter((command) => !readsByItsWords(command, place));
  const folders = boxed.every(saysWhatItReads)
    ? reachedFolders(boxed, roots).filter((folder) => roots.some((root) => isInside(root, folder)))
    : roots;
  if (folders.length === 0) return { mounts: [], places: 0, isAny: false, emptied: [] };
  const hasGit = commands.some(({ besideGit }) => besideGit === true);
  const listed = hasGit || !commands.some(({ argv: [name] }) => name === "git") ? [] : listedMounts(commands, roots);
  const named = commands.map((command) => withoutLeftOut(command, closed, roots));
  // What is kept from a reader there would be kept from git, too, and its answer another one.
  const cleared = boxed.filter(goesBeside).filter(({ clearOfGit }) => clearOfGit === true);
  const whyNot = clearing(cleared, { commands, closed, roots });
  if (cleared.some((reader) => whyNot(reader) !== undefined))
    throw new ToolRefusal(
      "STALE",
      "it was not run: what its git must not miss, or it must not read, came into a folder that it goes through",
    );
  const { mounts, places, aside } = masksIn(folders, named, closed, roots, hasGit ? [".holdfast"] : versionFolders);
  const isAny = boxed.some(({ reaches }) => reaches === "any");
  return {
    mounts: [...mounts, ...listed],
    places: isAny ? places.length : places.filter(metBy(boxed, roots)).length,
    isAny,
    // Of the folder of a git that lists its index something is there, and found.
    emptied: emptiedFor(boxed, listed.length === 0 ? aside : aside.filter((at) => at !== listed[0]?.at)),
  };
}

/** Names of the folders of these that programs would have gone through which look into hidden ones, too. */
function emptiedFor(commands: readonly PlannedCommand[], folders: readonly string[]): string[] {
  const through = commands.flatMap(({ argv: [name, ...words], reaches, cwd }) => {
    if (name === "find") return startsOf(words).map((word) => resolve(cwd ?? "/", word));
    return Array.isArray(reaches) && /^(?:diff|[ef]?grep)$/u.test(name ?? "") ? reaches : [];
  });
  const met = folders.filter((at) => through.some((folder) => isInside(folder, at)));
  return [...new Set(met.map((at) => basename(at)))].toSorted();
}

/** Lists the paths that find begins at, as far as its words say. */
function startsOf(words: readonly (string | null)[]): string[] {
  const from = words.slice(words.findIndex((word) => !/^-(?:[HLP]|O\d)$/u.test(word ?? "")));
  const end = from.findIndex((word) => /^[-(!]/u.test(word ?? "-"));
  const starts = from.slice(0, end < 0 ? from.length : end).filter((word) => word !== null);
  return starts.length === 0 ? ["."] : starts;
}

/** Of the folder of a git that only lists its index, what it needs for that. @throws ToolRefusal where that is not all any more */
function listedMounts(commands: readonly PlannedCommand[], roots: readonly string[]): Mount[] {
  const found = listedGit(commands, roots);
  if (found === undefined)
    throw new ToolRefusal("STALE", "it was not run: the repository of which git lists the files is another one by now");
  const { at, config, index } = found;
  const file = (name: string, bytes: Uint8Array): Mount => ({ at: join(at, name), kind: "data", bytes });
  return [
    { at, kind: "nothing" },
    file("HEAD", Buffer.from("ref: refs/heads/main\n")),
    file("config", Buffer.from(config)),
    file("index", index),
    ...["objects", "refs"].map((name): Mount => ({ at: join(at, name), kind: "empty" })),
    { at, kind: "ended" },
  ];
}

/** Says of a place whether it lies in what the commands go through, or is what a pattern of theirs stands for. */
function metBy(commands: readonly PlannedCommand[], roots: readonly string[]): (place: string) => boolean {
  const folders = reachedFolders(commands, roots);
  const files = commands.flatMap(({ paths }) => paths.flatMap(({ asked, real }) => [asked, real]));
  return (place) => folders.some((folder) => isInside(folder, place)) || files.some((path) => isInside(place, path));
}

/**
 * Says of the readers beside a git of their line whether all that they go through is clear of what would have to be kept from them, or why
 * it is not.
 */
export function withClearance(
  commands: readonly PlannedCommand[],
  place: ReadingPlace,
  closed: ClosedPlaces,
): PlannedCommand[] {
  const whyNot = clearing(commands.filter(goesBeside), { commands, closed, roots: rootsOf(place) });
  return commands.map((command) => {
    if (!goesBeside(command)) return command;
    const cleared: PlannedCommand = { ...command, clearOfGit: true };
    const why = whyNot(command);
    if (why === undefined) return cleared;
    // What else it may do says policy.
    return "reads" in judgedReader(cleared, place) ? { ...command, why: command.why ?? why } : command;
  });
}

type Reader = PlannedCommand & { reaches: string[] };

const goesBeside = (command: PlannedCommand): command is Reader =>
  command.besideGit === true && Array.isArray(command.reaches);

/** Says of each reader why it is not clear: by one walk through what they all go through or, where that is not, by one for the same folders. */
function clearing(readers: readonly Reader[], place: Clearing): (reader: Reader) => string | undefined {
  const keyOf = (folders: readonly string[]): string => JSON.stringify([...new Set(folders)].toSorted());
  const all = readers.flatMap(({ reaches }) => reaches);
  const found = new Map([[keyOf(all), notClear(all, place)]]);
  // A folder that one of them starts at is looked at for git's data only where another one comes upon it.
  const areClear = found.get(keyOf(all)) === undefined && !all.some(holdsGitsData);
  return ({ reaches }) => {
    const key = keyOf(reaches);
    if (!areClear && !found.has(key)) found.set(key, notClear(reaches, place));
    return found.get(key);
  };
}

interface Clearing {
  commands: readonly PlannedCommand[];
  closed: ClosedPlaces;
  roots: readonly string[];
}

/**
 * Names a thing in folders that a reader beside a git of its line is not to come upon, in words that can follow "because"; folders that are not
 * looked through are not known to hold nothing. Places that are not read without asking are kept from it, where no git of the line would miss it.
 */
function notClear(folders: readonly string[], { commands, closed, roots }: Clearing): string | undefined {
  if (folders.length === 0) return undefined;
  const { places, apart, isCut } = closedIn([...new Set(folders)], closed, roots, [...versionFolders, "node_modules"]);
  const [root = "/"] = roots;
  const [other] = apart;
  const [place] = commands.every(mayMiss) ? [] : places;
  if (isCut) return shellReaders.too_many_kept;
  if (other !== undefined)
    return basename(other) === "node_modules"
      ? shellReaders.other_repositories({ place: shownPath(root, other) })
      : shellReaders.there_for_git({ place: shownPath(root, other) });
  return place === undefined ? undefined : shellReaders.kept_from_git({ place: shownPath(root, place) });
}

/** Tells whether it is no git, or one that does not look at the files of the working tree. */
function mayMiss({ argv: [name, ...words], besideGit }: PlannedCommand): boolean {
  const reading = name === "git" ? readGit(words) : undefined;
  return besideGit === true || (reading !== undefined && leavesTree(reading));
}

const saysWhatItReads = ({ argv, isPathsKnown, assignments, reaches }: PlannedCommand): boolean =>
  argv.length > 0 && isPathsKnown && !argv.includes(null) && assignments.length === 0 && reaches !== "any";

/** Sentences about what such a line tells otherwise than outside: the model is to take it for what it is. */
export function boxWords(commands: readonly PlannedCommand[], held: HeldBack): string[] {
  const rows = commands.flatMap(({ argv: [program, ...words] }) =>
    typeof program === "string" ? (boxRowOf(program, words) ?? []) : [],
  );
  const differs = new Set(rows.flatMap((row) => row.differs ?? []));
  const emptied = held.emptied.length === 0 ? [] : [`what lies in ${held.emptied.join(", ")} is not there for it`];
  return [...differs, ...emptied, ...leftWords(held)];
}

function leftWords({ places, isAny }: HeldBack): string[] {
  if (places === 0) return [];
  const [what, were, are] =
    places === 1 ? ["1 place that is", "was", "is"] : [`${places} places that are`, "were", "are"];
  return [
    isAny
      ? `it may read any file by words that are known only when it runs: ${what} not read without asking ${are} not there for it`
      : `${what} not read without asking ${were} left out`,
  ];
}

function namesAt(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true;
