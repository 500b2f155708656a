import type { PlannedCommand } from "../../../core/command.ts";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { lookAt, realOf } from "./closed-below.ts";
import type { HomeView } from "./sandbox-home.ts";

/** The length of an output's end that is looked at, in characters, and the number of paths in it. */
const looked = { characters: 4_000, paths: 50 };

/**
 * For a command that failed: what of a home it names, or would run, that is there outside of the sandbox and not in it. Nothing where
 * it says no such thing.
 */
export function homeHint(
  said: string,
  commands: readonly PlannedCommand[],
  { emptied, shown, left, own }: HomeView,
  closed: ClosedPlaces,
): string[] {
  const isMissing = (path: string): boolean =>
    emptied.some((home) => path !== home && isInside(home, path)) &&
    !shown.some((one) => isInside(one, path)) &&
    lookAt(path) !== undefined;
  const programs = commands.flatMap(({ program }) => program ?? []);
  const path = [...pathsIn(said, own), ...programs].find(isMissing);
  const lines = path === undefined ? [] : [wordsOf(path, closed)];
  const about = left.find((one) => path !== undefined && isInside(one.path, path));
  return about === undefined ? lines : [...lines, `sandboxRead does not show ${about.path}: it ${about.why}`];
}

const wordsOf = (path: string, closed: ClosedPlaces): string =>
  closed.isClosed(realOf(path) ?? path)
    ? `${path} is guarded: the sandbox does not show it; the person can by sandboxWrite in config.json`
    : `in the sandbox the home is empty but for what tool chains need: ${path} is there outside of it; the person can show it by sandboxRead in config.json`;

/** Absolute paths, as programs quote them; `~` is the person's home. */
function pathsIn(said: string, home = "/"): string[] {
  const last = said.slice(-looked.characters);
  const words = last.match(/(?:~|\/)[^\s'"`:;,()<>|\u2018\u2019]*/gu) ?? [];
  return words
    .slice(-looked.paths)
    .map((word) => (word.startsWith("~/") ? `${home}${word.slice(1)}` : word).replace(/[.\]}]+$/u, ""))
    .filter((word) => word.startsWith("/"));
}
