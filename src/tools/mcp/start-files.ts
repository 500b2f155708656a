import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { basename, delimiter, extname, resolve } from "node:path";
import type { Sha } from "../../core/json.ts";
import { isInside } from "../../files/boundary.ts";
import { findProgram } from "../../process/find-program.ts";
import type { StartedEntry } from "./entry.ts";
import { FileHashes, type FileStart } from "./file-hashes.ts";

const scriptEndings = new Set(
  ".js .mjs .cjs .ts .mts .cts .jsx .tsx .py .pyz .sh .bash .rb .pl .php .lua .jar .wasm .so .dylib .node".split(" "),
);

/** Programs that run the file that a word names, whatever it is called. */
const interpreters = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|java|sh|bash|dash|zsh|ksh)$/u;

/** The endings that node adds to a name that is no file. */
const addedEndings = ["", ".js", ".cjs", ".mjs"];

/** Words of one entry that are looked at; past it the server is off. */
const mostWords = 1_000;

/** The place where a server starts, and the parts of it that are bound. */
export interface StartPlace {
  /** Absolute: where it runs. */
  cwd: string;
  /** The workspace and the folders added to it, real. */
  roots: readonly string[];
  /** The PATH that it gets where its entry names none. */
  path: string | undefined;
  /** Scripts that its words name are bound wherever they lie; else those of the roots alone. */
  everywhere?: boolean;
  /** Its program is bound where it is one of these, too. */
  bound?: Readonly<Record<string, Sha>> | undefined;
  /** The file that was found to be its program; else it is looked for. */
  program?: string | undefined;
}

/** The PATH in which a server's program is looked for, as its start does. */
export const pathOf = ({ env }: StartedEntry, path: string | undefined): string | undefined => env["PATH"] ?? path;

/**
 * Programs and scripts that the words and the variables of an entry name: absolute real path -> sha256 of what is in it. Of these the model
 * can write, and what starts is to be what was trusted.
 * @throws where one of them cannot be read, or they are too many
 */
export async function startFiles(
  entry: StartedEntry,
  { cwd, roots, path, everywhere = false, bound = {}, program: given }: StartPlace,
  hashes: FileHashes = new FileHashes(),
): Promise<Record<string, Sha>> {
  const program = given ?? (await findProgram(entry.command, cwd, pathOf(entry, path)));
  const isIn = (real: string): boolean => roots.some((root) => isInside(root, real));
  const found: Record<string, Sha> = {};
  const add = async (real: string, isWanted: (start: FileStart) => boolean): Promise<void> => {
    const sha = await hashes.of(real, isWanted);
    if (sha !== undefined) found[real] = sha;
  };
  const run = program === undefined ? undefined : await realFile(program);
  if (run !== undefined && (isIn(run) || [run, program ?? ""].some((at) => Object.hasOwn(bound, at))))
    await add(run, () => true);
  for (const { real, isRun } of await namedIn(entry, cwd))
    if (found[real] === undefined && (isIn(real) || (everywhere && (await mayWrite(real)))))
      await add(real, (start) => isRun || isProgram(real, start));
  return found;
}

/** A file that an entry names; `isRun`: whatever it is called, for its program runs it. */
interface NamedFile {
  real: string;
  isRun: boolean;
}

/** In their order. */
async function namedIn({ command, args, env }: StartedEntry, cwd: string): Promise<NamedFile[]> {
  const found: NamedFile[] = [];
  const isForNode = interpreters.test(basename(command));
  // Up to the first that is not an option's, all that an interpreter is given is run.
  let isRun = isForNode;
  for (const [index, arg] of args.entries()) {
    const files = await filesOf([arg], cwd, isForNode);
    found.push(...files.map((real) => ({ real, isRun })));
    if (files.length > 0 && args[index - 1]?.startsWith("-") !== true) isRun = false;
  }
  const set = await filesOf(Object.values(env), cwd, isForNode);
  return [...found, ...set.map((real) => ({ real, isRun: false }))];
}

async function filesOf(texts: readonly string[], cwd: string, isForNode: boolean): Promise<string[]> {
  const found = [];
  for (const word of wordsOf(texts)) found.push(await fileOf(word, cwd, isForNode));
  return found.flatMap((real) => real ?? []);
}

/** Finds the words that may name a file: each text, and each part of it between blanks, signs and quotes. */
function wordsOf(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap((text) => [text, ...text.split(/[\s=:;,&|<>()"'`]+/u)]));
  words.delete("");
  if (words.size > mostWords) throw new Error(`its words are more than ${mostWords}`);
  return [...words];
}

async function fileOf(word: string, cwd: string, isForNode: boolean): Promise<string | undefined> {
  for (const ending of isForNode ? addedEndings : [""]) {
    const real = await realFile(resolve(cwd, word + ending));
    if (real !== undefined) return real;
  }
  return undefined;
}

async function realFile(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (await stat(real)).isFile() ? real : undefined;
}

const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

const isProgram = (real: string, { mode, head }: FileStart): boolean =>
  (mode & 0o111) !== 0 || scriptEndings.has(extname(real).toLowerCase()) || head === "#!";

/** Folders of the roots in which variables of an entry have code looked for (PATH, PYTHONPATH, NODE_PATH): what lies there is not bound. */
export async function codeFolders(
  { env }: StartedEntry,
  { cwd, roots }: Pick<StartPlace, "cwd" | "roots">,
): Promise<{ name: string; folder: string }[]> {
  const named = Object.entries(env)
    .filter(([name]) => /(?:PATH|LIB)$/u.test(name))
    .flatMap(([name, value]) => value.split(delimiter).map((folder) => ({ name, folder: resolve(cwd, folder) })));
  const found = await Promise.all(
    named
      .slice(0, mostWords)
      .map(async ({ name, folder }) => ({ name, folder, real: await realpath(folder).catch(() => folder) })),
  );
  return found
    .filter(({ real }) => roots.some((root) => isInside(root, real)))
    .map(({ name, folder }) => ({ name, folder }));
}
