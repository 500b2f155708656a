import { reservedNames } from "../../core/reserved-names.ts";
import type { Tool } from "../../core/tool.ts";
import { type LeftOut, nameIn, type OwnTool, type ToolOrigin } from "./open-own-tools.ts";

/** The tools of a session, and where each is from. */
export interface JoinedTools {
  tools: Tool[];
  leftOut: LeftOut[];
  sourceOf(tool: Tool): "builtin" | ToolOrigin;
}

/** Two tools of the person's settings have one name: which of them is meant nobody can know. */
export class TwoTools extends Error {
  override readonly name = "TwoTools";
}

/**
 * The agent's tools and the person's own. A tool of the person's settings takes the place of one of the agent's with its name; one of
 * the project whose name is taken is left out.
 * @param taken names of the agent's tools that are not among them now
 * @throws TwoTools
 */
export function joinTools(
  builtIn: readonly Tool[],
  own: readonly OwnTool[],
  taken: readonly string[] = [],
): JoinedTools {
  const users = new Map<string, OwnTool>();
  const added = new Map<string, OwnTool>();
  const leftOut: LeftOut[] = [];
  const builtInNames = new Set([...builtIn.map(({ name }) => name), ...taken]);
  for (const one of own.filter(({ file }) => file.origin === "user")) {
    const { name } = one.tool;
    const other = users.get(name);
    if (other !== undefined)
      throw new TwoTools(`two tools are named ${name}: one of ${other.file.shown} and one of ${one.file.shown}`);
    if (reservedNames.has(name)) leftOut.push(leftOutFor(one, "no tool but the agent's own may have this name"));
    else users.set(name, one);
  }
  for (const one of own.filter(({ file }) => file.origin === "project")) {
    const { name } = one.tool;
    const other = users.get(name) ?? added.get(name);
    if (builtInNames.has(name) || reservedNames.has(name))
      leftOut.push(leftOutFor(one, "the agent itself has a tool of this name"));
    else if (other !== undefined) leftOut.push(leftOutFor(one, `${other.file.shown} has a tool of this name`));
    else added.set(name, one);
  }
  const replaced = builtIn.map((tool) => users.get(tool.name)?.tool ?? tool);
  const more = [...users.values(), ...added.values()]
    .map(({ tool }) => tool)
    .filter((tool) => !replaced.includes(tool));
  const origins = new Map<Tool, ToolOrigin>(own.map(({ tool, file }) => [tool, file.origin]));
  return { tools: [...replaced, ...more], leftOut, sourceOf: (tool) => origins.get(tool) ?? "builtin" };
}

const leftOutFor = ({ tool, file }: OwnTool, why: string): LeftOut => ({
  name: nameIn(tool.name, file),
  origin: file.origin,
  why,
});

/** One that the session does without, for the person. */
export const leftOutText = ({ name, why }: LeftOut): string => `the tool ${name} is left out: ${why}`;
