import { room } from "../room.ts";

/** The reasons why a file of the person's policy, or of a project's, cannot be used at all. */
export const policyFile = room("policyFile", {
  unread: ({ why }: { why: string }) => `the file cannot be read: ${why}`,
  unwritten: ({ why }: { why: string }) => `the file cannot be written: ${why}`,
  leadsOut: "it is a link that leads out of the workspace: it is not read",
});
