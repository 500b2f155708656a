import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { isInside, isKernelTree } from "../../files/boundary.ts";
import { gitFolderLook } from "../../files/git/folder.ts";
import { decide } from "../../policy/decide.ts";
import { addedFolders as words } from "../../words/en/added-folders.ts";
import { CliProblem, type ProblemKind } from "../problem.ts";

export interface AddDirSources {
  /** Of `--add-dir`, relative to `cwd`. */
  flags: readonly string[];
  /** Of the user's config.json: absolute, or below `~/`. */
  config: readonly string[];
  configFile: string;
  cwd: string;
  /** The person's, as the environment names it. */
  home: string | undefined;
  /** This program's own places, real. */
  own: readonly string[];
}

/**
 * The folders that the person adds to the boundary, each once, real.
 * @throws CliProblem for what is no folder, and for one that nothing protects or all of which is protected: it names the folder, and
 *   is usage where it comes from a flag, else configuration.
 */
export async function addedFolders({ flags, config, configFile, ...at }: AddDirSources): Promise<string[]> {
  const named = [
    ...flags.map((dir) => ({
      dir: resolve(at.cwd, fromHome(dir, at.home)),
      from: "--add-dir",
      kind: "usage" as const,
    })),
    ...config.map((dir) => ({
      dir: fromHome(dir, at.home),
      from: `addDirs of ${configFile}`,
      kind: "configuration" as const,
    })),
  ];
  const found: string[] = [];
  for (const { dir, from, kind } of named) found.push(await folderOf(dir, { kind, from }, at));
  return [...new Set(found)];
}

const fromHome = (dir: string, home: string | undefined): string =>
  home !== undefined && (dir === "~" || dir.startsWith("~/")) ? join(home, dir.slice(1)) : dir;

async function folderOf(
  dir: string,
  { kind, from }: { kind: ProblemKind; from: string },
  { home, own }: Pick<AddDirSources, "home" | "own">,
): Promise<string> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new CliProblem(kind, `${from}: ${why}`, cause === undefined ? {} : { cause });
  };
  if (!isAbsolute(dir)) return refuse(words().relative({ dir }));
  const real = await realpath(dir).catch((cause: unknown) => refuse(words().missing({ dir }), cause));
  if (!(await stat(real)).isDirectory()) return refuse(words().noFolder({ dir }));
  const realHome = home === undefined ? undefined : await realpath(home).catch(() => home);
  if (real === "/" || (realHome !== undefined && isInside(real, realHome))) return refuse(words().holdsHome({ dir }));
  if (isKernelTree("/", real)) return refuse(words().kernel({ dir }));
  const why = sealedWhy(real, own);
  return why === undefined ? real : refuse(why);
}

/** Tells why nothing in it could be used; undefined of most folders. */
function sealedWhy(real: string, own: readonly string[]): string | undefined {
  const isGit = gitFolderLook(real)(real, false);
  const path = { asked: real, real, access: "read" as const, ...(isGit ? { gitDir: true as const } : {}) };
  // Judged as from a workspace elsewhere: what leads to it counts.
  const facts = {
    tool: "",
    effect: "none" as const,
    paths: [path],
    commands: [],
    hosts: [],
    workspace: join(real, "x"),
  };
  const verdict = decide(facts, { rules: [], grants: [], mode: "ask", sealed: { roots: [...own] } });
  return verdict.rule.source === "sealed" ? verdict.why : undefined;
}
