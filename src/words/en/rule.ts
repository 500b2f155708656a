import { room } from "../room.ts";

/** A rule that is shown before it is written. */
export const rule = room("rule", {
  title: "A rule for what you answered alike",
  hint: "y writes it · esc leaves it",
  unread: "read it first: then y writes it",
  unseen: ({ rows }: { rows: string }) => `not on the screen yet: ${rows}`,
  written: ({ file }: { file: string }) => `written to ${file}: it counts from the next call on`,
});
