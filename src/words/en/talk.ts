import { room } from "../room.ts";

/** The talk of a session, read on the whole screen. */
export const talk = room("talk", {
  /** Its line of /help. */
  help: { argument: "", text: "all that was said and done here, in full" },
  /** The keys, the widest first. */
  hints: ["j k space b g G · / search · h l sideways · esc back", "j k g G · / search · esc back", "j k · esc back"],
  /** Beside its title. */
  asOfNow: "all of it, as of now",
  none: "nothing was said here yet",
  /** At its beginning, where more was said before. */
  earlier: ({ pieces, session }: { pieces: number; session: string }) =>
    `${pieces} earlier messages and calls are not shown: agent sessions show ${session}`,
});
