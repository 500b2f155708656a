import { lstatSync, readlinkSync } from "node:fs";
import { join, sep } from "node:path";

const mostLinks = 40;

/** Characters of a path. The kernel opens none that is longer, and to follow one takes the square of its length. */
export const longestPath = 4_096;

/**
 * Finds the place of a path as the kernel would: each `..` is the parent of where the way has led by then, and not of how it was written.
 * What does not exist is taken as it is named. Never fails: in a circle of links it says where the way stood.
 * @param from absolute, links followed. @param met is told each link on the way, by where it lies
 */
export function kernelPath(from: string, path: string, met?: (link: string) => void): string {
  const way = path.split(sep);
  let at = path.startsWith(sep) ? sep : from;
  for (let links = 0; way.length > 0; ) {
    const next = join(at, way.shift() ?? "");
    const target = links < mostLinks ? targetOf(next) : undefined;
    if (target === undefined) {
      at = next;
      continue;
    }
    links += 1;
    met?.(next);
    way.unshift(...target.split(sep));
    if (target.startsWith(sep)) at = sep;
  }
  return at;
}

function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // not there, or not to be looked at
  }
}
