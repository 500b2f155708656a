import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { ownPlaces as words } from "../../words/en/own-places.ts";

/** A step that a path leads through: a folder in which a name of it is looked up, or a link that is followed. */
export interface PathStep {
  readonly path: string;
  readonly found: Stats;
}

/** As the kernel follows them, at the most. */
const mostLinks = 40;

/**
 * All folders and links on the way to a path, as far as it is there; the path itself where it is a link, else not. Whoever can write one of these
 * folders decides what is found at its end. @throws Error with the code ELOOP where links go round.
 */
export function wayTo(path: string): PathStep[] {
  const passed: PathStep[] = [];
  const rest = namesOf(path);
  let at: string = sep;
  for (let links = 0; ; ) {
    const name = rest.shift();
    if (name === undefined) return passed;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const folder = lookAt(at);
    if (folder === undefined || !folder.isDirectory()) return passed;
    passed.push({ path: at, found: folder });
    const next = join(at, name);
    const found = lookAt(next);
    if (found?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) throw Object.assign(new Error(words().round({ path })), { code: "ELOOP" });
    passed.push({ path: next, found });
    const target = readlinkSync(next);
    if (isAbsolute(target)) at = sep;
    rest.unshift(...namesOf(target));
  }
}

const namesOf = (path: string): string[] => path.split(sep).filter((name) => name !== "" && name !== ".");

/** A folder that may not be looked into hides what is below it from others too. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (["ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
