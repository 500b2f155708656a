import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { type IgnorePatterns, maxPatternText, readIgnorePatterns } from "./ignore-patterns.ts";
import { type Name, nameOf } from "./name-pattern.ts";

/** Never listed nor searched: the repository's own data, and what a package manager brought. */
export const leftOutNames: readonly string[] = [".git", "node_modules"];

export const patternFileName = ".gitignore";

interface PatternFile {
  /** The folder that its patterns are relative to. */
  base: string;
  patterns: IgnorePatterns;
  /** Characters of it. */
  size: number;
  /** Folders that were asked about: whether they, or a folder above them, are ignored by this file, and their names below its own. */
  folders: Map<string, { isClosed: boolean; names: readonly Name[] }>;
}

/**
 * The rules by which git would ignore names below a workspace: nested .gitignore files from the workspace root down, and the root's
 * .git/info/exclude. Files above the workspace do not count. Rules that ignore a folder which was asked for by name do not hide what is
 * in it. One instance serves one call: files are read once, when their folder is first met.
 */
export interface IgnoreRules {
  /** Pattern files that hold for the entries of `folder` (absolute, inside the workspace). `hasOwn`: whether one lies in it, where that is known. */
  load(folder: string, hasOwn?: boolean): Promise<void>;
  /** For an entry of a folder that has been loaded; not whether the folder itself is ignored. */
  ignoresEntry(folder: string, name: string, isFolder: boolean): boolean;
  /** Tells whether such an entry would be there, were it not for the patterns beside those of .gitignore files. */
  hidesEntry(folder: string, name: string, isFolder: boolean): boolean;
  /** Tells whether a path below `top` is ignored, by itself or with one of its folders; loads what it needs. */
  ignoresBelow(top: string, path: string, isFolder: boolean): Promise<boolean>;
}

/** Patterns beside those of .gitignore files, relative to the workspace: a list, or how to find it. */
export type MorePatterns = readonly string[] | ((workspace: string) => Promise<readonly string[]>);

/** The list for this workspace. */
export const patternsFor = async (workspace: string, more: MorePatterns): Promise<readonly string[]> =>
  typeof more === "function" ? more(workspace) : more;

/** @param more patterns that are heeded whatever .gitignore files say; they too hide nothing in a folder that was asked for by name. */
export function createIgnoreRules(workspace: string, more: readonly string[] = []): IgnoreRules {
  const always: PatternFile[] = more.length === 0 ? [] : [patternFile(workspace, more)];
  const chains = new Map<string, Promise<PatternFile[]>>();
  const loaded = new Map<string, PatternFile[]>();

  const load = async (folder: string, hasOwn = true): Promise<PatternFile[]> => {
    let chain = chains.get(folder);
    if (chain === undefined) {
      chain = chainOf(folder, hasOwn);
      chains.set(folder, chain);
    }
    const found = await chain;
    loaded.set(folder, found);
    return found;
  };

  const chainOf = async (folder: string, hasOwn: boolean): Promise<PatternFile[]> => {
    if (folder === workspace || !isInside(workspace, folder)) {
      const excluded = await readPatterns(workspace, join(workspace, ".git", "info", "exclude"));
      return [...excluded, ...(await readPatterns(workspace, join(workspace, patternFileName)))];
    }
    const above = loaded.get(dirname(folder)) ?? (await load(dirname(folder)));
    const file = join(folder, patternFileName);
    // Most folders have none, and there may be thousands.
    if (!hasOwn || !existsSync(file)) return above;
    const own = await readPatterns(folder, file);
    const size = [...above, ...own].reduce((sum, file) => sum + file.size, 0);
    return own.length === 0 || size > maxPatternText ? above : [...above, ...own];
  };

  const ignoresEntry = (folder: string, name: string, isFolder: boolean): boolean => {
    if (leftOutNames.includes(name)) return true;
    const chain = loaded.get(folder) ?? [];
    if (always.length + chain.length === 0) return false;
    const entry = { folder, name: nameOf(name), isFolder };
    return decides(always, entry) || decides(chain, entry);
  };

  const hidesEntry = (folder: string, name: string, isFolder: boolean): boolean => {
    if (always.length === 0 || leftOutNames.includes(name)) return false;
    const entry = { folder, name: nameOf(name), isFolder };
    return decides(always, entry) && !decides(loaded.get(folder) ?? [], entry);
  };

  return {
    load: async (folder, hasOwn) => void (await load(folder, hasOwn)),
    ignoresEntry,
    hidesEntry,
    ignoresBelow: belowBy({ load, ignoresEntry, isLoaded: (folder) => loaded.has(folder) }),
  };
}

interface Loading {
  load(folder: string): Promise<unknown>;
  isLoaded(folder: string): boolean;
  ignoresEntry: IgnoreRules["ignoresEntry"];
}

/** Makes `ignoresBelow`, which keeps the outcome of each folder: hundreds of paths may lie in one. */
function belowBy({ load, isLoaded, ignoresEntry }: Loading): IgnoreRules["ignoresBelow"] {
  /** By their paths behind that of `top`. */
  const folders = new Map<string, boolean>();
  const ignoresBelow = async (top: string, path: string, isFolder: boolean): Promise<boolean> => {
    const folder = dirname(path);
    const isBelow = folder !== top && folder !== path;
    if (isBelow && (folders.get(`${top}\0${folder}`) ?? (await ignoresBelow(top, folder, true)))) return true;
    if (!isLoaded(folder)) await load(folder);
    const found = ignoresEntry(folder, basename(path), isFolder);
    if (isFolder) folders.set(`${top}\0${path}`, found);
    return found;
  };
  return ignoresBelow;
}

interface Entry {
  folder: string;
  name: Name;
  isFolder: boolean;
}

/** The deepest pattern file that speaks decides, as in git. */
function decides(chain: readonly PatternFile[], { folder, name, isFolder }: Entry): boolean {
  for (let i = chain.length - 1; i >= 0; i--) {
    const file = chain[i];
    if (file === undefined) continue;
    // Where a folder on the way is ignored, that folder was asked for by name, or taken back by a deeper file.
    const { isClosed, names } = folderIn(file, folder);
    const said = isClosed ? undefined : file.patterns.sayOf([...names, name], isFolder);
    if (said !== undefined) return said === "ignored";
  }
  return false;
}

/** @param folder that of the file, or one below it */
function folderIn(file: PatternFile, folder: string): { isClosed: boolean; names: readonly Name[] } {
  const known = file.folders.get(folder);
  if (known !== undefined) return known;
  const parent = dirname(folder);
  if (parent === folder) return { isClosed: false, names: [] };
  const above = folderIn(file, parent);
  const names = [...above.names, nameOf(basename(folder))];
  const found = { isClosed: above.isClosed || file.patterns.sayOf(names, true) === "ignored", names };
  file.folders.set(folder, found);
  return found;
}

const patternFile = (base: string, lines: readonly string[]): PatternFile => ({
  base,
  patterns: readIgnorePatterns(lines),
  size: lines.reduce((sum, line) => sum + line.length + 1, 0),
  folders: new Map([[base, { isClosed: false, names: [] }]]),
});

/** One pattern file, or none: git does not follow links to them, and a device must not block. */
async function readPatterns(base: string, path: string): Promise<PatternFile[]> {
  const opened = await openRegular(path, path).catch(() => undefined);
  if (opened === undefined) return [];
  const { handle, stats } = opened;
  try {
    const bytes = await readBounded(handle, stats.size, maxPatternText, path);
    return bytes.length === 0
      ? []
      : [
          patternFile(
            base,
            bytes
              .toString("utf8")
              .replace(/^\uFEFF/, "")
              .split("\n"),
          ),
        ];
  } catch {
    // It cannot be read, or is so large that nobody wrote it: no patterns.
    return [];
  } finally {
    await handle.close();
  }
}
