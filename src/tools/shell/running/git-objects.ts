import type { PlannedCommand } from "../../../core/command.ts";
import { type Bounds, rootsOf } from "../../../core/tool.ts";
import { isInside } from "../../../files/boundary.ts";
import { kernelPath } from "../../../files/kernel-path.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { type AskGit, hashNames, isAskedForMore, namesShown, showsObjects } from "../reading/git-names.ts";
import { readGit } from "../reading/git-words.ts";

// Keeps tools 8.
/** So many names stand in a plan as they are. */
const mostTold = 100;
/** So many that are not read without asking; one of them asks. */
const mostClosed = 20;

/**
 * Says of each command that shows what git keeps which files those are, as far as that is known: how many, and by their names those that are
 * not read without asking.
 * @param isClosed by a real path
 */
export async function withObjects(
  commands: readonly PlannedCommand[],
  { place, isClosed, ask }: { place: Bounds; isClosed(real: string): boolean; ask: AskGit },
): Promise<PlannedCommand[]> {
  const told: PlannedCommand[] = [];
  for (const command of commands) told.push(showsObjects(command) ? await withNames(command) : command);
  return told;

  async function withNames(command: PlannedCommand): Promise<PlannedCommand> {
    const names = await namesShown(command, ask);
    if (names === undefined) {
      const unnamed = { ...command, why: command.why ?? unnamedWords(command) };
      return isAskedForMore(command) ? { ...unnamed, understood: false } : unnamed;
    }
    const found = names.map((asked) => ({ asked, real: kernelPath("/", asked), access: "read" as const }));
    const closed = found.filter(({ asked, real }) =>
      [asked, real].some((path) => isClosed(path) || !rootsOf(place).some((root) => isInside(root, path))),
    );
    return {
      ...command,
      paths: [...command.paths, ...closed.slice(0, mostClosed)],
      objects: { count: names.length, sha: hashNames(names), names: names.slice(0, mostTold) },
    };
  }
}

/** Says why git was not taken for one that shows what may be read, in words that can follow "because". */
const unnamedWords = ({ argv: [, ...words] }: PlannedCommand): string =>
  /^(?:remote|config)$/u.test(readGit(words)?.verb ?? "") ? shellReaders.may_show_password : shellReaders.unsaid_files;

/** Tells whether git would still show just those files. */
export async function areSameObjects(commands: readonly PlannedCommand[], ask: AskGit): Promise<boolean> {
  for (const command of commands) {
    if (command.objects === undefined) continue;
    const names = await namesShown(command, ask);
    if (names === undefined || hashNames(names) !== command.objects.sha) return false;
  }
  return true;
}
