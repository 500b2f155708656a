import type { PlannedCommand } from "../../core/command.ts";
import { type ClosedPlaces, rootsOf } from "../../core/tool.ts";
import type { CallFacts } from "../../policy/types.ts";
import { lookAt } from "../../tools/shell/running/closed-below.ts";
import { closedIn } from "../../tools/shell/running/closed-in.ts";
import { withoutLeftOut } from "../../tools/shell/running/sandbox-masks.ts";

/**
 * Says of each command which file it names that a rule keeps from being read, and of one that goes through folders which place it would come
 * upon that is not read without asking. In the sandbox nothing is said of the latter: there such places are kept from it, and in the reading
 * box so is what a pattern stands for beside others. Where there is more than is looked through, it may read any.
 */
export function withReached(facts: CallFacts, closed: () => ClosedPlaces): CallFacts {
  const judge = closed();
  const isHeld = facts.sandbox === true;
  const inBox = isHeld && facts.effect === "none" && !facts.commands.some(({ outerGit }) => outerGit === true);
  const commands = facts.commands.map((command) => {
    const found = naming(inBox ? withoutLeftOut(command, judge, rootsOf(facts)) : command, judge);
    return isHeld ? found : comingUpon(found, judge, rootsOf(facts));
  });
  return { ...facts, commands };
}

/** What it tells the names of alone, it does not read; and a folder is none of its own. */
function naming(command: PlannedCommand, { isClosed }: ClosedPlaces): PlannedCommand {
  if (command.tells === "names") return command;
  const path = command.paths.find(
    ({ access, deep, asked, real }) =>
      access === "read" && deep !== true && (isClosed(asked) || isClosed(real)) && lookAt(real)?.isDirectory() !== true,
  );
  return path === undefined ? command : { ...command, namesClosed: path.asked };
}

function comingUpon(command: PlannedCommand, judge: ClosedPlaces, roots: readonly string[]): PlannedCommand {
  if (!Array.isArray(command.reaches)) return command;
  const { places, isCut } = closedIn(command.reaches, judge, roots);
  const [comesUpon] = places;
  if (comesUpon !== undefined) return { ...command, comesUpon };
  return isCut ? { ...command, reaches: "any" } : command;
}
