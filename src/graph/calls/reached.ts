import type { PlannedCommand } from "../../core/command.ts";
import type { ClosedPlaces } from "../../core/tool.ts";
import type { CallFacts } from "../../policy/types.ts";
import { closedIn } from "../../tools/shell/running/sandbox-masks.ts";

/**
 * Says of each command that goes through folders which place it would come upon that is not read without asking. In the sandbox nothing is
 * said: there such places are kept from it. Where there is more than is looked through, it may read any.
 */
export function withReached(facts: CallFacts, closed: () => ClosedPlaces): CallFacts {
  if (facts.sandbox === true || !facts.commands.some(({ reaches }) => Array.isArray(reaches))) return facts;
  const judge = closed();
  const said = (command: PlannedCommand): PlannedCommand => {
    if (!Array.isArray(command.reaches)) return command;
    const { places, isCut } = closedIn(command.reaches, judge);
    const [comesUpon] = places;
    if (comesUpon !== undefined) return { ...command, comesUpon };
    return isCut ? { ...command, reaches: "any" } : command;
  };
  return { ...facts, commands: facts.commands.map(said) };
}
