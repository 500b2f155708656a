import { relative } from "node:path";
import { fuzzyRank } from "../terminal/fuzzy.ts";

/** Names that are offered at once. */
const mostOffered = 50;
/** Files that are looked at; in a larger workspace those that are met later are not offered. */
const mostFiles = 20_000;
/** The time for which a listing serves the letters of one word, in milliseconds. */
const keptMs = 5_000;

interface Place {
  /** Relative to the workspace; a folder ends in `/`. */
  path: string;
  /** Milliseconds since the epoch; of a folder the newest of what lies in it. */
  at: number;
}

/**
 * Finds the files of a workspace that are meant by a few letters: best match first, of equal ones the newest. What .gitignore names,
 * `.git` and node_modules are not offered; what begins with a dot only where the letters have one.
 */
export function createFileFinder(workspace: string, now = Date.now): (word: string) => Promise<string[]> {
  let listed: { at: number; places: Promise<Place[]> } | undefined;
  return async (word) => {
    if (listed === undefined || now() - listed.at > keptMs) listed = { at: now(), places: listPlaces(workspace) };
    const wanted = (await listed.places).filter(({ path }) => word.includes(".") || !/(^|\/)\./.test(path));
    const ranked = wanted.flatMap((place) => {
      const rank = fuzzyRank(place.path, word);
      return rank === undefined ? [] : [{ ...place, rank }];
    });
    ranked.sort(
      (a, b) => a.rank - b.rank || b.at - a.at || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
    );
    return ranked.slice(0, mostOffered).map(({ path }) => path);
  };
}

async function listPlaces(workspace: string): Promise<Place[]> {
  const [{ walkFolders }, { createIgnoreRules }] = await Promise.all([
    import("../../tools/search/walk-folders.ts"),
    import("../../tools/search/ignore-rules.ts"),
  ]);
  const files: Place[] = [];
  await walkFolders({
    root: workspace,
    top: workspace,
    rules: createIgnoreRules(workspace, []),
    signal: AbortSignal.timeout(10 * keptMs),
    mayRead: () => true,
    isFull: () => files.length >= mostFiles,
    state: true,
    enter: () => true,
    visit: (_, entry, path, look) => {
      if (entry.isFile()) files.push({ path: relative(workspace, path), at: look()?.mtimeMs ?? 0 });
    },
  });
  return [...foldersOf(files), ...files];
}

function foldersOf(files: readonly Place[]): Place[] {
  const newest = new Map<string, number>();
  for (const { path, at } of files) {
    for (let end = path.indexOf("/"); end > 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end + 1);
      newest.set(folder, Math.max(newest.get(folder) ?? 0, at));
    }
  }
  return [...newest].map(([path, at]) => ({ path, at }));
}
