import type { Tool } from "../core/tool.ts";

const known = new WeakSet<object>();

/** Notes that this very object is one of the program's own tools; a copy of it is not. */
export function asBuiltIn(tool: Tool): Tool {
  known.add(tool);
  return tool;
}

// Keeps tools 2.
/** Tells whether the risk table speaks of this tool: another one that took its name is judged as what it is. */
export const isBuiltIn = (tool: object): boolean => known.has(tool);
