import type { FolderFacts } from "../../services/session-services.ts";
import type { Typed } from "../../typed.ts";

/** A line that begins with the name of no command of the program's own. */
export type UnknownCommand = Extract<Typed, { kind: "unknown" }>;

/** Tells whether a file has the command, or a server the prompt; else a line is a message where it looks like one. */
export async function meantBy(
  { name, isText }: Pick<UnknownCommand, "name" | "isText">,
  folder: Pick<FolderFacts, "hasCommand">,
  workspace: string,
): Promise<"command" | "message" | "nothing"> {
  if (await folder.hasCommand(name, workspace)) return "command";
  return isText ? "message" : "nothing";
}
