import { basename, dirname } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { leadingLook } from "../../files/leading-names.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { foldPath } from "../leads.ts";
import { guardedReason, protectedNames, sealedReason } from "../protected.ts";
import { noMoreThan, type Rights } from "../rights.ts";
import type { Leads, Policy } from "../types.ts";
import { withRulePlaces } from "./rule-places.ts";

const mayBe = protectedNames({ roots: [] });

/**
 * Finds what leads to places in the workspace and in added folders, anew each time it is asked: links are made while a session runs. Of
 * the folders between the workspace and the root of its repository it looks at what lies in them.
 * @param workspace real path
 */
export function leadLook(workspace: string, addDirs: readonly string[] = []): () => Leads {
  const project = repositoryRoot(workspace) ?? workspace;
  const roots = [workspace, ...addDirs];
  const rootOf = (path: string): string => [project, ...addDirs].find((root) => isInside(root, path)) ?? project;
  const isProtected = (path: string): boolean => {
    const root = rootOf(path);
    return sealedReason(path, root, { roots: [] }) !== undefined || guardedReason(path, root, "write") !== undefined;
  };
  const folders = new Map<string, boolean>();
  const isWanted = (path: string): boolean => {
    const folder = dirname(path);
    const known = folders.get(folder) ?? isProtected(folder);
    folders.set(folder, known);
    return known || (mayBe(basename(path)) && isProtected(path));
  };
  const look = leadingLook({ roots, above: foldersBetween(project, workspace), isWanted });
  return () => {
    const { links, files } = look();
    return {
      links: links.map(({ path, to }) => ({
        path,
        to: foldPath(to),
        ...(roots.some((root) => isInside(to, root)) ? { holdsRoot: true as const } : {}),
      })),
      files,
    };
  };
}

/** The same policies, those that say nothing of it with what leads where. @param rights those that they give no more than */
export function withLeads<At>(
  load: (at: At) => Promise<Policy>,
  { workspace, addDirs = [], rights }: { workspace: string; addDirs?: readonly string[]; rights?: Rights | undefined },
) {
  const leads = leadLook(workspace, addDirs);
  return async (at: At): Promise<Policy> => {
    const loaded = await load(at);
    const policy = loaded.leads === undefined ? { ...loaded, leads: leads() } : loaded;
    if (rights === undefined && policy.leads?.rules !== undefined) return policy;
    return withRulePlaces(rights === undefined ? policy : noMoreThan(policy, rights), [workspace, ...addDirs]);
  };
}

/** From the one above down to the other, which is left out. */
function foldersBetween(top: string, below: string): string[] {
  const folders: string[] = [];
  for (let at = below; at !== top && at !== dirname(at); ) {
    at = dirname(at);
    folders.unshift(at);
  }
  return folders;
}
