import type { Plan } from "../../core/tool.ts";
import { run as words } from "../../words/en/run.ts";

/**
 * Tells where a command runs and what it can reach from there, in words; empty for a plan without a command.
 * @param place its folder, as people read it
 */
export function surroundingsText({ command, sandbox, network, apart }: Plan, place: string): string {
  if (command === undefined || sandbox === undefined) return "";
  return apart === true
    ? words().apart({ place })
    : words().surroundings({ place, sandbox, network: network === true });
}
