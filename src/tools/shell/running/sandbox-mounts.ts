import { dirname, join } from "node:path";
import { innermost, isInside } from "../../../files/boundary.ts";
import { textAt } from "../../../files/git/bounded-text.ts";
import { obeyed } from "../../../files/git/places.ts";
import { dataBehind } from "../../../files/git/repository.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { trustedReal } from "../reading/led-way.ts";
import type { ProgramView } from "./around-programs.ts";
import { lookAt, realOf } from "./closed-below.ts";
import { emptiedDisk } from "./reading-box.ts";
import type { Mount } from "./sandbox.ts";
import { type HomePlaces, type HomeView, homeView } from "./sandbox-home.ts";
import { socketPaths } from "./sandbox-sockets.ts";
import { foldersOf } from "./scratch.ts";

/** The places of a command's sandbox; all absolute, links followed where they are there. */
export interface SandboxPlaces extends HomePlaces {
  cwd: string;
  /** A folder of ours for caches and temporaries; without it both are gone after the command. */
  scratch?: string;
  /** Our own places: what is in them is not seen. */
  hidden: readonly string[];
  /** The line is git's own commands: they write in its folder, but not what would run later. */
  isGit: boolean;
  /** The mounts over places of the roots that this command is not to come upon. */
  masks?: readonly Mount[];
  /** Of a line that only reads: nothing stays of what it writes, and of the disk nothing else is there (`reading-box.ts`). */
  programs?: ProgramView;
}

/** The mounts that lie over the disk, in their order, and the view of the homes in it. */
export interface SandboxView {
  mounts: Mount[];
  home: HomeView;
}

/**
 * Lists the mounts that lie over the read-only disk, in their order: /tmp of its own, homes with what is shown of them, the workspace and all else
 * that may be written, then nothing where our own places are, then git's folders and ours in the workspace, and no socket of the machine. Looks at
 * the disk; changes nothing.
 */
export function sandboxMounts(places: SandboxPlaces): SandboxView {
  const { roots, scratch, write, programs } = places;
  const isReading = programs !== undefined;
  const kind = isReading ? "read-only" : "writable";
  const home = homeView(places);
  // What lies deeper comes later: an added folder may hold the workspace, or our own places.
  const over = [...hiddenPlaces(places), ...roots.map((at): Mount => ({ at, kind }))];
  const written = write.flatMap((path) => {
    const others = write.filter((one) => one !== path).flatMap((one) => realOf(one) ?? []);
    return trustedReal(path, [...roots, ...others]) ?? [];
  });
  // Not the folder around them: what lies in it is mounted by its name the next time.
  const own = scratch === undefined ? undefined : foldersOf(scratch, { sandbox: true });
  const mounts: Mount[] = [
    own === undefined ? { at: "/tmp", kind: "nothing" } : { at: "/tmp", kind: "writable", from: own.tmp },
    ...(programs === undefined ? [] : emptiedDisk(places, home.emptied, programs)),
    ...home.mounts,
    ...over.sort((a, b) => a.at.length - b.at.length),
    ...(isReading ? [] : (places.masks ?? [])),
    ...home.held,
    ...written.map((at): Mount => ({ at, kind })),
    ...(own === undefined ? [] : [own.tmp, own.cache].map((at): Mount => ({ at, kind }))),
    ...roots
      .map((root) => join(root, ".holdfast"))
      .filter(isFolder)
      .map((at): Mount => ({ at, kind: "read-only" })),
    ...gitMounts(places),
    ...socketMounts({ ...places, isReading }, home, written),
    // Over git's folders and ours, too.
    ...(isReading ? (places.masks ?? []) : []),
    ...home.ends,
    ...(isReading && own !== undefined ? [{ at: "/tmp", kind: "ended" } as const] : []),
  ];
  return { mounts, home };
}

/** In /tmp only what lies in the workspace is seen at all. */
function hiddenPlaces({ roots, hidden, programs }: SandboxPlaces): Mount[] {
  const isReading = programs !== undefined;
  const inRoot = (path: string): boolean => roots.some((root) => root !== path && isInside(root, path));
  // One in a root that is not there yet would be made by the command, unless it only reads.
  const paths = hidden.flatMap(
    (path) => realOf(path) ?? [kernelPath("/", path)].filter((one) => !isReading && inRoot(one)),
  );
  const places = [...new Set(paths)]
    .filter((path) => !isInside("/tmp", path) || inRoot(path))
    .filter((path) => !roots.includes(path));
  return [
    ...(isReading ? [] : [...new Set(places.flatMap((path) => foldersAbove(path, roots)))]).map(
      (at): Mount => ({ at, kind: "writable" }),
    ),
    ...places.map((at): Mount => (isFile(at) ? { at, kind: "nothing", isFile: true } : { at, kind: "nothing" })),
  ];
}

/** Folders of a root that lead to a place in it: each a mount of its own, so that none is moved aside and made anew. */
export function foldersAbove(path: string, roots: readonly string[]): string[] {
  const root = innermost(roots, path);
  return root === undefined ? [] : foldersBetween(root, dirname(path)).filter((at) => at !== root && isFolder(at));
}

/** Trees that are others in the sandbox, where no socket of the machine lies. */
const ownTrees = ["/tmp", "/run", "/dev", "/proc", "/sys"];
/** The sockets that say who a user is, where a directory service knows it: programs do not start without. */
const neededSockets = ["/var/lib/sss/pipes/nss"];

/** Sockets of the machine that would be seen; those of a project, and what the person lets be written, are left. */
export function socketMounts(
  { roots, scratch, isReading }: Pick<SandboxPlaces, "roots" | "scratch"> & { isReading: boolean },
  { emptied, shown, homely }: HomeView,
  written: readonly string[],
): Mount[] {
  const isIn = (folders: readonly string[], path: string): boolean => folders.some((folder) => isInside(folder, path));
  const left = [
    ...(isReading ? [] : [...roots.filter((root) => !homely.includes(root)), ...written]),
    ...(scratch === undefined ? [] : [scratch]),
  ];
  const isSeen = (path: string): boolean =>
    !isIn(left, path) && !isIn(ownTrees, path) && (!isIn(emptied, path) || isIn(shown, path));
  return socketPaths()
    .filter((path) => !neededSockets.includes(path) && isSeen(path))
    .map((at): Mount => ({ at, kind: "nothing", isFile: true }));
}

/**
 * Git's folders of the roots, and those on the way to where the command runs: read-only, or for git's own commands writable but
 * for what git runs or obeys. Each is a mount of its own, so that it cannot be moved aside and made anew.
 */
function gitMounts({ roots, cwd, isGit }: SandboxPlaces): Mount[] {
  const between = new Set(roots.flatMap((root) => foldersBetween(root, cwd)));
  const folders = new Set<string>();
  const files: Mount[] = [];
  for (const path of [...between].map((folder) => join(folder, ".git"))) {
    if (isFolder(path)) folders.add(path);
    else if (isFile(path)) files.push({ at: path, kind: "read-only" });
    for (const folder of linkedFolders(path, roots)) folders.add(folder);
  }
  const all = [...folders].sort((a, b) => a.length - b.length);
  const normal = all.flatMap((folder) => (isGit ? writableGit(folder) : readOnlyGit(folder)));
  return [...files, ...normal, ...[...between].filter((folder) => !folders.has(folder)).flatMap(bareMounts)];
}

/** One outside the roots may lie in a home, where nothing else is. */
const readOnlyGit = (folder: string): Mount[] => [{ at: folder, kind: "read-only" }];

function writableGit(folder: string): Mount[] {
  const run = ["hooks", "info"].map((name) => join(folder, name));
  return [
    { at: folder, kind: "writable" },
    ...obeyedFiles(folder),
    ...run.map((at) => (isFolder(at) ? { at, kind: "read-only" as const } : { at, kind: "empty" as const })),
    ...modulesOf(folder).map((at) => ({ at, kind: "read-only" as const })),
  ];
}

const obeyedFiles = (folder: string): Mount[] =>
  obeyed
    .map((name) => join(folder, name))
    .filter(isFile)
    .map((at) => ({ at, kind: "read-only" as const }));

/** A folder that is git's data itself, where a root is one or the command runs in one: what git runs or obeys there stays as it is. */
function bareMounts(folder: string): Mount[] {
  if (!isFile(join(folder, "HEAD")) || !["objects", "refs"].some((name) => isFolder(join(folder, name)))) return [];
  const hooks = join(folder, "hooks");
  return [...obeyedFiles(folder), ...(isFolder(hooks) ? [{ at: hooks, kind: "read-only" as const }] : [])];
}

/** Submodules' folders are as they are: no command of the repository around them has to write there. */
const modulesOf = (folder: string): string[] => {
  const modules = join(folder, "modules");
  return isFolder(modules) ? [modules] : [];
};

/**
 * Finds the folders that a `.git` leads to that is not git's data itself, or shares some: its own folder, and the one that it shares with others. One
 * outside the roots counts only if it leads back, for anybody can write such a file.
 */
function linkedFolders(dotGit: string, roots: readonly string[]): string[] {
  try {
    const data = dataBehind(dotGit);
    if (data === undefined) return [];
    const { own, common } = data;
    const leadsBack = () => realOf(textAt(join(own, "gitdir"))?.trim() ?? "") === dotGit;
    if (!isWithin(roots, own) && !leadsBack()) return [];
    const isShared = isWithin(roots, common) || !isWithin(roots, own);
    return (isShared ? [common, own] : [own]).filter((folder) => isFolder(folder) && looksTaken(folder, common));
  } catch {
    return [];
  }
}

/** Git's data, with or without a HEAD: a folder of anything else is not closed because a file leads there. */
const looksTaken = (folder: string, common: string): boolean =>
  isFile(join(folder, "HEAD")) ||
  (folder === common && isFolder(join(folder, "objects")) && isFolder(join(folder, "refs")));

const isWithin = (roots: readonly string[], path: string): boolean => roots.some((root) => isInside(root, path));

/** The root, and each folder from there to the one below it. */
function foldersBetween(root: string, cwd: string): string[] {
  const folders = [root];
  for (let at = cwd; at !== root && isInside(root, at); at = dirname(at)) folders.push(at);
  return folders;
}

/** Not through a link: a mount would follow it to somewhere else. */
const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true;
const isFile = (path: string): boolean => lookAt(path)?.isFile() === true;
