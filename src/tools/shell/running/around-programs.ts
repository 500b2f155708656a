import { basename, dirname, join, sep } from "node:path";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { foldersOfMachine } from "../reading/of-machine.ts";
import { entriesOf, lookAt, masked, realOf } from "./closed-below.ts";
import { closedIn, holdsGitsData, mostOfFolder, versionFolders } from "./closed-in.ts";
import type { NeededPrograms } from "./needed-programs.ts";
import type { Mount } from "./sandbox.ts";

// Keeps tools 21.
/*
 * What lies around a folder of PATH, for a line that nobody is asked about: its programs need that, and it may be a project of the person's.
 */

/** The parts of an install: of a folder that is a project, too, nothing else is shown. */
const installed = new Set(
  `bin sbin shims lib lib32 lib64 libx32 libexec share versions installs plugins toolchains Cellar Frameworks Library opt VERSION version
  pyvenv.cfg`.split(/\s+/u),
);
/** Without these no program starts, so they are looked through before the others. */
const libraries = ["lib", "lib64", "libexec"];

/** Folders where package managers put the work of others, and languages their own libraries: shown, and not looked through. */
const packages =
  /\/(?:node_modules|(?:site|dist)-packages|lib\d*\/python\d[\w.]*|lib\d*\/ruby\/(?:gems|\d[^/]*)|(?:lib\d*|share)\/perl5?\/\d[^/]*)$/u;

/** So many places of one folder are kept back, each by a mount; where there are more, folders that they lie in. */
const mostHeld = 128;
/** So many names are looked at in any case. */
const leastNames = 100;

/** The view of the programs of PATH, and of their folders, for a line that nobody is asked about. */
export interface ProgramView extends NeededPrograms {
  around: AroundPrograms;
  /** It needs little: few of the machine's settings, and of homes git's own, where its programs lie, and what it names (`system-settings.ts`). */
  isSmall: boolean;
}

/** Tells whether it is a folder of programs that lies beside what they need, by its name. */
export const isBeside = (folder: string): boolean => /^(?:s?bin|shims)$/u.test(basename(folder));

/**
 * Looks around folders of programs, at as many names in all as it is given, half of what is left of them for each folder; changes nothing. What
 * it does not come to is not shown, but for packages that others made, and what root alone put there for all users of the machine.
 */
export class AroundPrograms {
  readonly #closed: ClosedPlaces;
  readonly #found = new Map<string, Mount[] | undefined>();
  readonly #ofMachine: typeof foldersOfMachine;
  #left: number;

  constructor(closed: ClosedPlaces, most: number, ofMachine = foldersOfMachine) {
    this.#closed = closed;
    this.#left = most;
    this.#ofMachine = ofMachine;
  }

  /**
   * Lists the mounts of the places that are shown, to be read alone, and over them nothing where something lies that is not read unasked, or that
   * belongs to version control: the same list for folders that lie beside each other.
   * @param top the folder that the programs' one lies in, or that one itself; both real
   */
  mounts(top: string, folder: string): Mount[] {
    if (this.#closed.isClosed(folder) || folder.split(sep).some((name) => versionFolders.includes(name))) return [];
    const around = this.#lookedAt(top, folder);
    if (around !== undefined && isShown(folder, around)) return around;
    return (top === folder ? undefined : this.#lookedAt(folder, folder)) ?? [];
  }

  #lookedAt(top: string, folder: string): Mount[] | undefined {
    if (!this.#found.has(top)) this.#found.set(top, this.#shown(top, folder));
    return this.#found.get(top);
  }

  /** Undefined where the programs themselves would not be there. */
  #shown(top: string, folder: string): Mount[] | undefined {
    const parts = this.#partsOf(top, folder);
    const isPart = (at: string): boolean => parts.some((part) => isInside(part, at));
    const first = libraries.map((name) => join(top, name)).filter((at) => realOf(at) === at);
    const most = Math.max(leastNames, this.#left >> 1);
    // Each part by its own name, too: the list of what lies around them may be too long for all of it, and is not come to behind many programs.
    const files = parts.filter((at) => lookAt(at)?.isFile() === true);
    const order = new Set([folder, top, ...files, ...first, ...parts]);
    const looked = closedIn([...order], this.#closed, [top], versionFolders, {
      most,
      isLeft: (at) => packages.test(at) || !isPart(at),
      leavesLinks: true,
      uncounted: parts.includes(top) ? undefined : top,
    });
    this.#left = Math.max(0, this.#left - looked.seen);
    const isOfMachine = this.#ofMachine(top);
    // What root put there for all is shown where nothing is known of it, but not what was begun and has no end, or a name that is no text.
    const unknown = [...looked.left.filter((at) => !isOfMachine(at)), ...looked.begun];
    const held = fewer([...looked.places, ...looked.apart, ...looked.streams, ...unknown].filter(isPart));
    const isHeld = (at: string): boolean => held.some((one) => isInside(one, at));
    if (isHeld(folder) || looked.isTwinsCut) return undefined;
    const shown = parts.filter((at) => !isHeld(at));
    return [
      ...shown.map((at): Mount => ({ at, kind: "read-only", from: at })),
      ...held.flatMap(masked).filter(({ at }) => shown.some((part) => part !== at && isInside(part, at))),
    ];
  }

  /** Of a project, which version control or a closed place tells, what an install would be made of. */
  #partsOf(top: string, folder: string): string[] {
    const entries = top === folder ? [] : entriesOf(top, mostOfFolder + 1);
    const isMark = (name: string): boolean => versionFolders.includes(name) || this.#closed.isClosed(join(top, name));
    // One that holds more than is looked at may hold such a mark, and other names of what is closed: nothing around the programs is there.
    if (entries.length > mostOfFolder) return [folder];
    const isProject = entries.some(({ name }) => isMark(name)) || holdsGitsData(top);
    if (!isProject) return [top];
    const parts = [...installed]
      .map((name) => join(top, name))
      .filter((at) => isPlain(lookAt(at)) && !this.#closed.isClosed(at) && !holdsGitsData(at));
    return outermost([folder, ...parts]);
  }
}

const isPlain = (found: ReturnType<typeof lookAt>): boolean =>
  found?.isDirectory() === true || found?.isFile() === true;

/** Tells whether a folder is there by these mounts. */
export const isShown = (folder: string, mounts: readonly Mount[]): boolean =>
  mounts.some(({ at, kind }) => kind === "read-only" && isInside(at, folder)) &&
  !mounts.some(({ at, kind }) => kind === "nothing" && isInside(at, folder));

/** Instead of these, where they are too many, the folders that most of them lie in. */
function fewer(places: readonly string[]): string[] {
  let all = outermost(places);
  while (all.length > mostHeld) {
    const counts = new Map<string, number>();
    for (const at of all) counts.set(dirname(at), (counts.get(dirname(at)) ?? 0) + 1);
    const [most = "/"] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    all = outermost([...all, most]);
  }
  return all;
}

/** Without those that lie in others of them. */
function outermost(places: readonly string[]): string[] {
  const all = new Set(places);
  const isIn = (at: string): boolean => at !== dirname(at) && (all.has(dirname(at)) || isIn(dirname(at)));
  return [...all].filter((at) => !isIn(at));
}
