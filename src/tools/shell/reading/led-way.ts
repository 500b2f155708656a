import { isInside } from "../../../files/boundary.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { realOf } from "../running/closed-below.ts";

// Keeps tools 4.
/**
 * Finds the place that a path leads to, links followed; undefined where nothing lies there, and where a link in a folder that commands write leads
 * the way out of those: a command may have made it, and nobody said that this is to be seen.
 * @param written folders that commands write; real
 */
export function trustedReal(path: string, written: readonly string[]): string | undefined {
  const isWritten = (at: string): boolean => written.some((folder) => isInside(folder, at));
  const real = realOf(path);
  // One that leads to itself has no link on its way.
  if (real === undefined || real === path || isWritten(real)) return real;
  let isLed = false;
  kernelPath("/", path, (link) => {
    isLed ||= isWritten(link);
  });
  return isLed ? undefined : real;
}
