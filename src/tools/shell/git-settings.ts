import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Settings with which git runs a program, or reads more settings, also where it is only asked what there is. */
const running =
  /^\s*(?:fsmonitor|clean|smudge|process|textconv|command|external|program|path|alternaterefscommand|sshcommand|gitproxy|showsignature|worktree)\s*(?:=|$)/imu;

/** Whether the repository that a folder is in has settings of its own which may run programs. What cannot be read may. */
export function mayRunBySettings(cwd: string): boolean {
  for (let at = cwd; ; at = dirname(at)) {
    const git = join(at, ".git");
    const kind = statSync(git, { throwIfNoEntry: false });
    if (kind !== undefined) return holdsRunning(kind.isDirectory() ? git : linked(git));
    if (dirname(at) === at) return false;
  }
}

function linked(file: string): string {
  const own = resolve(dirname(file), /^gitdir: (.*)$/mu.exec(textOf(file) ?? "")?.[1] ?? "");
  const common = textOf(join(own, "commondir"))?.trim();
  return common === undefined ? own : resolve(own, common);
}

function holdsRunning(folder: string): boolean {
  const texts = ["config", "config.worktree"].map((name) => textOf(join(folder, name)));
  return texts.some((text) => text !== undefined && running.test(text.replaceAll("]", "]\n")));
}

function textOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}
