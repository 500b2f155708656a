import { room } from "../room.ts";

/** Servers of tools, as they are listed, added and removed. */
export const mcpCommands = room("mcpCommands", {
  none: "no servers: agent mcp add NAME -- COMMAND, or --url URL, writes one into your config.json",
  notRead: ({ why }: { why: string }) => `its sign-in cannot be read: ${why}`,
  signedIn: ({ host }: { host: string }) => `signed in at ${host}`,
  needsSignIn: ({ command }: { command: string }) => `needs you to sign in: ${command}`,
  ofBrowser: "--chromium belongs to a browser",
  ofBrowserHint: "agent mcp add browser",
  isThere: ({ name }: { name: string }) => `there is a server ${name} already`,
  isThereHint: ({ name }: { name: string }) => `agent mcp remove ${name}`,
  wrote: ({ name, file }: { name: string; file: string }) =>
    `wrote ${name} into ${file}; it is off until you trust it: agent mcp trust ${name}`,
  valueStands: ({ header }: { header: string }) =>
    `careful: the value of ${header} stands there for whoever reads the file; a variable of your environment is written as \${NAME}`,
  browserAlone: "a browser is started by the agent: it has no --url, --env, --header and --private",
  browser: ({ program }: { program: string }) => `its browser is ${program}`,
  noCommand: "the command that starts it is missing",
  noCommandHint: "agent mcp add NAME -- COMMAND, or agent mcp add NAME --url URL",
  ofUrl: "--header and --private belong to --url",
  notStarted: "a server with --url is not started: it has no command and no --env",
  noHeader: "a --header is not 'Name: value'",
  isProjects: ({ name }: { name: string }) => `${name} is the project's`,
  isProjectsHint: "its entry stands in .mcp.json",
  removed: ({ name }: { name: string }) => `removed ${name}, and your trust in it`,
  noServer: ({ name }: { name: string }) => `there is no server ${JSON.stringify(name)}`,
  listHint: "agent mcp list shows them",
  near: ({ name }: { name: string }) => `did you mean ${name}?`,
  saidNothing: ({ name }: { name: string }) => `${name} has said nothing yet`,
  unreadLog: ({ why }: { why: string }) => `its log cannot be read: ${why}`,
});
