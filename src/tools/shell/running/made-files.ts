import { constants, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PlannedCommand } from "../../../core/command.ts";
import { type Sha, sha256 } from "../../../core/json.ts";
import type { MadeFile } from "../../../core/made-file.ts";
import { rootsOf, type ToolContext } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { openRegular, readBounded } from "../../../files/bytes/read-regular.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { closeHandle } from "../../../files/locked-files.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { type MadeBefore, madeRunsOf } from "../reading/made-line.ts";

/** The number of such files that a line is given, and the number of their bytes in all. */
const most = { files: 40, bytes: 4_000_000 };

/** The reason why a line that would be given more of them does not run apart, in words that can follow "because". */
export const tooManyMade = shellReaders.too_much_made({
  files: most.files,
  megabytes: most.bytes / 1_000_000,
});

/** The hash of each of them as it was, by its real path. */
type Hashes = ReadonlyMap<string, Sha>;

const anyFile: MadeBefore = { has: () => true };

/** One of them with its bytes, as a sandbox is given it. */
export interface MadeBytes {
  file: MadeFile;
  bytes: Buffer;
}

/**
 * Finds the files that are given to a line that only runs files which this session made whole: all of these that are as they were then. None of them
 * is a link, has another name beside its own or rights of its owner, or is closed.
 * @returns `too many` where these are more than a line is given; undefined for each other line, and where the text of what runs names another file
 * that is there: it would not be there.
 */
export async function madeFor(
  commands: readonly PlannedCommand[],
  ctx: ToolContext,
): Promise<MadeFile[] | "too many" | undefined> {
  // The journal is not read for a line that, whatever the session wrote, is none of these.
  if (ctx.closed === undefined || madeRunsOf(commands, ctx, anyFile) === undefined) return undefined;
  const before: Hashes = ctx.made?.() ?? new Map();
  const runs = before.size === 0 ? undefined : madeRunsOf(commands, ctx, before);
  if (runs === undefined) return undefined;
  const found = await Promise.all([...before.keys()].map((path) => unchanged(path, before, ctx)));
  const files = found.filter((one) => one !== undefined);
  const shown = new Map(files.map((one) => [one.file.path, one]));
  if (!runs.every((path) => shown.has(path))) return undefined;
  if (namesOthers(runs, shown, ctx)) return undefined;
  const bytes = files.reduce((sum, one) => sum + one.bytes.length, 0);
  return files.length > most.files || bytes > most.bytes ? "too many" : files.map(({ file }) => file);
}

/** The bytes that were planned, read once more; undefined where they are others. */
export async function madeBytes(files: readonly MadeFile[], ctx: ToolContext): Promise<MadeBytes[] | undefined> {
  const before = new Map(files.map(({ path, sha }) => [path, sha]));
  const found = await Promise.all(files.map(({ path }) => unchanged(path, before, ctx)));
  const known = found.filter((one) => one !== undefined);
  return known.length < files.length ? undefined : known;
}

async function unchanged(path: string, before: Hashes, ctx: ToolContext): Promise<MadeBytes | undefined> {
  if (!isOfRoots(path, ctx) || kernelPath("/", path) !== path || ctx.closed?.isClosed(path) !== false) return undefined;
  try {
    const { handle, stats } = await openRegular(path, path);
    try {
      if (stats.nlink !== 1 || (stats.mode & setId) !== 0 || stats.size > most.bytes) return undefined;
      const bytes = await readBounded(handle, stats.size, most.bytes, path);
      const sha = sha256(bytes);
      const runs = (stats.mode & constants.S_IXUSR) === 0 ? {} : { runs: true as const };
      return sha === before.get(path) ? { file: { path, sha, ...runs }, bytes } : undefined;
    } finally {
      await closeHandle(handle);
    }
  } catch {
    return undefined; // gone, or not to be read
  }
}

/** Set-user-id and set-group-id. */
const setId = 0o6000;

const isOfRoots = (path: string, ctx: ToolContext): boolean => rootsOf(ctx).some((root) => isInside(root, path));

/** So much of a text is looked at, and so many of its words. */
const looked = { characters: 200_000, words: 1_000 };

/**
 * Tells whether the text of a file that runs, or of a made file that such a text names, has a word that names another file of the workspace, as it is
 * or as a module. It does not keep anything from the text, for nothing else is there where it runs: a person is asked at once, instead of after it
 * failed.
 */
function namesOthers(runs: readonly string[], shown: ReadonlyMap<string, MadeBytes>, ctx: ToolContext): boolean {
  const read = new Set(runs);
  for (const path of read) {
    const text = shown.get(path)?.bytes.toString("utf8") ?? "";
    for (const named of namedBy(text, new Set([dirname(path), ctx.cwd, ...rootsOf(ctx)]))) {
      if (shown.has(named)) read.add(named);
      else if (isOfRoots(named, ctx)) return true;
    }
  }
  return false;
}

/** Yields the paths that a text names, from one of these folders, and that are there. */
function* namedBy(text: string, folders: ReadonlySet<string>): Generator<string> {
  const head = text.slice(0, looked.characters);
  const words = firstOf(head.split(/[^\w@.+/-]+/u).filter((word) => /[./]/u.test(word) && /\w/u.test(word)));
  const modules = firstOf([...head.matchAll(imported)].map(([, quoted, bare = ""]) => quoted ?? bare));
  for (const at of folders) {
    yield* words.map((word) => resolve(at, word)).filter((path) => isThere(path, "file"));
    yield* modules
      .flatMap(placesOf)
      .map((name) => resolve(at, name))
      .filter((path) => isThere(path, "any"));
  }
}

const imported = /\b(?:from|import|require)[\s(]{0,9}(?:["']([^"'\n]+)["']|([\w.]+))/gu;
const firstOf = (words: readonly string[]): string[] => [...new Set(words)].slice(0, looked.words);

/** Lists the places where a module of that name may lie, of node or of python. */
const placesOf = (name: string): string[] => [
  join("node_modules", name),
  ...["", ".js", ".mjs", ".cjs", ".ts"].map((end) => `${name}${end}`),
  ...["", ".py"].map((end) => `${name.replaceAll(/\b\.\b/gu, "/")}${end}`),
];

function isThere(path: string, kind: "file" | "any"): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && (kind === "any" || !found.isDirectory());
  } catch {
    return false; // no name of a file
  }
}
