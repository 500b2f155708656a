import { gitEnvironment } from "../../files/git/environment.ts";
import { attest as words } from "../../words/en/attest.ts";
import { CliProblem } from "../problem.ts";
import { type ProgramSpec, runProgram } from "./run-program.ts";

/** One file that a commit leaves in another state than its first parent. */
export interface CommitFile {
  /** From the top of the repository. */
  path: string;
  /** Of git; undefined where the file was not there before. */
  before: string | undefined;
  after: string;
}

export interface Commit {
  /** Of git, whole. */
  id: string;
  parent: string | undefined;
  /** The time of the commit, in milliseconds since the epoch. */
  at: number;
  /** Absolute: the top of the working tree. */
  top: string;
  /** All that lies in it, from the top of the repository. */
  paths: ReadonlySet<string>;
  /** Files with content, as it leaves them; what it takes away and submodules are not among them. */
  files: CommitFile[];
  /** Undefined of more than 16 MiB. */
  blob(id: string): Promise<Buffer | undefined>;
}

/**
 * Git is only asked what it keeps: it follows no replacement, runs nothing that the repository names, and fetches by no protocol, whatever the
 * repository allows: an object that is missing stays missing.
 */
const only = { ...gitEnvironment({ settings: new Map() }), LC_ALL: "C" };
/** Nobody reads more line by line. */
const largest = 16 * 1024 * 1024;
const notOurs = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/** @throws CliProblem where the folder is in no repository, or there is no such commit */
export async function readCommit(asked: string, { cwd, env }: ProgramSpec): Promise<Commit> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !notOurs.includes(name)));
  const clean = { ...own, ...only };
  const git = async (...args: string[]): Promise<Buffer> => {
    const { code, stdout, stderr } = await runProgram("git", args, { cwd, env: clean });
    if (code === 0) return stdout;
    throw new CliProblem("failed", words().noCommit({ asked, why: stderr.trim().split("\n")[0] ?? "" }));
  };
  const id = line(await git("rev-parse", "--verify", "--end-of-options", `${asked}^{commit}`));
  const top = line(await git("rev-parse", "--show-toplevel"));
  const { parent, at } = headOf(String(await git("cat-file", "commit", id)));
  const against = parent === undefined ? ["--root", id] : [parent, id];
  const raw = await git("diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-commit-id", "--no-abbrev", ...against);
  const paths = new Set(String(await git("ls-tree", "-r", "--full-tree", "--name-only", "-z", id)).split("\0"));
  const blob = async (object: string): Promise<Buffer | undefined> =>
    Number(await git("cat-file", "-s", object)) > largest ? undefined : git("cat-file", "blob", object);
  return { id, parent, at, top, paths, files: filesIn(raw), blob };
}

const line = (said: Buffer): string => String(said).replace(/\n$/u, "");

function headOf(text: string): { parent: string | undefined; at: number } {
  const head = text.slice(0, text.indexOf("\n\n"));
  const seconds = /^committer .* (\d+) [+-]\d{4}$/mu.exec(head)?.[1];
  return { parent: /^parent ([0-9a-f]+)$/mu.exec(head)?.[1], at: Number(seconds ?? 0) * 1_000 };
}

/** `:OLDMODE NEWMODE OLD NEW STATUS`, then the path. */
function filesIn(raw: Buffer): CommitFile[] {
  const fields = String(raw).split("\0");
  const files: CommitFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode, before = "", after = ""] = /^:\d+ (\d+) ([0-9a-f]+) ([0-9a-f]+) /u.exec(fields[at] ?? "") ?? [];
    const path = fields[at + 1];
    if (path === undefined || !mode?.startsWith("100") || /^0+$/u.test(after)) continue;
    files.push({ path, after, before: /^0+$/u.test(before) ? undefined : before });
  }
  return files;
}
