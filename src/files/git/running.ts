import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { kernelPath } from "../kernel-path.ts";
import { NotFollowed, textAt } from "./bounded-text.ts";
import { indexLinks } from "./index-links.ts";
import { leadsAway } from "./leads-away.ts";
import { type GitData, type Repository, repositoriesAt } from "./repository.ts";
import { fullName, readSettings, type Setting } from "./settings.ts";
import type { UserSettings } from "./user-settings.ts";
import { isObeyedWhenRead, linesObeyedWhenRead } from "./working-keys.ts";

/** The programs that repositories may make git run that is only asked what there is. */
export interface Running {
  /** Something would run, unless git is given `settings`. */
  runs: boolean;
  /** The same of the repositories that the index leads into, at any depth. */
  linksRun: boolean;
  /** The settings that keep it from that, beside `always`: values by the full names of settings. */
  settings: ReadonlyMap<string, string>;
  /** Commits have notes, which git shows with them. */
  hasNotes: boolean;
  /** With its index git may write objects of its own, or their times, also where it is only asked what there is. */
  writesObjects: boolean;
  /** Settings that nothing keeps git from obeying, or what could not be followed; in words. */
  beyond: readonly string[];
}

/**
 * Whatever a repository says, git that is given these runs no monitor and no hook, in submodules neither; shows
 * nothing of what is in submodules; of a merge, by `-m`, what differs from each of its parents; and no object in the place of another one, for which a git before 2.42 takes a setting over its environment.
 */
export const always: ReadonlyMap<string, string> = new Map([
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["log.showSignature", "false"],
  ["diff.submodule", "short"],
  ["log.diffMerges", "separate"],
  ["core.useReplaceRefs", "false"],
]);

/** For a git that is not itself asked for signatures: a format of settings may, and their checker writes in its folder and may ask a server for keys. */
export const uncheckedSignatures: ReadonlyMap<string, string> = new Map(
  ["gpg", "gpg.openpgp", "gpg.x509", "gpg.ssh"].map((section) => [`${section}.program`, "false"]),
);

/** To tell the state git may write its index, and runs this hook then. */
const indexHook = "post-index-change";

/** More repositories lie in none that is known; and in one another. */
const mostRepositories = 2_000;
/** More settings are given to no git. */
const mostSettings = 300;

/**
 * Follows the repositories, and all that their indexes lead into, as `git status` does. What cannot be followed may run anything.
 * @param user whose own settings are theirs: git runs what they name for them everywhere.
 */
export function runningIn(repositories: readonly Repository[], user: UserSettings): Running {
  const found = new Collected(user);
  const open = repositories.map((repository) => ({ repository, isLink: false }));
  const met = new Set<string>();
  try {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { repository, isLink } = next;
      const key = `${repository.at}\n${repository.own}`;
      if (met.has(key)) continue;
      met.add(key);
      if (met.size > mostRepositories) throw new NotFollowed("more repositories than are looked through");
      found.isLink = isLink;
      const settings = found.take(repository);
      for (const at of linkedFrom(repository, settings))
        for (const inner of repositoriesAt(at)) open.push({ repository: inner, isLink: true });
    }
  } catch (error) {
    if (!(error instanceof NotFollowed)) throw error;
    found.beyond.push("what git would read there cannot be followed");
    found.isLink = true;
    found.mark();
  }
  return found;
}

/** Folders that git goes into as repositories to tell the state of a working tree. @throws NotFollowed */
export const reachedFrom = (at: string, { own, common }: GitData): string[] =>
  linkedFrom(
    { at, own, isBare: false },
    settingsFiles({ own, common }).flatMap((file) => readSettings(textAt(file) ?? "")),
  );

/** Folders of the working tree that git goes into as repositories. */
function linkedFrom(
  { at, own, isBare }: Pick<Repository, "at" | "own" | "isBare">,
  settings: readonly Setting[],
): string[] {
  const isLong = settings.some(({ key, value }) => key === "objectformat" && value?.toLowerCase() === "sha256");
  return isBare ? [] : indexLinks(own, isLong ? 32 : 20).map((name) => join(at, name));
}

/** Files of settings of a repository: its own, and those that worktrees share. */
export const settingsFiles = ({ own, common }: Pick<Repository, "own" | "common">): string[] =>
  [...new Set([own, common])].flatMap((folder) => ["config", "config.worktree"].map((name) => join(folder, name)));

class Collected implements Running {
  runs = false;
  linksRun = false;
  writesObjects = false;
  hasNotes = false;
  isLink = false;
  readonly settings = new Map<string, string>();
  readonly beyond: string[] = [];
  readonly #user: UserSettings;

  constructor(user: UserSettings) {
    this.#user = user;
  }

  mark(): void {
    this.runs = true;
    this.linksRun ||= this.isLink;
  }

  /** @returns the settings of the repository. @throws NotFollowed */
  take(repository: Repository): Setting[] {
    const all = settingsFiles(repository).flatMap(settingsOf);
    for (const setting of all) if (isObeyedWhenRead(setting.key)) this.#takeOne(setting, repository);
    this.hasNotes ||= holdsNotes(repository) || all.some(namesNotes);
    this.writesObjects ||= all.some(isSparse) || isInParts(repository);
    if (leadsAway(repository)) {
      this.mark();
      this.beyond.push("a link, or a second name of a file, in git's folder");
    }
    if (hooksIn(join(repository.common, "hooks")).includes(indexHook)) this.mark();
    return all;
  }

  #takeOne(setting: Setting, repository: Repository): void {
    const { section, key, value = "" } = setting;
    const name = fullName(setting);
    // A submodule's data lies elsewhere, and leads back to it.
    if (section === "core" && key === "worktree" && kernelPath(repository.own, value) === repository.at) return;
    if (section === "core" && key === "hookspath" && !mayHoldHook(value, repository)) return;
    if (this.#user.holds(setting)) return;
    this.mark();
    const kept = this.#keep(setting, name);
    if (!kept) this.beyond.push(name);
  }

  /** Tells whether git can be kept from obeying it, and notes the settings for that. */
  #keep({ section, name, key }: Setting, full: string): boolean {
    if (name !== undefined && /[=\n\0]/u.test(name)) return false;
    if (section === "core" && (key === "fsmonitor" || key === "hookspath")) return true;
    if (section === "log" && key === "showsignature") return true;
    if (section === "filter" && name !== undefined) return this.#keepFilter(name, key);
    const harmless = harmlessProgram(section, key) ?? harmlessFile(full, this.#user);
    if (harmless !== undefined) this.#give(full, harmless);
    // The user's own would have it write down what it was given in place of that.
    if (section === "diff" && key === "textconv") this.#give(full.replace(/textconv$/u, "cachetextconv"), "false");
    return harmless !== undefined;
  }

  /** A filter is the user's as a whole, or none at all: an empty process keeps git from the others. */
  #keepFilter(name: string, key: string): boolean {
    const isUsers = this.#user.hasFilter(name);
    if (isUsers && this.#user.filterValue(name, key) === undefined) return false;
    for (const one of ["clean", "smudge", "process", "required"]) {
      const value = this.#user.filterValue(name, one) ?? (one === "required" ? "false" : "");
      if (!isUsers || this.#user.filterValue(name, one) !== undefined) this.#give(`filter.${name}.${one}`, value);
    }
    return true;
  }

  #give(name: string, value: string): void {
    if (this.settings.size >= mostSettings) throw new NotFollowed("more settings than are given to git");
    this.settings.set(name, value);
  }
}

/** @throws NotFollowed also where more in it looks like what git obeys than was read so */
function settingsOf(file: string): Setting[] {
  const text = textAt(file) ?? "";
  const settings = readSettings(text);
  if (linesObeyedWhenRead(text) > settings.filter(({ key }) => isObeyedWhenRead(key)).length)
    throw new NotFollowed(file);
  return settings;
}

/**
 * Returns the program that git may run in place of one that shows a content, or signs or connects: the content as it is, or nothing; and that it
 * keeps nothing of what the user's own gave.
 */
function harmlessProgram(section: string, key: string): string | undefined {
  if (section === "diff" && key === "textconv") return "cat";
  if (section === "diff" && key === "cachetextconv") return "false";
  if (section === "gpg" && (key === "program" || key === "defaultkeycommand")) return "false";
  return section === "core" && (key === "sshcommand" || key === "alternaterefscommand") ? "false" : undefined;
}

/**
 * Returns the file that git reads in place of one that may be any of the disk or of what it keeps, one that is not read unasked, too: nothing, or the
 * one that it would read without that setting.
 */
function harmlessFile(name: string, { excludesFile }: UserSettings): string | undefined {
  if (name === "core.excludesfile") return excludesFile;
  if (name === "mailmap.blob") return "";
  return name === "mailmap.file" || name === "diff.orderfile" ? "/dev/null" : undefined;
}

/** Of a sparse index git makes folders whole, or puts them together again, as objects; of one in parts it notes that it was used (`git-index-format`). */
const isSparse = ({ section, key }: Setting): boolean =>
  (section === "index" && key === "sparse") || (section === "core" && key.startsWith("sparsecheckout"));
const isInParts = ({ own }: Pick<Repository, "own">): boolean =>
  namesIn(own).some((name) => name.startsWith("sharedindex."));

/** Tells whether it has references of notes; of more packed ones than are read it may. */
function holdsNotes({ common }: Repository): boolean {
  if (namesIn(join(common, "refs/notes")).length > 0 || namesIn(common).includes("reftable")) return true;
  try {
    return textAt(join(common, "packed-refs"))?.includes(" refs/notes/") === true;
  } catch (error) {
    if (error instanceof NotFollowed) return true;
    throw error;
  }
}

const namesNotes = ({ section, key }: Setting): boolean =>
  (section === "core" && key === "notesref") || (section === "notes" && key === "displayref");

function mayHoldHook(value: string, { at }: Repository): boolean {
  return !/^[\w./-]+$/u.test(value) || hooksIn(kernelPath(at, value)).includes(indexHook);
}

/** Names of the hooks in a folder that git would run: git's own examples are none. */
export function hooksIn(folder: string): string[] {
  return namesIn(folder).filter((name) => !name.endsWith(".sample") && isRunnable(join(folder, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
