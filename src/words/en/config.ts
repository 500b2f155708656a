import { room } from "../room.ts";

/** The faults of a config.json, at a line of it. */
export const config = room("config", {
  maxObserve: "expected a number of characters, or false for all",
  folder: "a folder is named by its whole path, without a colon in it",
  place: "a place is named by its whole path, or by one that begins with ~/",
  address: "an address without credentials in it: a key comes from the variable that keyEnv names",
  serverName: "a server's name has letters, digits, _, - and . in it",
  noServers: "script and demo are no servers",
  model: "a model is named SERVER:NAME; a * in NAME stands for any text",
  variable: "the name of a variable of the environment",
  noAddress: "its baseUrl is missing, and no server is known by this name",
  ownFields: ({ names }: { names: readonly string[] }) => `${names.join(", ")} are the agent's own`,
  noProject: "there is no CLAUDE_PROJECT_DIR here: a hook is no file of a project",
  ownProgram:
    "its program is named from the folder that is worked in, where a project may have another: name it by its whole path",
  timeout: "a number of seconds, 3600 at the most",
  mcpServerName: "a server's name begins with a letter or a digit and has letters, digits, _, - and . in it",
  mcpServerType: 'a server is of type "stdio" or "http"',
  sampling: 'sampling is "ask", or left out',
  mcpServer: "a server has a command that starts it, or a url",
});
