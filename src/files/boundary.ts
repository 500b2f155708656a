import { lstat, readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolRefusal } from "../core/codes.ts";
import { errnoOf } from "../core/errno.ts";
import { type PinnedRoots, type Reach, rootsOf } from "../core/tool.ts";
import { fileRefusal } from "./file-errors.ts";

/** Compared by path segments: `/ws-evil` is not inside `/ws`. Both absolute; the root is inside itself. */
export function isInside(root: string, path: string): boolean {
  // Most are asked of by the hundred, and without a step back: what `relative` would find.
  if (path.startsWith(`${root}/`) && !path.includes("/..")) return true;
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Kernel files: a workspace of `/` does not open them, a workspace within them does. */
const kernelTrees = ["/proc", "/sys", "/dev"];

/** Both absolute and real. */
export const isKernelTree = (workspace: string, path: string): boolean =>
  kernelTrees.some((tree) => path.startsWith(tree) && isInside(tree, path) && !isInside(tree, workspace));

/** Tells whether a real path lies among the system's devices, and not in one of these folders that itself lies there (`/dev/shm/w`). */
export const isAmongDevices = (path: string, roots: readonly string[]): boolean =>
  isInside("/dev", path) && !roots.some((root) => isInside("/dev", root) && isInside(root, path));

/**
 * The real absolute path of what the model asked for: symlinks resolved by the nearest ancestor that exists, so that a
 * file yet to be made has one too. `asked` is relative to `cwd`, absolute, or begins with `~/`.
 * @throws ToolRefusal OUTSIDE_WORKSPACE where it leads out of all roots, or nowhere (a dangling link); EACCES, NOT_A_FILE and
 *   others where it cannot be resolved.
 */
export async function resolveInside(reach: Reach, cwd: string, asked: string): Promise<string> {
  if (asked === "") throw new ToolRefusal("INVALID_ARGUMENT", "the path is empty");
  if (asked.includes("\0")) throw outside(asked, "its name holds a NUL character");
  const real = await realByAncestor(resolve(cwd, fromHome(asked)), asked);
  const root = innermost(await realRoots(reach), real);
  if (root === undefined) throw outside(asked, "it leads outside");
  if (isKernelTree(root, real)) {
    throw outside(asked, "kernel files are no part of it");
  }
  return real;
}

/** The root that a real path lies in, the innermost where one lies in another; the workspace where it lies in none. */
export async function rootOf(reach: Reach, real: string): Promise<string> {
  const roots = await realRoots(reach);
  return innermost(roots, real) ?? roots[0];
}

/** Returns the roots, of which those added are known by their real paths: where a link took the place of one, nothing lies in it any more. */
const realRoots = async (reach: Reach): Promise<[workspace: string, ...added: string[]]> => {
  const [, ...added] = rootsOf(reach);
  return [await realWorkspace(reach), ...added];
};

/** A pinned one has this name and no other, or the session stops; any other is whatever its name leads to. */
export const realWorkspace = async ({ workspace, pins }: Pick<Reach, "workspace" | "pins">): Promise<string> =>
  pins === undefined ? realpath(workspace) : workspace;

/** The root that a real path lies in, the innermost of several. */
export const innermost = (roots: readonly string[], real: string): string | undefined =>
  roots.filter((root) => isInside(root, real)).sort((one, other) => other.length - one.length)[0];

/**
 * Checks what an opened file or folder really is, after the race between resolving and opening.
 * On Linux by /proc/self/fd; where there is no such thing the path is resolved once more (best effort).
 * @throws ToolRefusal OUTSIDE_WORKSPACE, or STALE where the path leads elsewhere inside the workspace by now; FolderLost.
 */
export async function assertInsideOpened(
  handle: { fd: number },
  workspace: string,
  real: string,
  pins?: PinnedRoots,
): Promise<void> {
  const opened = await openedPath(handle.fd, real);
  pins?.check();
  // A file that was replaced or removed since it was opened is still the one that was asked for.
  if (opened === real || opened === `${real} (deleted)`) return;
  if (!isInside(await realpath(workspace), opened)) throw outside(real, "a folder on its way was changed meanwhile");
  throw new ToolRefusal("STALE", `${real} leads elsewhere by now: a folder on its way was changed`);
}

async function openedPath(fd: number, real: string): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${fd}`);
  } catch {
    return realpath(real);
  }
}

async function realByAncestor(path: string, asked: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "ENOENT" && errno !== "ENOTDIR") throw fileRefusal(error, asked);
    await refuseDanglingLink(path, asked);
    return join(await realByAncestor(dirname(path), asked), basename(path));
  }
}

async function refuseDanglingLink(path: string, asked: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) throw outside(asked, `${path} is a symbolic link to something that does not exist`);
}

function fromHome(asked: string): string {
  return asked === "~" || asked.startsWith("~/") ? join(homedir(), asked.slice(1)) : asked;
}

function outside(asked: string, why: string): ToolRefusal {
  return new ToolRefusal(
    "OUTSIDE_WORKSPACE",
    `${JSON.stringify(asked)} is not inside the workspace: ${why}. Use a path relative to the workspace.`,
  );
}

/** `asked` as a folder: `src/` names no file, even where src is one. */
export function refuseFolderName(asked: string): void {
  if (/\/\.{0,2}$/.test(asked) || asked === "." || asked === "..") {
    throw new ToolRefusal("IS_DIRECTORY", `${asked} names a folder, not a file`);
  }
}
