import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { ClosedPlaces } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { isKeyFile } from "../../../files/bytes/file-head.ts";
import { readUnlocked } from "../../../files/locked-files.ts";
import { includedFiles, namedFiles, withoutAccess } from "../reading/git-config-text.ts";
import { trustedReal } from "../reading/led-way.ts";
import { isBeside, type ProgramView } from "./around-programs.ts";
import { allClosedBelow, closedBelow, entriesOf, lookAt, masked, realOf } from "./closed-below.ts";
import {
  certificateVariables,
  gitConfigs,
  gitNames,
  heldOfHome,
  homeRows,
  machineFolders,
  variableRows,
} from "./home-rows.ts";
import type { Mount } from "./sandbox.ts";

/** The places that a command's view of homes is made of; all absolute. */
export interface HomePlaces {
  /** The workspace, and the folders that the person added to it; real. */
  roots: readonly string[];
  /** The command's own variables. */
  env: Readonly<Record<string, string>>;
  /** Folders and files that the person lets be read. */
  read: readonly string[];
  /** The paths that the person lets be written beside the workspace; shown even where they would be hidden. */
  write: readonly string[];
  /** Files that the line names, and that policy let it read or run. */
  named: readonly string[];
  /** The root of the repository that the workspace is a part of. */
  repository?: string;
  /** Of a line that nobody is asked about: all else of PATH is not there, and of this nothing that is not read unasked. */
  programs?: ProgramView;
  closed: ClosedPlaces;
}

/** The homes as a command sees them: nothing in them, but for what is shown. */
export interface HomeView {
  /** In the order in which they are laid over each other. */
  mounts: Mount[];
  /** Over the roots: what is guarded in those that are a home, or a part of its settings. */
  held: Mount[];
  /** These roots. */
  homely: readonly string[];
  /** To be laid last: nothing more is made in a home. */
  ends: Mount[];
  /** Real paths of the homes that are empty but for what is shown. */
  emptied: readonly string[];
  /** The places in them that are there. */
  shown: readonly string[];
  /** The person's own home. */
  own?: string;
  /** The paths that the person lets be read and that are not shown; `why` in words that can follow its name. */
  left: readonly { path: string; why: string }[];
}

/** Never emptied, whoever calls them a home: the system lies there. */
const ofSystem =
  /^\/(?:(?:bin|boot|dev|etc|lib\w*|media|mnt|nix|opt|proc|run|sbin|snap|srv|sys|tmp|usr|var)(?:\/(?:bin|lib|local|sbin|share|src|tmp|www))?)?$/u;
/** More links than these of one folder of programs are not followed. */
const mostLinks = 500;
const longestConfig = 256 * 1024;
const rowNames = homeRows.flatMap(({ names }) => names);
/** Those of them that the person puts programs into by hand. */
const ownPrograms = new Set([".local/bin", "bin", ".bin"]);

/** Looks at the disk; changes nothing. */
export function homeView(places: HomePlaces): HomeView {
  return new View(places).view();
}

class View {
  readonly #places: HomePlaces;
  readonly #owns: readonly string[];
  readonly #emptied: readonly string[];
  readonly #written: readonly string[];
  readonly #isSmall: boolean;
  readonly #mounts: Mount[] = [];
  readonly #shown: string[] = [];
  readonly #left: { path: string; why: string }[] = [];

  constructor(places: HomePlaces) {
    this.#places = places;
    this.#owns = ownHomes(places.env);
    this.#isSmall = places.programs?.isSmall === true && !this.#owns.some(namesMore);
    this.#emptied = emptiedHomes(places.roots, this.#owns);
    this.#written = [...places.roots, ...places.write.flatMap((path) => realOf(path) ?? [])];
  }

  view(): HomeView {
    const { roots, env, closed, read, named, repository, programs } = this.#places;
    const owns = this.#owns;
    this.#rows();
    for (const folder of programs?.folders ?? (env["PATH"] ?? "").split(":").filter(isAbsolute)) this.#programs(folder);
    if (repository !== undefined && !this.#emptied.some((home) => isInside(repository, home))) this.#show(repository);
    for (const path of named) if (this.#isEmptied(path) && lookAt(path)?.isFile() === true) this.#show(path);
    for (const path of read) this.#read(path);
    const homely = roots.filter((root) => isHomely(root, owns, closed));
    const holding = owns.filter((home) => roots.some((root) => isInside(root, home)));
    const held = [
      ...homely.flatMap((root) => closedBelow(root, closed)),
      ...holding.flatMap((home) => heldOfHome.flatMap((name) => masked(join(home, name)))),
    ];
    const { emptied, shown, left } = { emptied: this.#emptied, shown: this.#shown, left: this.#left };
    return {
      mounts: [...emptied.map((at): Mount => ({ at, kind: "nothing" })), ...this.#mounts],
      ends: emptied.map((at): Mount => ({ at, kind: "ended" })),
      ...{ held, homely, emptied, shown, left },
      ...(owns[0] === undefined ? {} : { own: owns[0] }),
    };
  }

  #realOf = (path: string): string | undefined => trustedReal(path, this.#written);

  #isEmptied = (path: string): boolean => this.#emptied.some((home) => isInside(home, path));

  #rows(): void {
    for (const home of this.#owns) if (this.#isEmptied(home)) this.#rowsOf(home);
    for (const path of this.#isSmall ? [] : machineFolders) this.#show(path);
    this.#variables();
  }

  #rowsOf(home: string): void {
    const there = new Set(entriesOf(home).map(({ name }) => name));
    for (const name of this.#isSmall ? gitNames : rowNames) {
      if (!there.has(name.split("/", 1)[0] ?? "")) continue;
      if (ownPrograms.has(name)) this.#around(join(home, name), join(home, name));
      else this.#show(join(home, name));
    }
    for (const name of gitConfigs) this.#gitConfig(join(home, name), home);
  }

  #variables(): void {
    const { env } = this.#places;
    const valuesOf = (name: string): string[] => (env[name] ?? "").split(":").filter((path) => isAbsolute(path));
    const rows = Object.entries(variableRows).filter(([name]) => !this.#isSmall || name === "XDG_CONFIG_HOME");
    for (const [name, below] of rows)
      for (const value of valuesOf(name)) for (const one of below) this.#show(join(value, one));
    for (const path of certificateVariables.flatMap(valuesOf))
      if (this.#isEmptied(path) && !isKeyFile(realOf(path) ?? path)) this.#bind(path, this.#realOf(path));
  }

  /** A folder of PATH with what its programs lie beside, and what its links lead to. */
  #programs(folder: string): void {
    const real = this.#realOf(folder);
    if (real === undefined || !(this.#isEmptied(folder) || this.#isEmptied(real))) return;
    this.#around(this.#isWide(dirname(folder)) || !isBeside(folder) ? folder : dirname(folder), folder);
    for (const link of linksIn(real, this.#places.programs?.names)) this.#linked(link);
  }

  #linked(link: string): void {
    const target = this.#realOf(link);
    if (target === undefined || !this.#isEmptied(target) || this.#isShown(target)) return;
    const at = dirname(target);
    const whole = basename(at) === "bin" && !this.#isWide(dirname(at)) ? dirname(at) : at;
    if (this.#isWide(whole)) this.#show(target);
    else this.#around(whole, at);
  }

  /** A folder of programs, in another one or itself, as far as the line is to see it. */
  #around(path: string, folder: string): void {
    const { programs, roots } = this.#places;
    const inner = this.#realOf(folder);
    const real = this.#mayShow(path) ? this.#realOf(path) : undefined;
    if (programs === undefined) this.#show(path);
    else if (real === undefined || inner === undefined || roots.some((root) => isInside(root, path))) return;
    else if (isInside(real, inner)) this.#bindAll(programs.around.mounts(real, inner), path, real);
    else this.#around(folder, folder);
  }

  #bindAll(mounts: readonly Mount[], path: string, real: string): void {
    for (const at of this.#placesOf(path, real)) {
      const shown = mounts.map((mount) => below(mount, real, at));
      const parts = shown.filter(({ kind }) => kind === "read-only").map((mount) => mount.at);
      if (parts.every(this.#isShown)) continue;
      this.#mounts.push(...shown);
      this.#shown.push(...parts);
    }
  }

  /** A home itself, or a folder that access lies in beside other things. */
  #isWide = (folder: string): boolean =>
    this.#emptied.some((home) => isInside(folder, home)) || this.#places.closed.mayHold(folder);

  /** Shows a path of a home that is asked for: it, and where its links lead in a home, without the guarded places in it. */
  #show(path: string): void {
    const real = this.#mayShow(path) ? this.#realOf(path) : undefined;
    if (real !== undefined) for (const at of this.#placesOf(path, real)) this.#bind(at, real);
  }

  #mayShow(path: string): boolean {
    if (!this.#isEmptied(path) || this.#emptied.includes(path) || this.#isShown(path)) return false;
    const real = this.#realOf(path);
    const { closed } = this.#places;
    return real !== undefined && !this.#emptied.includes(real) && !closed.isClosed(path) && !closed.isClosed(real);
  }

  /** Lists the paths that it is to be found by: this one, and its own, where that is in a home, too. */
  #placesOf(path: string, real: string): string[] {
    return real !== path && this.#isEmptied(real) && !this.#isShown(real) ? [path, real] : [path];
  }

  #bind(path: string, real: string | undefined): void {
    const found = real === undefined ? undefined : lookAt(real);
    if (real === undefined || !(found?.isFile() === true || found?.isDirectory() === true)) return;
    // What is a root is there already, and to be written.
    if (this.#places.roots.some((root) => isInside(root, path))) return;
    this.#mounts.push({ at: path, kind: "read-only", from: real });
    if (found.isDirectory()) this.#mounts.push(...this.#heldIn(path, real));
    this.#shown.push(path);
  }

  /** By the path that it is shown at, and where that leads. */
  #heldIn(path: string, real: string): Mount[] {
    const held = closedBelow(path, this.#places.closed);
    if (path === real) return held;
    const all = [...held, ...closedBelow(real, this.#places.closed)];
    return [...all, ...all.map((mask) => below(mask, real, path))];
  }

  #isShown = (path: string): boolean => this.#shown.some((one) => isInside(one, path));

  /** With the files that it includes. */
  #gitConfig(path: string, home: string): void {
    const text = textOf(path);
    if (text === undefined || this.#places.roots.some((root) => isInside(root, path))) return;
    const shown = withoutAccess(text);
    if (shown === text) this.#show(path);
    else this.#mounts.push({ at: path, kind: "data", bytes: Buffer.from(shown) });
    if (!this.#isShown(path)) this.#shown.push(path);
    for (const name of includedFiles(text)) {
      const included = resolve(dirname(path), name.startsWith("~/") ? join(home, name.slice(2)) : name);
      if (!this.#isShown(included) && lookAt(included)?.isFile() === true) this.#gitConfig(included, home);
    }
  }

  /** Shows a path that the person lets be read, but for the guarded places in it: all of a folder is looked through, or none of it shown. */
  #read(path: string): void {
    const real = this.#realOf(path);
    if (real === undefined) return;
    const { closed } = this.#places;
    if (closed.isClosed(path) || closed.isClosed(real) || this.#emptied.some((home) => isInside(real, home))) {
      const isWhole = !(closed.isClosed(path) || closed.isClosed(real));
      this.#left.push({ path, why: isWhole ? "is a whole home: name folders in it" : "is guarded" });
      return;
    }
    const masks = allClosedBelow(real, closed);
    if ("why" in masks) {
      this.#left.push({ path, why: masks.why });
      return;
    }
    this.#mounts.push({ at: path, kind: "read-only", from: real }, ...masks.map((mask) => below(mask, real, path)));
    this.#shown.push(path);
  }
}

const below = (mask: Mount, real: string, path: string): Mount =>
  isInside(real, mask.at) ? { ...mask, at: join(path, mask.at.slice(real.length)) } : mask;

/** The homes of the person: as the variable says, and as the system does. */
function ownHomes(env: Readonly<Record<string, string>>): string[] {
  const named = [env["HOME"], homedir(), ofUser()].filter((path) => path !== undefined && isAbsolute(path));
  return [...new Set(named.flatMap((path) => realOf(path ?? "") ?? []))];
}

function ofUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined; // a user without an entry
  }
}

/** Those of all people on the machine; what a root is, or holds, is no empty home: there what is guarded is not seen. */
function emptiedHomes(roots: readonly string[], owns: readonly string[]): string[] {
  const all = [...owns, ...["/root", "/home"].flatMap((path) => realOf(path) ?? [])];
  return [...new Set(all)]
    .filter((home) => !ofSystem.test(home) && lookAt(home)?.isDirectory() === true)
    .filter((home) => !roots.some((root) => isInside(root, home)))
    .sort((one, other) => one.length - other.length);
}

/** A root that is a home, holds one, or is a folder of settings in one: `~`, `/home`, `~/.config`. */
function isHomely(root: string, owns: readonly string[], closed: ClosedPlaces): boolean {
  return owns.some(
    (home) =>
      isInside(root, home) || (isInside(home, root) && /\/\./u.test(root.slice(home.length)) && closed.mayHold(root)),
  );
}

/** Those of these names, or as many of all as are followed. */
const linksIn = (folder: string, names: ReadonlySet<string> | undefined): string[] =>
  names === undefined
    ? entriesOf(folder)
        .filter((entry) => entry.isSymbolicLink())
        .slice(0, mostLinks)
        .map(({ name }) => join(folder, name))
    : [...names].map((name) => join(folder, name)).filter((path) => lookAt(path)?.isSymbolicLink() === true);

/** Tells whether git's settings of a home name files for it to read beside those that are there for each line. */
const namesMore = (home: string): boolean =>
  gitConfigs
    .flatMap((name) => namedFiles(textOf(join(home, name)) ?? ""))
    .map((name) => resolve(home, name.startsWith("~/") ? name.slice(2) : name))
    .some((path) => !gitNames.some((name) => isInside(join(home, name), path)));

function textOf(path: string): string | undefined {
  try {
    const real = realOf(path);
    const found = real === undefined ? undefined : lookAt(real);
    return real !== undefined && found?.isFile() === true && found.size <= longestConfig
      ? readUnlocked(real).toString("utf8")
      : undefined;
  } catch {
    return undefined;
  }
}
