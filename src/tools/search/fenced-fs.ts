import { type Dirent, lstat, readdir, realpath, type Stats, type stat } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../files/boundary.ts";
import type { IgnoreRules } from "./ignore-rules.ts";

type Failure = NodeJS.ErrnoException | null;
type Listed = (error: Failure, entries: Dirent[]) => void;

/** The file system as a walker may see it: what is ignored is not there, and neither is what lies outside the workspace. */
export interface FencedFs {
  readdir(folder: string, options: { withFileTypes: true }, done: Listed): void;
  lstat: typeof lstat;
  stat: typeof stat;
  /** Folders that could not be read. */
  unreadable(): number;
}

/**
 * `top` is where the walk starts.
 * A walk is fenced where it reads, not by its patterns: whatever a pattern says, an ignored folder is never entered and a
 * link never leads out. After an abort every folder is empty, so that the walk ends at once.
 */
export function createFencedFs(workspace: string, top: string, rules: IgnoreRules, signal: AbortSignal): FencedFs {
  /** Where the walk starts, and the folders it came to from there: inside, and not ignored. */
  const safe = new Set<string>([top]);
  let unreadable = 0;

  const whenInside = (folder: string, inside: () => void, outside: () => void): void => {
    if (safe.has(folder)) inside();
    else
      realpath(folder, (error, real) => {
        if (error === null && isInside(workspace, real)) inside();
        else outside();
      });
  };

  const list = (folder: string, done: Listed): void =>
    readdir(folder, { withFileTypes: true }, (error, entries) => {
      if (error !== null) {
        if (error.code === "EACCES" || error.code === "EPERM") unreadable += 1;
        done(null, []);
        return;
      }
      const keep = (): void => {
        const kept = entries.filter((entry) => !rules.ignoresEntry(folder, entry.name, entry.isDirectory()));
        for (const entry of kept) if (entry.isDirectory()) safe.add(join(folder, entry.name));
        done(null, kept);
      };
      rules.load(folder).then(keep, () => done(null, []));
    });

  /** A file that a pattern names outright is looked up without listing its folder. */
  const lookUp = (path: string, ...rest: unknown[]): void => {
    const done = rest.at(-1) as (error: Failure, stats?: Stats) => void;
    const hide = (): void => done(Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" }));
    const unlessIgnored = (): void => {
      rules.ignoresBelow(top, path, false).then((ignored) => (ignored ? hide() : lstat(path, done)), hide);
    };
    whenInside(dirname(path), unlessIgnored, hide);
  };

  return {
    readdir: (folder, _options, done) => {
      const hide = (): void => done(null, []);
      const unlessIgnored = (): void => {
        if (safe.has(folder)) list(folder, done);
        else rules.ignoresBelow(top, folder, true).then((ignored) => (ignored ? hide() : list(folder, done)), hide);
      };
      if (signal.aborted) hide();
      else whenInside(folder, unlessIgnored, hide);
    },
    lstat: lookUp as unknown as typeof lstat,
    stat: lookUp as unknown as typeof stat,
    unreadable: () => unreadable,
  };
}
