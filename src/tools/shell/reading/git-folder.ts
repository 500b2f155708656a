import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import type { Words } from "./options.ts";

/** Finds the folder that git is told to go to first: `git -C sub status` goes by the settings of `sub`. Undefined where it may be any. */
export function gitFolder([, ...words]: Words, cwd: string | undefined): string | undefined {
  let at = cwd;
  for (let i = 0; i < words.length && (words[i] === null || words[i]?.startsWith("-") === true); i += 1) {
    if (words[i] !== "-C") continue;
    i += 1;
    const to = words[i];
    if (typeof to === "string" && (at ?? "").length + to.length > longestPath) return undefined;
    at = typeof to !== "string" || (at === undefined && !to.startsWith("/")) ? undefined : kernelPath(at ?? "/", to);
  }
  return at;
}
