import { resolve } from "node:path";
import { fieldsOf, type GitSaid, mostNames, mostOperands } from "./git-said.ts";
import type { GitReading } from "./git-words.ts";

interface Asking {
  /** The folder that git is asked in. */
  folder: string;
  /** The top of the working tree. */
  top: string;
  ask(words: readonly string[]): Promise<GitSaid | undefined>;
}

/**
 * Lists all that `git diff` may find a difference in, by no look into a file: what the index has, and each of the commits that it compares
 * (`git-diff`, DESCRIPTION). What an object is by itself its name says, so it is not among them. Behind `--` paths leave out all that does not lie
 * there, before git looks for what was renamed.
 * @returns absolute names; undefined where they are not known
 */
export async function comparable(
  reading: Pick<GitReading, "options" | "operands"> & { paths: GitReading["paths"] | undefined },
  { folder, top, ask }: Asking,
): Promise<string[] | undefined> {
  const compared = await comparedIn(reading, ask);
  if (compared === undefined || compared.objects.length > mostOperands) return undefined;
  const told = await Promise.all([
    compared.index ? namesIn(["ls-files", "-z", "--full-name", "--", ":/"], ask) : [],
    ...compared.objects.map((one) => namesOfObject(one, ask)),
  ]);
  const names = told.flatMap((some = []) => some);
  if (told.includes(undefined) || names.length > mostNames) return undefined;
  return names.filter(within(reading.paths ?? [], folder, top)).map((name) => resolve(top, name));
}

/**
 * A path that is one letter for letter: in others git finds patterns, or words of its own (`gitglossary`, pathspec). Of letters beyond ASCII it may take
 * other ones for the same (`core.precomposeUnicode`).
 */
const plainPath = /^(?!:)[^*?[\\]+$/u;
const plainLetters = /^[ -~]*$/u;

/**
 * Tells of a name from the top whether it is one of these paths, or lies below one, in whatever case: git may be told to ignore that
 * (`GIT_ICASE_PATHSPECS`). Any is where there are none, or one is not plain, or does not lie below the top by its letters: git looks along links, and
 * by `core.ignoreCase`, whether it does (`abspath_part_inside_repo`).
 */
function within(paths: readonly string[], folder: string, top: string): (name: string) => boolean {
  const places = new Set<string>();
  for (const path of paths) {
    const place = resolve(folder, path);
    const below = place.slice(top.length + 1);
    if (!plainPath.test(path) || !place.startsWith(`${top}/`) || !plainLetters.test(below)) return () => true;
    places.add(below.toLowerCase());
  }
  return (name) => places.size === 0 || holds(places, name.toLowerCase());
}

/** Tells whether the name, or a folder that it lies in, is among the places. */
function holds(places: ReadonlySet<string>, name: string): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1))
    if (places.has(name.slice(0, end))) return true;
  return false;
}

interface Compared {
  /** Of one object and none it is the index, or the files that it has. */
  index: boolean;
  /** By their hashes. */
  objects: string[];
}

/** Finds what the words mean, and what git takes where they name none. */
async function comparedIn(
  { options, operands }: Pick<GitReading, "options" | "operands">,
  ask: Asking["ask"],
): Promise<Compared | undefined> {
  const has = (some: RegExp): boolean => options.some(([option = ""]) => some.test(option));
  const named = operands.length === 0 ? [] : await hashesIn(["rev-parse", "--revs-only", ...operands], ask);
  if (named === undefined) return undefined;
  const index = named.length < 2;
  const isFromBase = has(/^--merge-base$/u);
  const isFromHead = isFromBase ? index : named.length === 0 && has(/^--(?:cached|staged)$/u);
  // Of a branch without a commit there is none, and all of the index differs.
  const head = isFromHead ? await hashesIn(["rev-parse", "--verify", "--quiet", "HEAD"], ask) : [];
  if (head === undefined) return undefined;
  const ends = [...new Set([...named, ...head])];
  if (!isFromBase || ends.length === 0) return { index, objects: ends };
  const bases = ends.length > 2 ? undefined : await hashesIn(["merge-base", "--all", ...ends], ask);
  return bases && { index, objects: [...ends, ...bases] };
}

async function hashesIn(words: readonly string[], ask: Asking["ask"]): Promise<string[] | undefined> {
  const said = await ask(words);
  if (said === "none") return [];
  if (!Buffer.isBuffer(said)) return undefined;
  return said
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((hash) => hash.replace(/^\^/u, ""));
}

async function namesOfObject(hash: string, ask: Asking["ask"]): Promise<string[] | undefined> {
  const kind = await ask(["cat-file", "-t", `${hash}^{}`]);
  switch (String(kind).trim()) {
    case "commit":
      return namesIn(["ls-tree", "-r", "-z", "--name-only", "--full-tree", hash], ask);
    case "blob":
      return [];
    default:
      return undefined;
  }
}

async function namesIn(words: readonly string[], ask: Asking["ask"]): Promise<string[] | undefined> {
  const said = await ask(words);
  return Buffer.isBuffer(said) ? fieldsOf(said) : undefined;
}
