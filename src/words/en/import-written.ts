import { room } from "../room.ts";

/** The fate of a person's files where another program's settings are taken over. */
export const importWritten = room("importWritten", {
  link: ({ path, isFolder }: { path: string; isFolder: boolean }) =>
    `${path} is a link, or no ${isFolder ? "folder" : "plain file"}: nothing is written through it`,
  noServers: ({ file, line }: { file: string; line: number }) => `${file}:${line}: "mcpServers" must be an object`,
  mendFirst: "nothing was written: mend it first",
  noList: ({ file, line, path }: { file: string; line: number; path: readonly string[] }) =>
    `${file}:${line}: "${path.join(".")}" must be a list`,
  noProgram: ({ name }: { name: string }) => `nothing is imported from "${name}"`,
  isOneOf: ({ names }: { names: readonly string[] }) => `it is one of ${names.join(", ")}`,
  nothingFound: ({ name }: { name: string }) => `nothing of ${name} was found here`,
  nothingToWrite: "there is nothing to write",
  nothingWritten: "nothing was written",
  takesEffect: "what this project allows, and its instructions, take effect with agent trust",
  set: ({ variable, from }: { variable: string; from: string }) =>
    `set ${variable} in your environment; its value stands in ${from} and was not copied`,
  toBeCompleted: ({ command }: { command: string }) => `to be completed: ${command}`,
  notWritten: ({ name, why }: { name: string; why: string }) => `server ${name}: not written: ${why}`,
  off: ({ names }: { names: readonly string[] }) =>
    `${names.join(", ")}: off until you trust each: agent mcp trust NAME`,
  lost: ({ count }: { count: number }) => `what denies or asks there, and is not written here: ${count}, marked with !`,
  asks: "nothing was written: agent import asks at a terminal",
  asksHint: ({ name }: { name: string }) => `after reading the changes above: agent import ${name} --yes`,
  question: "Write these changes? Type yes: ",
});
