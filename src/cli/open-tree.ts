import { join } from "node:path";
import { realOrAsIs } from "./settings/own-places.ts";
import type { Places } from "./settings/places.ts";

/** Opens the keeper of the tree. Files that git ignores are not kept; those that a search leaves out are. */
export async function openTree(
  { database, configDir, dataDir }: Places,
  { id, workspace }: { id: string; workspace: string },
  addDirs: readonly string[],
) {
  const [{ createTreeKeeper }, { packFolder }] = await Promise.all([
    import("../tools/shell/tree/tree-keeper.ts"),
    import("../files/bytes/pack-file.ts"),
  ]);
  const packs = packFolder(database);
  if (packs === undefined) return {};
  // By their names too: a link on the way may be exchanged.
  const own = [...new Set([configDir, dataDir].flatMap((path) => [path, realOrAsIs(path)]))];
  return { tree: createTreeKeeper({ roots: [workspace, ...addDirs], base: join(packs, id), own }) };
}
