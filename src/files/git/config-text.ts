import { constants, fstatSync, readSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { closeUnlocked, openUnlocked } from "../locked-files.ts";
import { dataBehind } from "./repository.ts";

/** One line of git's settings, section and key in lower case; a section's second name is left out. */
interface Setting {
  section: string;
  key: string;
  value: string;
}

/**
 * The files and folders that git runs, or takes more settings from, because its settings name them. Absolute, links resolved where they are there.
 */
export interface NamedByGit {
  /** Folders of hooks, and of templates for them. */
  hooks: string[];
  files: string[];
}

/** The places that relative names in a file of settings lead to. */
interface Around {
  /** The folder that git runs programs in; undefined for settings of no one repository. */
  root: string | undefined;
  home: string | undefined;
}

/** Keys whose value is a command line, by their last word, whatever section they stand in. */
const commandKeys = new Set(
  `fsmonitor clean smudge process textconv command cmd external program sshcommand gitproxy alternaterefscommand
  defaultkeycommand pager editor askpass helper driver difffilter packobjectshook recentobjectshook sendmailcmd tocmd
  cccmd headercmd smtpserver`
    .trim()
    .split(/\s+/u),
);
const folderKeys = new Set(["hookspath", "templatedir"]);

const mostBytes = 1_000_000;
/** More of them nobody has. */
const mostNamed = 1_000;
/** More files of settings, each with those that it includes, nobody has. */
const mostFiles = 100;

/**
 * Finds the files and folders that a file of settings names, and the files that it includes, each read once. One that cannot be read names nothing.
 * @param known the files that were read already
 */
function namedInConfig(file: string, around: Around, known = new Set<string>()): NamedByGit {
  if (known.has(file) || known.size >= mostFiles) return { hooks: [], files: [] };
  known.add(file);
  const base = around.root ?? around.home ?? dirname(file);
  const at = (path: string, from = base): string => realOrAsIs(fromHome(path, from, around.home));
  const namedBy = ({ section, key, value }: Setting): NamedByGit => {
    if (folderKeys.has(key)) return { hooks: [at(value)], files: [] };
    if (section.startsWith("include") && key === "path") {
      const included = at(value, dirname(file));
      return joined([{ hooks: [], files: [included] }, namedInConfig(included, around, known)]);
    }
    if (key === "attributesfile") return { hooks: [], files: [at(value)] };
    const isCommand = commandKeys.has(key) || section === "pager" || section === "alias";
    return { hooks: [], files: isCommand ? filesOf(value).map((word) => at(word)) : [] };
  };
  const settings = settingsIn(textOf(file)).filter(({ value }) => value !== "");
  return joined(settings.map(namedBy));
}

/** Words of a command line that are files, as far as they can be told: a program with a slash in it, and what it is given to run. */
function filesOf(command: string): string[] {
  const words = command.replace(/^!/u, "").match(/[^\s"'`;|&()<>$]+/gu) ?? [];
  return words.filter((word, at) => !word.startsWith("-") && (word.includes("/") || (at > 0 && word.includes("."))));
}

function fromHome(path: string, from: string, home: string | undefined): string {
  if (path === "~" || path.startsWith("~/")) return join(home ?? "/", path.slice(1));
  return isAbsolute(path) ? path : resolve(from, path);
}

function realOrAsIs(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function settingsIn(text: string): Setting[] {
  const found: Setting[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/gu, "").split("\n")) {
    const head = /^\s*\[\s*([^\s\]".]*)/u.exec(line);
    const end = head === null ? 0 : line.indexOf("]", head[0].length) + 1;
    if (end > 0) section = (head?.[1] ?? "").toLowerCase();
    const [, key = "", value = ""] = /^\s*([a-z][\w-]*)\s*=\s*(.*)$/isu.exec(line.slice(end)) ?? [];
    if (key !== "") found.push({ section, key: key.toLowerCase(), value: unquoted(value) });
  }
  return found;
}

/** A comment behind the value is not part of it, unless it stands in quotes. */
function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/u.exec(value.trim())?.[1];
  return quoted === undefined ? value.replace(/(?:^|\s)[;#].*$/su, "").trim() : quoted.replace(/\\(.)/gu, "$1");
}

/** "" where there is nothing that can be read. Waits for nothing. */
function textOf(path: string): string {
  let file: number | undefined;
  try {
    file = openUnlocked(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > mostBytes) return "";
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeUnlocked(file);
  }
}

/** Finds the files and folders that the settings of the repository with this root name; those that cannot be followed name nothing. */
export function namedByRepository(root: string, home: string | undefined): NamedByGit {
  return namedByFolders(settingsFolders(root), root, home);
}

/** The folders with its settings: its own, and the one that worktrees share. */
function settingsFolders(root: string): string[] {
  try {
    const data = dataBehind(join(root, ".git"));
    return data === undefined ? [] : [...new Set([data.own, data.common])];
  } catch {
    return [join(root, ".git")];
  }
}

/** Finds the files and folders that the settings in these folders of git's data name. @param root where git runs programs for them. */
export function namedByFolders(folders: readonly string[], root: string, home: string | undefined): NamedByGit {
  const files = [...new Set(folders)].flatMap((folder) =>
    ["config", "config.worktree"].map((name) => join(folder, name)),
  );
  return joined(files.map((file) => namedInConfig(file, { root, home })));
}

/** Finds the files and folders that the user's own settings name, for every repository. */
export function namedByUser(home: string): NamedByGit {
  const files = [join(home, ".gitconfig"), join(home, ".config", "git", "config")];
  return joined(files.map((file) => namedInConfig(file, { root: undefined, home })));
}

const joined = (named: readonly NamedByGit[]): NamedByGit => ({
  hooks: named.flatMap(({ hooks }) => hooks).slice(0, mostNamed),
  files: named.flatMap(({ files }) => files).slice(0, mostNamed),
});
