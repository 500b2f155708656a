import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PlannedScript } from "../../core/command.ts";
import { sha256 } from "../../core/json.ts";
import { rootsOf } from "../../core/tool.ts";
import { isInside } from "../../files/boundary.ts";
import { kernelPath, longestPath } from "../../files/kernel-path.ts";
import type { Words } from "./options.ts";
import type { CommandPlace } from "./read-command-line.ts";
import { baseName } from "./wrappers.ts";

/** Larger files are bound by nothing: what they hold is not known. */
const maxScript = 16 * 1024 * 1024;

/** Words of the shell itself: no file is looked for. */
const builtins = new Set(
  `. : [ [[ (( alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/u),
);

/** The file that a program's name means, links followed; undefined for the shell's own words and where there is none. */
export function findProgram(name: string, cwd: string | undefined, path: readonly string[]): string | undefined {
  if (name.length > longestPath) return undefined;
  if (name.includes("/")) return name.startsWith("/") || cwd !== undefined ? kernelPath(cwd ?? "/", name) : undefined;
  if (builtins.has(name)) return undefined;
  const found = path.map((folder) => join(folder, name)).find(isRunnable);
  return found === undefined ? undefined : kernelPath("/", found);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const interpreters =
  /^(?:bash|sh|dash|zsh|ksh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|awk|gawk)$/u;
const runners = /^(?:npm|pnpm|yarn|bun)$/u;
const makes: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
};

/** Files that say what a command does: the program where it lies inside the boundary, a script that an interpreter runs, the file that defines a task. */
export function scriptsOf(
  argv: Words,
  program: string | undefined,
  cwd: string | undefined,
  place: CommandPlace,
): PlannedScript[] {
  const [name, ...words] = argv;
  if (typeof name !== "string" || cwd === undefined) return [];
  const base = baseName(name);
  const roots = rootsOf(place);
  const own = program !== undefined && isWithin(roots, program) ? [program] : [];
  const operand = interpreters.test(base) ? words.find((word) => word === null || !word.startsWith("-")) : undefined;
  const script = typeof operand === "string" && operand.length <= longestPath ? [kernelPath(cwd, operand)] : [];
  const task = makes[base] === undefined ? undefined : fileAbove(cwd, makes[base], roots);
  const whole = [...own, ...script, ...(task === undefined ? [] : [task])].map((path) => hashed(path));
  return [...whole.filter((one) => one !== undefined), ...packageScript(base, words, cwd, roots)];
}

const isWithin = (roots: readonly string[], path: string): boolean => roots.some((root) => isInside(root, path));

function fileAbove(cwd: string, names: readonly string[], roots: readonly string[]): string | undefined {
  for (let at = cwd; isWithin(roots, at); at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find((path) => bytesOf(path) !== undefined);
    if (found !== undefined) return kernelPath("/", found);
    if (dirname(at) === at) return undefined;
  }
  return undefined;
}

/** `npm test` and `npm run test` run what package.json has under that name. */
function packageScript(base: string, words: Words, cwd: string, roots: readonly string[]): PlannedScript[] {
  if (!runners.test(base)) return [];
  const plain = words.filter((word) => typeof word === "string" && !word.startsWith("-"));
  const [verb, next] = plain;
  const name =
    verb === "run" || verb === "run-script" || verb === "rum" ? next : verb === "t" || verb === "tst" ? "test" : verb;
  const path = fileAbove(cwd, ["package.json"], roots);
  const script = path === undefined ? undefined : hashed(path);
  if (script === undefined || typeof name !== "string") return script === undefined ? [] : [script];
  const text = scriptText(script.path, name);
  return [{ ...script, name, ...(text === undefined ? {} : { text }) }];
}

function scriptText(path: string, name: string): string | undefined {
  try {
    const { scripts } = JSON.parse(bytesOf(path)?.toString("utf8") ?? "") as { scripts?: Record<string, unknown> };
    const text = scripts !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined; // the runner will say what is wrong with it
  }
}

function hashed(path: string): PlannedScript | undefined {
  const bytes = bytesOf(path);
  return bytes === undefined ? undefined : { path, sha: sha256(bytes) };
}

function bytesOf(path: string): Buffer | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxScript ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
