import { room } from "../room.ts";

/** The ends of the command because of a defect, or of its reader. */
export const defects = room("defects", {
  details: ({ log }: { log: string }) => ` Details are in ${log}.`,
  internal: ({ message, where }: { message: string; where: string }) =>
    `agent: internal error: ${message}\nWhat was begun is saved: agent resume goes on with it.${where}`,
  lost: ({ why }: { why: string }) => `agent: stdout cannot be written: ${why}`,
});
