import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The command line at large: what its help begins with, and what is wrong with what was typed. */
export const program = room("program", {
  text: "A terminal agent you can trust with your working tree.",
  groups: { work: "Work:", lookBack: "Look back:", settings: "Settings:" },
  version: "print the version",
  help: "show this help",
  helpCommand: "the same as COMMAND --help",
  examples: "Examples:",
  ofExamples: [
    ["agent", "talk with the agent in this folder"],
    ['agent -p "update the changelog"', "one message without a person, as agent run"],
    ["agent -c", "go on with the newest session of this folder"],
    ["agent -r brisk-otter", "go on with this session, as agent resume"],
    ["agent --model demo", "a tour, without a key"],
  ] satisfies CommandHelp["examples"],
  more: "agent COMMAND --help says more of a command.",
  policy: "what may run without asking, and why",
  mcp: "servers that bring tools (MCP)",
  anyOptions: "[options]",
  anyCommand: "[command]",
  showsCommands: ({ path }: { path: string }) => `${path} --help shows ${path === "agent" ? "the" : "its"} commands`,
  howUsed: ({ path }: { path: string }) => `${path} --help says how it is used`,
  noCommand: ({ told, path }: { told: string; path: string }) => `there is no command ${told} in ${path}`,
  has: ({ names }: { names: readonly string[] }) => `it has ${names.join(", ")}`,
  tooMany: ({ path, told }: { path: string; told: string }) => `too many arguments for ${path}: ${told} is left over`,
  quotes: ({ path }: { path: string }) => `put the prompt in quotes: ${path} "…"`,
  /** Above the parts of a help that have no group of their own. */
  titles: { "Usage:": "Usage:", "Arguments:": "Arguments:", "Options:": "Options:", "Commands:": "Commands:" },
});
