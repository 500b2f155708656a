import { room } from "../room.ts";

/** The rules and grants of a session. */
export const grants = room("grants", {
  /** Its line of /help. */
  help: { argument: "revoke ID", text: "the mode, and the rules and grants in force" },
  listHint: "x revokes a grant · esc back",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  revoke: "revoke it? y revokes it, any other key keeps it",
  kept: "it stays",
  aRule: "a rule stands in its file: it is changed there",
  revoked: ({ id }: { id: string }) => `${id} is revoked: it is asked about again`,
  isGone: ({ id }: { id: string }) => `there is no grant ${id} any more`,
  /** Behind the list, where lines are all there is. */
  byName: "/permissions revoke ID takes a grant back",
  unclear: "/permissions lists rules and grants, /permissions revoke ID takes a grant back: what is meant?",
  none: "no rules and no grants: the mode and each tool's risk decide",
});
