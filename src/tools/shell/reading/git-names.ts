import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import type { Sha } from "../../../core/json.ts";
import { NotFollowed } from "../../../files/git/bounded-text.ts";
import { repositoriesFrom } from "../../../files/git/repository.ts";
import { comparable } from "./git-compared.ts";
import { gitFolder } from "./git-folder.ts";
import { comparesOnDisk } from "./git-on-disk.ts";
import { fieldsOf, type GitSaid, mostOperands, sureNames } from "./git-said.ts";
import { byLines, commitFormat, diffFormat, type GitReading, readGit, settingAsked } from "./git-words.ts";

/*
 * Which files a git shows the contents of: what it keeps lies in its objects, where no name is. So git itself is asked for the names, with the
 * words of the line in all that says which commits and which differences are meant.
 */

/**
 * Runs git with these words in a folder, as the line would run it.
 * @returns undefined where it was not run to its end, or said too much: then nothing is known
 */
export type AskGit = (words: readonly string[], folder: string) => Promise<GitSaid | undefined>;

/** Tells whether a command shows what lies in git's objects: then its names are to be known before it is judged. */
export const showsObjects = ({ argv: [program, ...words], assignments, outerGit }: PlannedCommand): boolean =>
  program === "git" && assignments.length === 0 && outerGit !== true && (readGit(words)?.tells ?? "names") !== "names";

/**
 * Tells whether git is asked for more names than it shows, as it is not kept from all that the repository would have it run. Where they are not
 * known then, they may be ones that git would have told otherwise, and nobody has allowed those.
 */
export function isAskedForMore({ argv: [, ...words], obeysFolder }: PlannedCommand): boolean {
  const reading = obeysFolder === true ? readGit(words) : undefined;
  return (
    reading !== undefined &&
    (/^(?:diff|ls-files)$/u.test(reading.verb) ||
      (!/^(?:blame|annotate|grep)$/u.test(reading.verb) && looksByLines(reading)))
  );
}

const looksByLines = ({ options }: GitReading): boolean => options.some(([option = ""]) => byLines.test(option));

/**
 * @returns absolute names of all files that the command shows contents of, in order; undefined where that is not known
 */
export async function namesShown(command: PlannedCommand, ask: AskGit): Promise<string[] | undefined> {
  const { argv, cwd, obeysFolder } = command;
  // What lies on the disk no list of git's has.
  if (obeysFolder === true && comparesOnDisk(command)) return undefined;
  const reading = readGit(argv.slice(1));
  const folder = gitFolder(argv, cwd);
  const top = folder === undefined ? undefined : topOf(folder);
  if (reading === undefined || folder === undefined || top === undefined) return undefined;
  const [found, names] = await Promise.all([
    ask(["rev-parse", "--show-toplevel"], folder),
    namesOf(reading, { folder, top, isKept: obeysFolder !== true, ask: (words) => ask(words, folder) }),
  ]);
  // Where git does not find this repository, it says nothing of it.
  if (!Buffer.isBuffer(found) || found.toString("utf8").trimEnd() !== top) return undefined;
  return names === undefined ? undefined : sureNames(names, top);
}

/** Makes the hash that stands for the names of a command in a plan. */
export const hashNames = (names: readonly string[]): Sha =>
  createHash("sha256").update(names.join("\0")).digest("hex") as Sha;

/** The top of the working tree that git takes the folder to be in. */
function topOf(folder: string): string | undefined {
  try {
    const found = repositoriesFrom(folder).find(({ isSure }) => isSure);
    return found === undefined || found.isBare ? undefined : found.at;
  } catch (error) {
    if (error instanceof NotFollowed) return undefined;
    throw error;
  }
}

interface NamesRequest {
  folder: string;
  top: string;
  /** Git is kept from all that the repository would have it run. Else it is asked nothing for which it looks into a file of the working tree. */
  isKept: boolean;
  ask(words: readonly string[]): Promise<GitSaid | undefined>;
}

async function namesOf(reading: GitReading, asked: NamesRequest): Promise<string[] | undefined> {
  const { verb, operands, paths = [] } = reading;
  const at = (path: string): string => resolve(asked.folder, path);
  switch (verb) {
    case "blame":
      // Of a list of commits that is none, git tells a line. A revision among them names no file that is there.
      return (await asked.ask(["config", "--get-all", "blame.ignoreRevsFile"])) === "none"
        ? [...operands, ...paths].map(at)
        : undefined;
    case "remote":
      return tellsNoSecret(await asked.ask(["remote", ...reading.options.flat(), ...operands])) ? [] : undefined;
    case "config":
      return tellsNoSecret(await asked.ask(["config", "--get-all", settingAsked(reading) ?? ""])) ? [] : undefined;
    case "ls-files":
      return listed(reading, asked);
    case "grep":
      return grepped(reading, asked);
    case "stash":
      return stashed(reading, asked);
    case "cat-file":
    case "show":
    case "diff":
      return ofOperands(reading, asked);
    case "log":
      return differing(reading, reading.operands, asked);
    default:
      return undefined;
  }
}

/** An address may hold a password, or a token in the place of a name. */
const tellsNoSecret = (said: GitSaid | undefined): boolean =>
  Buffer.isBuffer(said) && !/:\/\/[^/\s@]*:[^/\s]*@|https?:\/\/[^/\s]*@/iu.test(String(said));

/** The meaning of an operand to git. */
interface Operand {
  word: string;
  /** Files that it names. */
  files: string[];
  /** `only`: nothing else is meant by it. */
  kind: "commits" | "path" | "only";
}

async function ofOperands(reading: GitReading, asked: NamesRequest): Promise<string[] | undefined> {
  if (reading.operands.length > mostOperands) return undefined;
  const found: Operand[] = [];
  for (const word of reading.operands) {
    const one = await meaningOf(word, reading.verb, asked);
    if (one === undefined) return undefined;
    found.push(one);
  }
  const files = found.flatMap((one) => one.files);
  const left = found.filter(({ kind }) => kind !== "only");
  if (reading.verb === "cat-file" && found.some(({ kind }) => kind === "path")) return undefined;
  if (reading.verb === "cat-file" || (left.length === 0 && found.length > 0)) return files;
  const names = await differing(
    reading,
    left.map(({ word }) => word),
    asked,
  );
  return names === undefined ? undefined : [...files, ...names];
}

/** Ends of a range, each an object by itself. */
const endsOf = (word: string): string[] =>
  word
    .replace(/^\^/u, "")
    .split(/\.{2,3}/u)
    .filter((end) => end !== "");

const headOnly = /^(?:HEAD|@)(?:[~^]\d*)*$/u;

async function meaningOf(word: string, verb: string, asked: NamesRequest): Promise<Operand | undefined> {
  // Words of a message are searched for among commits alone.
  if (headOnly.test(word) || word.startsWith(":/")) return { word, files: [], kind: "commits" };
  const ends = await Promise.all(endsOf(word).map((end) => objectAt(end, asked)));
  if (ends.includes(undefined)) return undefined;
  if (ends.includes("none")) return { word, files: [resolve(asked.folder, word)], kind: "path" };
  const hasTree = ends.some((end) => typeof end === "object" && "folder" in end);
  if (ends.includes("nameless") || (verb === "diff" && hasTree)) return undefined;
  const files = ends.flatMap((end) => (typeof end === "object" && "file" in end ? [end.file] : []));
  if (files.length > 0 || hasTree) return { word, files, kind: verb === "diff" ? "commits" : "only" };
  const isOne = verb === "show" && !word.includes("..") && !word.startsWith("^");
  return { word: isOne ? `${word}^{commit}` : word, files, kind: "commits" };
}

/** The kind of object that git has by a name. */
type Found =
  | "none"
  | "commit"
  /** A file that no path is said of: by its hash, by a tag, or by a path in a folder that nothing is known of. */
  | "nameless"
  | { file: string }
  /** Undefined where it is not known which one it is. */
  | { folder: string | undefined };

/** @returns undefined where it is not known */
async function objectAt(end: string, { folder, top, ask }: NamesRequest): Promise<Found | undefined> {
  const behind = pathBehind(end);
  const kind = await kindOf(behind === undefined ? `${end}^{}` : end, ask);
  if (kind === "failed") return "none";
  if (kind === "commit") return kind;
  if (kind !== "tree" && kind !== "blob") return undefined;
  // A path is one of the working tree where it begins at a commit: a hash, or a tag, may be that of a folder.
  const isNamed =
    behind !== undefined && (behind.revision === "" || (await kindOf(`${behind.revision}^{}`, ask)) === "commit");
  const path = isNamed ? resolve(/^\.{1,2}(?:\/|$)/u.test(behind.path) ? folder : top, behind.path) : undefined;
  if (kind === "tree") return { folder: path };
  return path === undefined ? "nameless" : { file: path };
}

async function kindOf(name: string, ask: NamesRequest["ask"]): Promise<string | undefined> {
  const said = await ask(["cat-file", "-t", name]);
  return Buffer.isBuffer(said) ? said.toString("utf8").trim() : said;
}

/** As git parts a name (`get_oid_with_context`): behind the first colon that stands in no braces all is a path; of the index, behind its stage. */
function pathBehind(name: string): { revision: string; path: string } | undefined {
  const [, staged] = /^:(?:[0-3]:)?(.*)$/su.exec(name) ?? [];
  if (staged !== undefined) return { revision: "", path: staged };
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    if (name[at] === "{") depth += 1;
    else if (depth > 0 && name[at] === "}") depth -= 1;
    else if (depth === 0 && name[at] === ":") return { revision: name.slice(0, at), path: name.slice(at + 1) };
  }
  return undefined;
}

/** Options that choose by what is in files: of the commits and differences that they are looked for in, all names count. */
const byContents = /^(?:-[SG].*|--pickaxe.*)$/su;
const counted = /^(?:-\d+|-n\d*|--max-count(?:=.*)?|--skip(?:=.*)?|--diff-filter=.*)$/su;

/** Names in the differences that git would show. */
async function differing(
  reading: GitReading,
  operands: readonly string[],
  { folder, top, ask, isKept }: NamesRequest,
): Promise<string[] | undefined> {
  const { verb, options, paths } = reading;
  if (verb === "diff" && !isKept) return comparable({ options, operands, paths }, { folder, top, ask });
  const traced = verb === "log" ? options.flatMap(tracedFile) : [];
  // Which commits are shown then cannot be asked for with names alone: all that may be count.
  const isWide = traced.length > 0 || (verb === "log" && options.some(([option]) => option === "--graph"));
  const isSearch =
    isWide || options.some(([option = ""]) => byContents.test(option)) || (!isKept && looksByLines(reading));
  const scope = options.filter(
    ([option = ""]) =>
      !isDrawing(option) &&
      !(isSearch && (byContents.test(option) || counted.test(option))) &&
      (isKept || !byLines.test(option)) &&
      !(verb === "log" && /^(?:-L.*|--(?:no-)?graph)$/su.test(option)) &&
      !/^--relative/u.test(option),
  );
  // Of a merge all that differs from any of its parents.
  const merged = verb === "show" ? ["-m"] : isWide ? ["-m", "--full-history"] : [];
  const plain = verb === "diff" ? [] : ["--format="];
  const kept = scope.filter(([option = ""]) => !/^(?:-c|--cc)$/u.test(option)).flat();
  const behind = paths === undefined ? [] : ["--", ...paths];
  const said = await ask([
    ...[verb, ...kept, ...merged, ...plain, "--name-status", "-z", "--no-relative", "--no-color"],
    ...[...operands, ...behind],
  ]);
  const own = traced.flatMap((name) => [resolve(folder, name), resolve(top, name)]);
  const names = namesInStatus(said);
  return names === undefined ? undefined : [...own, ...names.map((name) => resolve(top, name))];
}

/** `-L 1,3:name`: the file whose lines are followed back, under each name that it had. */
const tracedFile = ([option = "", value]: readonly string[]): string[] => {
  const said = option === "-L" ? value : /^-L(.+)$/su.exec(option)?.[1];
  return said === undefined ? [] : [said.slice(said.lastIndexOf(":", said.length) + 1)];
};

const isDrawing = (option: string): boolean => diffFormat.test(option) || commitFormat.test(option) || option === "-U";

/** `STATUS name`, of a rename both names. @returns undefined for anything else */
function namesInStatus(said: GitSaid | undefined): string[] | undefined {
  if (!Buffer.isBuffer(said)) return undefined;
  const fields = fieldsOf(said);
  const names: string[] = [];
  for (let at = 0; at < fields.length; ) {
    const [, renamed, other] = /^\n*(?:([RC]\d*)|([ADMTUXB]\d*))$/u.exec(fields[at] ?? "") ?? [];
    const count = renamed !== undefined ? 2 : 1;
    const given = fields.slice(at + 1, at + 1 + count);
    if ((renamed ?? other) === undefined || given.length < count) return undefined;
    names.push(...given);
    at += 1 + count;
  }
  return names;
}

/** Lists the files that the stash shows: all that differ from the commit below it, and those that were not known to git. */
async function stashed(
  { operands: [, given = "stash"] }: GitReading,
  { top, ask }: NamesRequest,
): Promise<string[] | undefined> {
  const stash = /^\d+$/u.test(given) ? `stash@{${given}}` : given;
  // Of what is not there nothing is shown.
  if ((await ask(["rev-parse", "--verify", "--quiet", `${stash}^{commit}`])) === "none") return [];
  const changed = namesInStatus(
    await ask([
      "diff",
      "--no-renames",
      "--name-status",
      "-z",
      "--no-relative",
      "--no-color",
      `${stash}^1`,
      stash,
      "--",
    ]),
  );
  if (changed === undefined) return undefined;
  const others = await ask(["ls-tree", "-r", "-z", "--name-only", "--full-tree", `${stash}^3`]);
  if (others === undefined || others === "none") return undefined;
  // Without a third parent there was nothing unknown to git.
  return [...changed, ...(others === "failed" ? [] : fieldsOf(others))].map((name) => resolve(top, name));
}

/** Options of `git ls-files` that only say how a name is written, or leave some out. */
const listing = /^(?:--eol|-[stuvz]|--(?:stage|unmerged|full-name|error-unmatch|deduplicate|abbrev(?:=.*)?))$/su;

/** With these it looks into files; without them it lists those, too. */
const modified = /^(?:-[md]|--(?:modified|deleted))$/u;

/** Lists the files that git lists, for it may look at the content of each of them. */
async function listed(
  { options, operands, paths = [] }: GitReading,
  { top, ask, isKept }: NamesRequest,
): Promise<string[] | undefined> {
  const which = options.flat().filter((option) => !listing.test(option));
  const scope = isKept ? which : [...which.filter((option) => !modified.test(option)), "-c"];
  const said = await ask(["ls-files", "-z", "--full-name", ...scope, "--", ...operands, ...paths]);
  return Buffer.isBuffer(said) ? fieldsOf(said).map((name) => resolve(top, name)) : undefined;
}

/** Lists the files in which grep looks: it is asked for each file that has a line. */
async function grepped({ options, operands, paths }: GitReading, asked: NamesRequest): Promise<string[] | undefined> {
  const hasPattern = options.some(([option]) => option === "-e");
  const places = hasPattern ? operands : operands.slice(1);
  const found = await objectsOfGrep(places, paths === undefined, asked);
  if (found === undefined) return undefined;
  const scope = options
    .filter(([option = ""]) =>
      /^--(?:cached|untracked|(?:no-)?exclude-standard|max-depth|(?:no-)?recursive)(?:=|$)|^-r$/u.test(option),
    )
    .flat();
  const behind = paths === undefined ? [] : ["--", ...paths];
  const said = await asked.ask([
    "grep",
    "-l",
    "-z",
    "--full-name",
    "-a",
    "--no-color",
    ...scope,
    "-e",
    "",
    ...places,
    ...behind,
  ]);
  // Nothing has a line: nothing is shown.
  if (said === "none") return [];
  if (!Buffer.isBuffer(said)) return undefined;
  const names = fieldsOf(said).map((name) => filesOfGrep(name, found, asked.top));
  return names.some((some) => some.length === 0) ? undefined : names.flat();
}

/**
 * Lists the files that a name told by grep may be: behind an object stands its path in that, and one object may be named like the beginning of
 * another.
 */
const filesOfGrep = (name: string, objects: readonly GrepObject[], top: string): string[] =>
  objects.length === 0
    ? [resolve(top, name)]
    : objects.flatMap(({ word, from }) => {
        const rest = name.startsWith(word) ? name.slice(word.length) : undefined;
        if (rest === undefined || (rest !== "" && !/[:/]$/u.test(word) && !/^[:/]/u.test(rest))) return [];
        return [resolve(from, rest.replace(/^[:/]+/u, ""))];
      });

interface GrepObject {
  word: string;
  /** The path at which the names begin that grep tells behind it; of a file the file. */
  from: string;
}

/**
 * Finds those of the places that are objects, and none of the working tree.
 * @param orPath a word may be a path: git takes none of those for an object
 */
async function objectsOfGrep(
  places: readonly string[],
  orPath: boolean,
  asked: NamesRequest,
): Promise<GrepObject[] | undefined> {
  const words = places.filter((place) => !(orPath && existsSync(resolve(asked.folder, place))));
  if (words.length > mostOperands) return undefined;
  const objects: GrepObject[] = [];
  for (const [at, found] of (await Promise.all(words.map((word) => objectAt(word, asked)))).entries()) {
    if (found === "none") continue;
    const from = found === "commit" ? asked.top : startOf(found);
    if (from === undefined) return undefined;
    objects.push({ word: words[at] ?? "", from });
  }
  return objects;
}

const startOf = (found: Found | undefined): string | undefined => {
  if (typeof found !== "object") return undefined;
  return "file" in found ? found.file : found.folder;
};
