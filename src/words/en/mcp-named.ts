import { room } from "../room.ts";

/** The things that a person's message names of a server: the reasons why they are not had. */
export const mcpNamed = room("mcpNamed", {
  noPrompt: ({ typed, name }: { typed: string; name: string }) =>
    `you trust no prompt /${typed} of the MCP server ${name}`,
  noPromptHint: ({ name }: { name: string }) =>
    `agent mcp list shows those that you do; one that is new waits: agent mcp trust ${name}`,
  notAsked: ({ name, why }: { name: string; why: string }) => `the MCP server ${name} is not asked: ${why}`,
  isDoubtful: ({ shown }: { shown: string }) =>
    `${shown} is not taken for a message: it can be read as the address of several files`,
  notRead: ({ shown, why }: { shown: string; why: string }) => `${shown} may not be read: ${why}`,
  isGuarded: ({ shown, why }: { shown: string; why: string }) =>
    `${shown} is guarded, and not read for a message: ${why}`,
  tooManyNames: ({ most, count }: { most: number; count: number }) =>
    `a message names at most ${most} resources of servers, and this one ${count}`,
  tooLong: ({ given, taken }: { given: string; taken: string }) =>
    `the resources that it names give ${given} bytes of text, and a message takes ${taken}`,
  missing: ({ names, takes }: { names: readonly string[]; takes: string }) =>
    `its argument ${names.join(", ")} is missing; it takes ${takes}`,
  twice: ({ name }: { name: string }) => `its argument ${name} is given twice`,
  noArguments: "it takes no arguments",
  tooManyWords: ({ more, takes }: { more: number; takes: string }) =>
    `${more} more ${more === 1 ? "word" : "words"} than it takes, which is ${takes}: put what belongs together in quotes`,
});
