import type { SessionRow, Store } from "../store/types.ts";

type Sessions = Pick<Store, "sessions">;

/** The session and those that calls of it drive, and of these in turn: itself first. */
export const treeUnder = ({ sessions }: Sessions, id: string): string[] => [
  id,
  ...sessions.children(id).flatMap((child) => treeUnder({ sessions }, child.id)),
];

/** The ids of the sessions that one stop ends, and whose calls one question asks about: of the whole tree that this one is in, the root first. */
export function treeOf({ sessions }: Sessions, { id, parent }: SessionRow): string[] {
  const above = parent === undefined ? undefined : sessions.get(parent);
  return above === undefined ? treeUnder({ sessions }, id) : treeOf({ sessions }, above);
}
