import { resolve } from "node:path";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";

/** The folders in one of which a command runs, as bash names them; undefined where it may be any. */
export type Folders = readonly string[] | undefined;

/** The folders in which bash stands after a command, by how that ended. */
export interface Ends {
  ok: Folders;
  fail: Folders;
}

/** More than these are not told apart. */
const mostFolders = 4;

export function either(one: Folders, other: Folders): Folders {
  if (one === undefined || other === undefined) return undefined;
  const all = [...new Set([...one, ...other])];
  return all.length > mostFolders ? undefined : all;
}

export const after = ({ ok, fail }: Ends): Folders => either(ok, fail);
export const stay = (folders: Folders): Ends => ({ ok: folders, fail: folders });

/** The one folder, links followed, where it is one. */
export const onlyFolder = (folders: Folders): string | undefined =>
  folders?.length === 1 && folders[0] !== undefined ? kernelPath("/", folders[0]) : undefined;

const movers = new Set(["cd", "pushd", "popd"]);
export const isMover = (program: string | null | undefined): boolean =>
  typeof program === "string" && movers.has(program);

/**
 * Finds the folders that `cd` and its like lead to. Bash goes by the names that it came by, so `..` is taken off the name.
 * @param home undefined where it is not known.
 */
export function moved(argv: readonly (string | null)[], folders: Folders, home: string | undefined): Ends {
  const [program, ...words] = argv;
  const isReal = program === "cd" && words[0] === "-P";
  const rest = isReal || (program === "cd" && words[0] === "-L") ? words.slice(1) : words;
  const targets = rest[0] === "--" ? rest.slice(1) : rest;
  const asked = targets.length === 0 && program === "cd" ? home : targets[0];
  const isPlain = program !== "popd" && targets.length <= 1 && typeof asked === "string";
  if (!isPlain || /^[-+]/u.test(asked) || folders === undefined) return { ok: undefined, fail: folders };
  // A name that does not begin with a dot or a slash may be looked for along CDPATH: nobody passes one to a command.
  const reached = isReal ? (sentTo(asked, folders) ?? []) : folders.map((folder) => resolve(folder, asked));
  return { ok: reached.some((folder) => folder.length > longestPath) ? undefined : reached, fail: folders };
}

/** Finds the folders to which a program goes that is told a folder to begin in: as the kernel follows it. */
export function sentTo(folder: string, folders: Folders): Folders {
  if (folder.length > longestPath) return undefined;
  if (folder.startsWith("/")) return [kernelPath("/", folder)];
  return folders?.map((from) => kernelPath(kernelPath("/", from), folder));
}
