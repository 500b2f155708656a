import { isAbsolute, join, resolve } from "node:path";
import { textAt } from "./bounded-text.ts";
import { fullName, readSettings, type Setting } from "./settings.ts";

/** The user's own settings of git: the programs that they name run for the user in every repository. */
export interface UserSettings {
  /** Tells whether the setting says the same there; or is one that `git lfs install --local` writes, whose program is found as any other. */
  holds(setting: Setting): boolean;
  /** The file in which git looks for the names to ignore everywhere. */
  excludesFile: string;
  hasFilter(name: string): boolean;
  filterValue(name: string, key: string): string | undefined;
}

/** Files that include each other, and how many of them are read. */
const mostFiles = 30;

/** `git lfs install --local` writes these. */
const lfs: Readonly<Record<string, RegExp>> = {
  "filter.lfs.clean": /^git-lfs clean -- %f$/u,
  "filter.lfs.smudge": /^git-lfs smudge (?:--skip )?-- %f$/u,
  "filter.lfs.process": /^git-lfs filter-process(?: --skip)?$/u,
};

/**
 * Reads the settings of the system and of the user as git does for them (`git-config`, FILES). What cannot be read holds nothing.
 * @param home HOME of git's environment; @param config XDG_CONFIG_HOME of it.
 */
export function userSettings(home: string | undefined, config: string | undefined): UserSettings {
  const folder = home === undefined ? undefined : join(config ?? join(home, ".config"), "git");
  const own = home === undefined || folder === undefined ? [] : [join(folder, "config"), join(home, ".gitconfig")];
  const values = new Map<string, string>();
  const met = new Set<string>();
  for (const file of ["/etc/gitconfig", ...own]) readInto(values, file, home, met);
  const filterValue = (name: string, key: string) => values.get(`filter.${name}.${key}`);
  return {
    holds: (setting) => {
      const { value = "" } = setting;
      const name = fullName(setting);
      return values.get(name) === value || lfs[name]?.test(value) === true;
    },
    excludesFile: values.get("core.excludesfile") ?? (folder === undefined ? "/dev/null" : join(folder, "ignore")),
    hasFilter: (name) => ["clean", "smudge", "process"].some((key) => filterValue(name, key) !== undefined),
    filterValue,
  };
}

function readInto(values: Map<string, string>, file: string, home: string | undefined, met: Set<string>): void {
  if (met.has(file) || met.size >= mostFiles) return;
  met.add(file);
  for (const setting of settingsOf(file)) {
    const { section, key, value = "" } = setting;
    values.set(fullName(setting), value);
    if (!section.startsWith("include") || key !== "path") continue;
    const path = value.startsWith("~/") ? join(home ?? "/", value.slice(2)) : value;
    readInto(values, isAbsolute(path) ? path : resolve(file, "..", path), home, met);
  }
}

function settingsOf(file: string): Setting[] {
  try {
    return readSettings(textAt(file) ?? "");
  } catch {
    return [];
  }
}
