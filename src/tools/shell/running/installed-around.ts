import { join } from "node:path";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { closedBelow, lookAt, masked, realOf } from "./closed-below.ts";
import { closedIn, versionFolders } from "./closed-in.ts";
import type { Mount } from "./sandbox.ts";

/** What a folder is made of into which programs were installed, with what they need. */
const installed =
  `bin sbin shims lib lib32 lib64 libx32 libexec share include versions version installs plugins toolchains jmods conf release pkg src VERSION
  go.env envs conda-meta pyvenv.cfg Cellar opt`.split(/\s+/u);

/**
 * What lies around a folder of programs, to be read alone: without what is not read unasked, and without folders of version control. Of one that
 * holds too much to look for those, only what such a folder is made of.
 * @param folder its real path
 */
export function installedAround(folder: string, closed: ClosedPlaces): Mount[] {
  if (closed.isClosed(folder)) return [];
  const masks = heldAround(folder, closed);
  if (masks !== undefined) return [shown(folder), ...masks];
  return installed
    .map((name) => join(folder, name))
    .filter((at) => realOf(at) === at && !closed.isClosed(at))
    .flatMap((at) => [shown(at), ...(lookAt(at)?.isDirectory() === true ? closedBelow(at, closed) : [])]);
}

/** Nothing where such lies in it; undefined where it holds too much to look for that. */
export function heldAround(folder: string, closed: ClosedPlaces): Mount[] | undefined {
  const found = closedIn([folder], closed, [folder], versionFolders);
  return found.isCut ? undefined : [...found.places, ...found.apart].flatMap(masked);
}

const shown = (at: string): Mount => ({ at, kind: "read-only", from: at });
