import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Sockets that services of this machine listen at, by the paths that the kernel tells of them: who sees such a path reaches the service,
 * with or without a network. Real paths, of those that are there. One that was bound by a relative path is not among them.
 */
export function socketPaths(): string[] {
  const paths = listOfKernel()
    .split("\n")
    .map((line) => /^(?:\S+\s+){7}(\/.*)$/u.exec(line)?.[1])
    .filter((path) => path !== undefined);
  return [...new Set(paths)].flatMap(realSocket);
}

function listOfKernel(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    return ""; // a kernel that does not tell
  }
}

/** The folder's links are followed, the socket's name is as it is. */
function realSocket(path: string): string[] {
  try {
    const real = join(realpathSync(dirname(path)), basename(path));
    return lstatSync(real).isSocket() ? [real] : [];
  } catch {
    return [];
  }
}
