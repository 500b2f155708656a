import { toolSearchName } from "../../core/call.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { planToolName } from "../../core/proposed-plan.ts";
import type { Tool } from "../../core/tool.ts";

/** Returns the text on a call whose name is of none of the tools that whoever made it knows, with the one that was most likely meant. */
export function unknownToolText(asked: string, known: readonly Tool[], agent?: string): string {
  if (asked === planToolName && agent === undefined) return notPlanning;
  const names = known.map(({ name }) => name);
  const near = known.find(({ otherNames }) => otherNames?.includes(asked))?.name ?? nearestName(asked, names);
  const there = names.length === 0 ? "there are no tools" : `the tools are ${names.join(", ")}`;
  const hint = near === undefined ? there : `did you mean ${near}?`;
  const name = JSON.stringify(asked);
  return `${agent === undefined ? `there is no tool ${name}` : `${name} is not available to ${agent}`}; ${hint}`;
}

/** Of a tool that is told by its name alone: what it takes is not known to the model. */
export const notFoundYet = (name: string): string =>
  `${name} was not described yet: call ${toolSearchName} with its name, and then it`;

const notPlanning = `${planToolName} is there in the mode plan alone, and the mode is another one: go on without it`;
