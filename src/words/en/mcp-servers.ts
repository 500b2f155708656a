import { room } from "../room.ts";

/** The reasons why a server of tools, or something of it, is off. */
export const mcpServers = room("mcpServers", {
  isYours: "your own settings have a server of this name",
  noObject: "it is no object",
  noServers: "its mcpServers are no object",
  tooMany: ({ most }: { most: number }) => `it has more than ${most} servers`,
  personsAlone: ({ what }: { what: string }) => `${what}, which only your own config.json may`,
  /** The parts of an entry that only the person's settings may say. */
  namesVariables: "it names variables of your environment",
  takesSecrets: "it says which secrets of yours it takes",
  asksModel: "it says that it may ask your model",
  variableInHost:
    "its url has a variable in the place of its host or port: write them, so that your trust is bound to them",
  waitsInProject: "it waits for your trust in this project (agent trust), then in itself",
  notSet: ({ variable }: { variable: string }) => `the variable ${variable} that it names is not set`,
  waits: ({ name }: { name: string }) => `it waits for your trust: agent mcp trust ${name}`,
  changed: ({ names, name }: { names: readonly string[]; name: string }) =>
    `${names.join(", ")} changed since you trusted it: agent mcp trust ${name}`,
  isGone: "its entry is gone",
  isOff: ({ name, why }: { name: string; why: string }) => `the MCP server ${name} is off: ${why}`,
  untrusted: "it is not trusted",
  noTool: ({ tool }: { tool: string }) =>
    `no tool of it is called ${tool}, as its urlPatterns have it: they narrow none`,
  hasOthersName: ({ tool }: { tool: string }) => `its tool ${tool} is left out, for another has its name`,
});
