import { room } from "../room.ts";

/** A rule that is shown before it is written. */
export const rule = room("rule", {
  /** Its line of /help. */
  help: { argument: "yes", text: "show a rule for what you answered alike, then write it" },
  /** The answers of its command. */
  answers: {
    usage: "/suggest shows a rule for what you answered alike",
    notShown: "no rule was shown: /suggest shows it",
    none: "nothing to suggest: no question here was answered alike three times and never otherwise",
    writes: "/suggest yes writes it",
  },
  title: "A rule for what you answered alike",
  hint: "y writes it · esc leaves it",
  unread: "read it first: then y writes it",
  unseen: ({ rows }: { rows: string }) => `not on the screen yet: ${rows}`,
  written: ({ file }: { file: string }) => `written to ${file}: it counts from the next call on`,
});
