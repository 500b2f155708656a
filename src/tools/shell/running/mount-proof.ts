import { join, relative } from "node:path";
import type { PinnedRoots } from "../../../core/tool.ts";
import { innermost, isInside } from "../../../files/boundary.ts";
import type { Mount } from "./sandbox.ts";

/** The first of the descriptors that a child is given, and the one on which it may object. */
const givenAt = 6;
const objectAt = 5;

/** Plain shells name no descriptor above 9. */
const mostPlain = 9;

/** The proof of a sandbox's mounts, made before its command runs. */
export interface MountProof {
  /** The arguments of a program that looks, and then becomes what stands after them. */
  args: string[];
  /** Descriptors that it needs, from `givenAt` on; it closes them. */
  given: number[];
}

/**
 * Bubblewrap finds what it mounts by name, after the last look of ours. So the first program in the sandbox compares: each folder of a
 * root there must be the one that the session opened, by descriptors, and so must the one that it stands in. Else it writes the path to
 * `objectAt` and ends. What a later mount has covered with nothing is not there to be compared. A descriptor of a folder leads out of the
 * sandbox, so all of them are closed before the command begins.
 * @param cwd the opened folder that the command is to run in, where it is no root; undefined where that is none of a root's.
 */
export function mountProof(
  mounts: readonly Mount[],
  pins: PinnedRoots | undefined,
  cwd: { path: string; fd: number | undefined } | undefined,
): MountProof | undefined {
  const roots = pins?.descriptors() ?? [];
  if (roots.length === 0) return undefined;
  const given = [...roots.map(({ fd }) => fd), ...(cwd?.fd === undefined ? [] : [cwd.fd])];
  const at = (index: number): string => `/proc/self/fd/${givenAt + index}`;
  const wayTo = (path: string): string | undefined => {
    const root = innermost(
      roots.map((one) => one.path),
      path,
    );
    const index = roots.findIndex((one) => one.path === root);
    return root === undefined ? undefined : join(at(index), relative(root, path));
  };
  const shown = mounts.filter(
    (mount, index) =>
      (mount.kind === "writable" || mount.kind === "read-only") &&
      !("from" in mount) &&
      !mounts.slice(index + 1).some((later) => isEmptyAt(later, mount.at)),
  );
  const pairs = shown.flatMap((mount) => {
    const way = wayTo(mount.at);
    return way === undefined ? [] : [mount.at, way];
  });
  const own = cwd && (cwd.fd === undefined ? wayTo(cwd.path) : at(given.length - 1));
  const last = givenAt + given.length - 1;
  const closing = [objectAt, ...given.map((_, index) => givenAt + index)].map((fd) => `${fd}<&-`).join(" ");
  const script = `until [ "$1" = -- ]; do [ "$1" -ef "$2" ] || { printf %s "$1" >&${objectAt}; exit 125; }; shift 2; done; shift; exec ${closing}; exec "$@"`;
  const shell = last > mostPlain ? ["/bin/bash", "--noprofile", "--norc"] : ["/bin/sh"];
  return { args: [...shell, "-c", script, "sh", ...pairs, ...(own === undefined ? [] : [".", own]), "--"], given };
}

/** Nothing lies there by then: neither this place nor what is below it is seen. */
const isEmptyAt = ({ at, kind }: Mount, path: string): boolean =>
  (kind === "nothing" || kind === "empty") && isInside(at, path);
