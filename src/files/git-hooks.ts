import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "./boundary.ts";
import { openRegular, readBounded } from "./read-regular.ts";

const mostBytes = 1_000_000;

/**
 * The folders that `core.hooksPath` names, in the settings of the repository around a workspace and in those of the user: git runs
 * what lies in them. Absolute, links resolved where there is such a folder. One that holds the workspace itself is left out.
 * @param home the user's; undefined where there is none.
 */
export async function hookFolders(workspace: string, home: string | undefined): Promise<string[]> {
  const repository = await repositoryOf(workspace);
  const settings = [
    ...(repository === undefined
      ? []
      : [join(repository.folder, "config"), join(repository.folder, "config.worktree")]),
    ...(home === undefined ? [] : [join(home, ".gitconfig"), join(home, ".config", "git", "config")]),
  ];
  const named = (await Promise.all(settings.map(hooksPathOf))).flat();
  const folders = named.map((path) => {
    if (path === "~" || path.startsWith("~/")) return join(home ?? "/", path.slice(1));
    return isAbsolute(path) ? path : resolve(repository?.root ?? workspace, path);
  });
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set(real)].filter((folder) => !isInside(folder, workspace));
}

/** The nearest repository, and the folder of its settings, which worktrees share. */
async function repositoryOf(workspace: string): Promise<{ root: string; folder: string } | undefined> {
  for (let at = workspace; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const found = await stat(dot).catch(() => undefined);
    if (found?.isDirectory()) return { root: at, folder: dot };
    if (found?.isFile()) {
      const named = /^gitdir: (.+)$/mu.exec(await textOf(dot))?.[1]?.trim();
      if (named === undefined) return undefined;
      const folder = resolve(at, named);
      const common = (await textOf(join(folder, "commondir"))).trim();
      return { root: at, folder: common === "" ? folder : resolve(folder, common) };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** "" where there is nothing that can be read. */
async function textOf(path: string): Promise<string> {
  try {
    const { handle, stats } = await openRegular(await realpath(path), path);
    return (await readBounded(handle, stats.size, mostBytes, path).finally(() => handle.close())).toString("utf8");
  } catch {
    return "";
  }
}

async function hooksPathOf(file: string): Promise<string[]> {
  const found: string[] = [];
  let section = "";
  for (const line of (await textOf(file)).split("\n")) {
    const head = /^\s*\[([^\]]*)\](.*)$/u.exec(line);
    if (head !== null) section = (head[1] ?? "").trim().toLowerCase();
    const value = /^\s*hookspath\s*=\s*(.*)$/iu.exec(head?.[2] ?? line)?.[1];
    if (section === "core" && value !== undefined) found.push(unquoted(value));
  }
  return found.filter((path) => path !== "");
}

/** A comment behind the value is not part of it, unless it stands in quotes. */
function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/u.exec(value.trim())?.[1];
  return quoted === undefined ? value.replace(/\s[;#].*$/u, "").trim() : quoted.replace(/\\(.)/gu, "$1");
}
