import { room } from "../room.ts";

/** The reasons why a server of another program is not taken over. */
export const importServers = room("importServers", {
  mayHoldSecret: ({ what }: { what: string }) => `${what} may hold a secret`,
  tooManyWords: "it has too many words",
  envName: "its env has a name that no variable has",
  label: "a name in its env or its headers",
  variable: "what should name a variable may hold a secret, or means another one here",
  takesVariables: "it is the project's, and would be given variables of yours",
  leadsIntoNetwork: "it is the project's, and leads into a private network",
  startedFor: ({ name }: { name: string }) =>
    `it is started for this project, and as a server of yours its words may mean something else: name it in .mcp.json of the project, or take it by hand (agent mcp add ${name} -- …)`,
  decides: ({ variable }: { variable: string }) => `its env sets ${variable}, which may decide what is started`,
  itsName: "its name",
  itsProgram: "its program",
  itsArgument: ({ nth }: { nth: number }) => `argument ${nth}`,
  /** More than five are not named. */
  several: ({ names, more }: { names: readonly string[]; more: boolean }) =>
    `${names.join(", ")}${more ? " and others" : ""}`,
  ofEnv: ({ why }: { why: string }) => `its env: ${why}`,
  ofHeaders: ({ why }: { why: string }) => `its headers: ${why}`,
  others: ({ names }: { names: string }) => `${names} may hold a secret, or mean something else here`,
  noPlainUrl: "its url has more than a host and a path of plain words, which may hold a secret",
  older: "it speaks the older HTTP of MCP (sse), which this version does not",
  noObject: "it is no object",
  noAddress: "it has no command and no url, or several",
  wrongType: ({ isReached }: { isReached: boolean }) =>
    `its type is none of a server that is ${isReached ? "reached" : "started"}`,
  unlike: ({ isNamed, strange }: { isNamed: boolean; strange: string }) =>
    `it has ${isNamed ? strange : "a setting"}, which has no like here`,
  listAndArgs: "its command is a list, and it has args",
  noTexts: "its command and args are no texts",
  startedWithHeaders: "it is started, and has headers",
  noUrl: "its url is no text",
  reachedWithArgs: "it is reached by its url, and has args or an env",
  off: "it is turned off there",
  otherType: "what stands there is of another type than it has there",
  twoWays: "one of them stands there in two ways",
  noVariable: "what should name a variable is no name of one",
  wrongList: "they are not of the type that they have there",
  tooMany: ({ most }: { most: number }) => `there are more than ${most}: none is taken over`,
  isThere: "there is a server of this name already",
  otherVariable: ({ twice }: { twice: string }) =>
    `its variable would be ${twice}, which stands for something else already`,
});
