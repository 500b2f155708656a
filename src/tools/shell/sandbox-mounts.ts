import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import { textAt } from "../../files/git/bounded-text.ts";
import { obeyed } from "../../files/git/places.ts";
import { dataBehind } from "../../files/git/way.ts";
import type { Mount } from "./sandbox.ts";

/** Where a command's sandbox is; all absolute, links followed where they are there. */
export interface SandboxPlaces {
  /** The workspace, and the folders that the person added to it. */
  roots: readonly string[];
  cwd: string;
  home?: string;
  /** A folder of ours for caches and temporaries; without it both are gone after the command. */
  scratch?: string;
  /** Our own places: what is in them is not seen. */
  hidden: readonly string[];
  /** What the person lets be written beside the workspace; shown even where it would be hidden. */
  write: readonly string[];
  /** The line is git's own commands: they write in its folder, but not what would run later. */
  isGit: boolean;
}

/** Of a home: keys, tokens, passwords, what was typed. Folders and files. */
const secretsOfHome =
  `.ssh .gnupg .aws .azure .kube .docker .password-store .age .mozilla .thunderbird .netrc .npmrc .yarnrc.yml .pypirc .pgpass
  .my.cnf .s3cfg .boto .databrickscfg .vault-token .git-credentials .terraformrc .terraform.d .Xauthority .ICEauthority .wrangler .fly .netlify
  .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json .m2/settings.xml .m2/settings-security.xml
  .gradle/gradle.properties .huggingface .cache/huggingface/token .config/git/credentials .config/gh .config/hub .config/glab-cli
  .config/gcloud .config/op .config/sops .config/rclone .config/doctl .config/containers/auth.json .config/google-chrome .config/chromium
  .config/BraveSoftware .config/Code .local/share/keyrings .local/share/kwalletd .claude .claude.json .codex .gemini
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
  .lesshst .viminfo .local/share/fish/fish_history`.split(/\s+/);

/**
 * What lies over the read-only disk, in its order: /tmp of its own, the workspace and what else may be written, then nothing where
 * secrets and our own places are, then git's folders and ours in the workspace. Looks at the disk; changes nothing.
 */
export function sandboxMounts(places: SandboxPlaces): Mount[] {
  const { roots, scratch, write } = places;
  const hidden = hiddenPlaces(places);
  // What lies deeper comes later: an added folder may hold the workspace, or our own places.
  const over = [...hidden, ...roots.map((at): Mount => ({ at, kind: "writable" }))];
  return [
    scratch === undefined
      ? { at: "/tmp", kind: "nothing" }
      : { at: "/tmp", kind: "writable", from: join(scratch, "tmp") },
    ...over.sort((a, b) => a.at.length - b.at.length),
    ...write.flatMap((path): Mount[] => {
      const real = realOf(path);
      return real === undefined ? [] : [{ at: real, kind: "writable" }];
    }),
    ...(scratch === undefined ? [] : [{ at: scratch, kind: "writable" as const }]),
    ...roots
      .map((root) => join(root, ".holdfast"))
      .filter(isFolder)
      .map((at): Mount => ({ at, kind: "read-only" })),
    ...gitMounts(places),
  ];
}

/** In /tmp only what lies in the workspace is seen at all. */
function hiddenPlaces({ roots, home, hidden }: SandboxPlaces): Mount[] {
  const secrets = home === undefined ? [] : secretsOfHome.map((name) => join(home, name));
  const paths = [...secrets, ...hidden].flatMap((path) => realOf(path) ?? []);
  return [...new Set(paths)]
    .filter((path) => !isInside("/tmp", path) || roots.some((root) => isInside(root, path)))
    .filter((path) => !roots.includes(path))
    .map((at): Mount => (isFolder(at) ? { at, kind: "nothing" } : { at, kind: "nothing", isFile: true }));
}

/**
 * Git's folders of the roots, and those on the way to where the command runs: read-only, or for git's own commands writable but
 * for what git runs or obeys. Each is a mount of its own, so that it cannot be moved aside and made anew.
 */
function gitMounts({ roots, cwd, isGit }: SandboxPlaces): Mount[] {
  const between = new Set(roots.flatMap((root) => foldersBetween(root, cwd)));
  const folders = new Set<string>();
  const files: Mount[] = [];
  for (const path of [...between].map((folder) => join(folder, ".git"))) {
    if (isFolder(path)) folders.add(path);
    else if (isFile(path)) files.push({ at: path, kind: "read-only" });
    for (const folder of linkedFolders(path, roots)) folders.add(folder);
  }
  const all = [...folders].sort((a, b) => a.length - b.length);
  const normal = all.flatMap((folder) => (isGit ? writableGit(folder) : readOnlyGit(folder, roots)));
  return [...files, ...normal, ...[...between].filter((folder) => !folders.has(folder)).flatMap(bareMounts)];
}

/** What lies outside the roots is read-only already. */
const readOnlyGit = (folder: string, roots: readonly string[]): Mount[] =>
  isWithin(roots, folder) ? [{ at: folder, kind: "read-only" }] : [];

function writableGit(folder: string): Mount[] {
  const run = ["hooks", "info"].map((name) => join(folder, name));
  return [
    { at: folder, kind: "writable" },
    ...obeyedFiles(folder),
    ...run.map((at) => (isFolder(at) ? { at, kind: "read-only" as const } : { at, kind: "empty" as const })),
    ...modulesOf(folder).map((at) => ({ at, kind: "read-only" as const })),
  ];
}

const obeyedFiles = (folder: string): Mount[] =>
  obeyed
    .map((name) => join(folder, name))
    .filter(isFile)
    .map((at) => ({ at, kind: "read-only" as const }));

/** A folder that is git's data itself, where a root is one or the command runs in one: what git runs or obeys there stays as it is. */
function bareMounts(folder: string): Mount[] {
  if (!isFile(join(folder, "HEAD")) || !["objects", "refs"].some((name) => isFolder(join(folder, name)))) return [];
  const hooks = join(folder, "hooks");
  return [...obeyedFiles(folder), ...(isFolder(hooks) ? [{ at: hooks, kind: "read-only" as const }] : [])];
}

/** Submodules' folders are as they are: no command of the repository around them has to write there. */
const modulesOf = (folder: string): string[] => {
  const modules = join(folder, "modules");
  return isFolder(modules) ? [modules] : [];
};

/**
 * Where a `.git` leads that is not git's data itself, or shares some: its own folder, and the one that it shares with others. One outside
 * the roots counts only if it leads back, for anybody can write such a file.
 */
function linkedFolders(dotGit: string, roots: readonly string[]): string[] {
  try {
    const data = dataBehind(dotGit);
    if (data === undefined) return [];
    const { own, common } = data;
    const leadsBack = () => realOf(textAt(join(own, "gitdir"))?.trim() ?? "") === dotGit;
    if (!isWithin(roots, own) && !leadsBack()) return [];
    const isShared = isWithin(roots, common) || !isWithin(roots, own);
    return (isShared ? [common, own] : [own]).filter((folder) => isFolder(folder) && looksTaken(folder, common));
  } catch {
    return [];
  }
}

/** Git's data, with or without a HEAD: a folder of anything else is not closed because a file leads there. */
const looksTaken = (folder: string, common: string): boolean =>
  isFile(join(folder, "HEAD")) ||
  (folder === common && isFolder(join(folder, "objects")) && isFolder(join(folder, "refs")));

const isWithin = (roots: readonly string[], path: string): boolean => roots.some((root) => isInside(root, path));

/** The root, and each folder from there to the one below it. */
function foldersBetween(root: string, cwd: string): string[] {
  const folders = [root];
  for (let at = cwd; at !== root && isInside(root, at); at = dirname(at)) folders.push(at);
  return folders;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Not through a link: a mount would follow it to somewhere else. */
const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true;
const isFile = (path: string): boolean => lookAt(path)?.isFile() === true;

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or not to be looked at
  }
}
