import { room } from "../room.ts";

/** Commands of files: why one is left out, or cannot be said. */
export const commandFiles = room("commandFiles", {
  noText: "it is no UTF-8 text",
  waits: "it waits for your trust (agent trust)",
  nameShape: "a command's name has letters, digits, - and _ in it",
  isOurs: "the program has a command of this name",
  hasName: ({ source }: { source: string }) => `another one has this name, and comes first: ${source}`,
  isEmpty: "it says nothing",
  noPrompt: "it has no prompt",
  tooLarge: ({ kilobytes }: { kilobytes: number }) => `it is larger than ${kilobytes} kB`,
  noFile: "it is no regular file that can be read",
  leadsNowhere: "it is a link that leads nowhere",
  tooManyCalls: ({ most }: { most: number }) => `it would make more than ${most} calls`,
  misplaced:
    "in a line that it runs, what is typed has its place outside of quotes, or alone between two, and not in arithmetic, `…`, [[ ]], a subscript, braces, a comment or behind case",
});
