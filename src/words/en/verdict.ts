import { room } from "../room.ts";

/** The verdict that policy would give on a call, and what it comes from. */
export const verdict = room("verdict", {
  would: { allow: "would run without asking", ask: "would be asked about", deny: "would be denied" },
  /** Between that and the risk. */
  risk: ", risk ",
  why: ({ why }: { why: string }) => `why: ${why}`,
  decidedBy: ({ source }: { source: string }) => `decided by: ${source}`,
  commands: "its commands:",
  sources: {
    sealed: "the list of sealed places, which nothing may write",
    guarded: "the list of guarded places, which are always asked about",
    watched: "the list of files that run when you build",
    confirm: "the tool itself, which wants this very call confirmed",
    mode: "the mode of this run",
    user: "a rule of yours",
    project: "a rule of this project",
    grant: "a grant of yours",
    table: "the risk table",
  },
  revokes: ({ source, grant }: { source: string; grant: string }) =>
    `${source} (agent policy revoke ${grant} takes it back)`,
});
