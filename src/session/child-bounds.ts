import type { ChildSpec } from "../core/child-session.ts";
import { effectOf, type Tool } from "../core/tool.ts";
import { isNamed, plainNames } from "../core/tool-names.ts";
import type { Rights } from "../policy/rights.ts";
import { agentOf } from "../records/session-progress.ts";
import type { ChildRow } from "../store/types.ts";

/** The bounds of a child, by those that it was begun with. */
export interface ChildBounds {
  /** Its name, and those of the tools that it was to have; none where it has all. */
  readonly agent: string;
  readonly names: readonly string[];
  offers(tool: Tool): boolean;
  /** The rights that it has at most; of one that an older version began they are not known. */
  readonly rights: Rights | undefined;
}

export function boundsOf(row: Pick<ChildRow, "spec">): ChildBounds {
  const { tools: patterns = [] } = row.spec as unknown as ChildSpec;
  const offers = (tool: Tool): boolean => effectOf(tool) !== "child" && isNamed(patterns, tool.name);
  return { agent: agentOf(row), names: plainNames(patterns), offers, rights: rightsIn(row) };
}

/** With which it was begun. */
export const rightsIn = ({ spec }: Pick<ChildRow, "spec">): Rights | undefined => spec["rights"] as Rights | undefined;
