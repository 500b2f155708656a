import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../files/boundary.ts";

/** Last words of settings with which git runs a program, or reads more settings, also where it is only asked what there is. */
const readingKeys = `fsmonitor clean smudge process textconv command external program path alternaterefscommand sshcommand gitproxy showsignature
  worktree attributesfile defaultkeycommand promisor partialclone uploadpack vcs`;
/** And those with which it does whatever it is told to: its manual's, by their last words. */
const workingKeys = `hookspath askpass pager editor driver cmd helper difffilter packobjectshook recentobjectshook receivepack uploadarchive
  allow update templatedir sendmailcmd smtpserver tocmd cccmd headercmd tunnel browser viewer httpd insteadof pushinsteadof tool guitool`;

/** What a line may begin with. No line ends: a file of nothing else would be walked to its end from each of them. */
const blanks = "[^\\S\\n\\r\\u2028\\u2029]*";
const keysOf = (names: string): RegExp =>
  new RegExp(`^${blanks}(?:${names.trim().split(/\s+/u).join("|")})\\s*(?:=|$)`, "imu");
const reading = keysOf(readingKeys);
const working = keysOf(`${readingKeys} ${workingKeys}`);
/** Any name in these is one that may run a program. */
const sections = new RegExp(`^${blanks}\\[\\s*(?:alias|pager|include|includeif)\\b`, "imu");
const hooksPath = new RegExp(`^${blanks}hookspath\\s*=(.*)$`, "gimu");

/** What the repository that a folder is in may make git run. */
export interface GitSettings {
  /** Programs, where git is only asked what there is. */
  obeysWhenRead: boolean;
  /** Programs or hooks, whatever git is told to do, and the repository lies below the folders that the person works in: anybody may have made it. */
  obeysStranger: boolean;
}

const quiet: GitSettings = { obeysWhenRead: false, obeysStranger: false };
const any: GitSettings = { obeysWhenRead: true, obeysStranger: true };

/** @param cwd absolute; undefined where it may be any folder. What cannot be read may run anything. */
export function gitSettings(cwd: string | undefined, roots: readonly string[]): GitSettings {
  if (cwd === undefined) return any;
  try {
    for (let at = cwd; ; at = dirname(at)) {
      const git = join(at, ".git");
      const kind = statSync(git, { throwIfNoEntry: false });
      if (kind !== undefined) return settingsOf(kind.isDirectory() ? [git] : linked(git), at, roots);
      if (dirname(at) === at) return quiet;
    }
  } catch {
    return any;
  }
}

function settingsOf(folders: readonly string[], at: string, roots: readonly string[]): GitSettings {
  const texts = folders.flatMap((folder) =>
    ["config", "config.worktree"].map((name) => textOf(join(folder, name)) ?? ""),
  );
  const hooks = folders.flatMap((folder) => hooksIn(join(folder, "hooks")));
  const isOwn = roots.some((root) => isInside(at, root));
  return {
    obeysWhenRead: texts.some((text) => reading.test(lined(text))) || runsAtIndex(texts, hooks, at),
    obeysStranger: !isOwn && (hooks.length > 0 || texts.some(mayRunPrograms)),
  };
}

/** Whether settings of git, as their file has them, may make it run a program. */
export const mayRunPrograms = (text: string): boolean => working.test(lined(text)) || sections.test(text);

const lined = (text: string): string => text.replaceAll("]", "]\n");

/** To tell the state git may write its index, and runs this hook then. */
const indexHook = "post-index-change";

function runsAtIndex(texts: readonly string[], hooks: readonly string[], at: string): boolean {
  if (hooks.includes(indexHook)) return true;
  const named = texts.flatMap((text) => [...lined(text).matchAll(hooksPath)].map(([, path = ""]) => path.trim()));
  return named.some((path) => !/^[\w./-]+$/u.test(path) || hooksIn(resolve(at, path)).includes(indexHook));
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

/** The folder of its own that a `.git` file leads to, and the one that it shares with others. */
function linked(file: string): string[] {
  const own = resolve(dirname(file), /^gitdir: (.*)$/mu.exec(textOf(file) ?? "")?.[1] ?? "");
  const common = textOf(join(own, "commondir"))?.trim();
  return common === undefined ? [own] : [own, resolve(own, common)];
}

function textOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}
