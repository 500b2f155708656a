import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** A link in the home and what it leads to, both absolute; `real` without links. */
export interface HomeLink {
  path: string;
  real: string;
}

/** The folders in which programs look for their files, and people keep links to the folder that they really keep them in. */
const folders = [
  ".",
  ".config",
  ".config/autostart",
  ".config/fish",
  ".config/git",
  ".config/holdfast",
  ".config/systemd/user",
  ".ssh",
];

/** More links than this nobody has in one folder. */
const mostLinks = 1_000;

/** The links in a home by which its settings lie elsewhere, as `~/.bashrc -> ~/dotfiles/bashrc`. What leads nowhere is left out. */
export function homeLinks(home: string): HomeLink[] {
  return folders.flatMap((folder) => linksIn(join(home, folder)));
}

function linksIn(folder: string): HomeLink[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.slice(0, mostLinks).flatMap(({ name }) => linkAt(join(folder, name)));
  } catch {
    return []; // not there, or not to be looked at
  }
}

function linkAt(path: string): HomeLink[] {
  try {
    return [{ path, real: realpathSync(path) }];
  } catch {
    return [];
  }
}
