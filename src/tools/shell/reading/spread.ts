import type { Redirection, Word } from "unbash";
import type { PlannedCommand } from "../../../core/command.ts";
import { rootsOf } from "../../../core/tool.ts";
import { feedsNames, goesThroughFolders, readsFiles } from "./content-readers.ts";
import { cutWarning, type Expansion, expansionOf, mostWays } from "./expansions.ts";
import type { LineState } from "./line-state.ts";
import { mentionedFiles } from "./mentioned-files.ts";
import type { Words } from "./options.ts";
import type { Use } from "./programs.ts";
import { readProgram } from "./read-program.ts";
import { fixedValue } from "./words.ts";

interface Spread {
  /** Files that words can come to name that are known only when the command runs. */
  uses: Use[];
  /** As `PlannedCommand.reaches`, before it is settled: nothing in a list says that its words can come to anything, but that it does not read by them. */
  reaches?: "any" | string[];
  /** As `PlannedCommand.heads`. */
  heads?: string[];
}

/** Finds the values that the words of a command, and the files that it is redirected from, can come to. @throws TooMuch */
export function spreadOf(
  argv: Words,
  open: readonly Word[],
  redirects: readonly Redirection[],
  standing: LineState,
): Spread {
  const sources = redirects.flatMap((node) => sourceOf(node, standing.home) ?? []);
  const [name] = argv;
  const read = readProgram(argv);
  const isList = read?.reachesAny === true;
  if (open.length + sources.length === 0) return isList ? { uses: [], reaches: "any" } : { uses: [] };
  const words = read?.namesNoFile === true ? [] : open.map((word) => expansionOf(word, standing));
  const from = sources.map((word) => expansionOf(word, standing));
  if ([...words, ...from].some(({ isCut }) => isCut)) standing.binder.warnings.add(cutWarning);
  // The folders that are worked in are no names of others'.
  const roots = rootsOf(standing.place);
  const named = (path: string) => (read?.tells === "names" && !roots.includes(path) ? { named: true as const } : {});
  const become = new Set(words.flatMap(({ paths }) => paths));
  const matched = matchedOf(words);
  const noted = (use: Use): Use => {
    const patterns = matched.get(use.path);
    return patterns === undefined ? use : { ...use, matched: patterns };
  };
  const mentioned =
    read?.tells === "names" ? [] : mentionedFiles(["", ...become], standing.folders, standing.place, standing.left);
  const uses = [
    ...[...become].map((path) => noted({ path, access: "read", ...named(path) })),
    ...mentioned.filter(({ path }) => !become.has(path)),
    ...from.flatMap(({ paths }) => paths.map((path): Use => ({ path, access: "read" }))),
  ];
  const heads = [...new Set([...words, ...from].flatMap((one) => one.heads))];
  const found = { uses, ...(heads.length === 0 ? {} : { heads }) };
  const isOpen = words.some((one) => one.isOpen);
  if (isList || from.some((one) => one.isOpen) || (isOpen && typeof name === "string" && readsFiles(name)))
    return { ...found, reaches: "any" };
  return isOpen ? { ...found, reaches: [] } : found;
}

/** Finds the paths that patterns stand for, and no word names otherwise: with the numbers of the patterns among the command's. */
function matchedOf(words: readonly Expansion[]): ReadonlyMap<string, number[]> {
  const all = new Map<string, number[]>();
  for (const [word, { matched }] of words.entries())
    for (const [path, ways] of matched)
      all.set(path, [...(all.get(path) ?? []), ...ways.map((way) => word * mostWays + way)]);
  for (const { paths, matched } of words) for (const path of paths) if (!matched.has(path)) all.delete(path);
  return all;
}

/** The file that it reads from, where that is not known before it runs. */
function sourceOf(node: Redirection, home: string | undefined): Word | undefined {
  if (node.type !== "Redirect" || !/^<>?$/u.test(node.operator) || node.target === undefined) return undefined;
  return fixedValue(node.target, home) === null ? node.target : undefined;
}

/**
 * Says of each command of a line where it may read beyond what it names, by what starts it too: a word that the starter does not know is
 * none that it knows, and `xargs` gives it names that nobody wrote.
 */
export function settleReaches(commands: readonly PlannedCommand[], roots: readonly string[]): void {
  const found = commands.map((command, at) => reachesOf(command, startersOf(commands, at), roots));
  for (const [at, command] of commands.entries()) {
    const reaches = found[at];
    if (reaches === undefined) delete command.reaches;
    else command.reaches = reaches;
  }
}

function reachesOf(
  { argv, reaches, paths, tells }: PlannedCommand,
  starters: readonly PlannedCommand[],
  roots: readonly string[],
): "any" | string[] | undefined {
  if (reaches === "any") return "any";
  const [name] = argv;
  const reads = typeof name === "string" && readsFiles(name);
  if (reads && argv.includes(null) && starters.some((one) => one.reaches !== undefined)) return "any";
  if (goesThroughFolders(argv) || (reads && starters.some((one) => feedsNames(one.argv[0])))) return [...roots];
  const deep = paths.filter((path) => path.access === "read" && path.deep === true && tells !== "names");
  return deep.length === 0 ? undefined : [...new Set(deep.map(({ real }) => real))];
}

function startersOf(commands: readonly PlannedCommand[], at: number): PlannedCommand[] {
  const starters: PlannedCommand[] = [];
  for (let by = commands[at]?.startedBy; by !== undefined && by < at; by = commands[by]?.startedBy)
    starters.push(...commands.slice(by, by + 1));
  return starters;
}
