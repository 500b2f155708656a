import { room } from "../room.ts";

/** The list of all that can be done in the chat. */
export const palette = room("palette", {
  /** Its line of /help. */
  help: { argument: "", text: "all that can be done here, in one list" },
  none: "nothing here has these words",
  hint: "type to narrow · enter takes it · esc back",
  untitled: "(no title)",
  session: ({ id, when }: { id: string; when: string }) => `session ${id}, ${when}`,
  mode: ({ mode }: { mode: string }) => `mode ${mode}`,
  fromNowOn: "from now on",
  /** Stand above the entries of a group. */
  groups: {
    chat: "the chat",
    session: "this session",
    work: "what is done in it",
    rules: "what is allowed",
    modes: "modes",
    files: "commands of files",
    sessions: "other sessions",
  },
});
