import type { BaseMessage } from "@langchain/core/messages";
import { ownCommandName } from "../core/call.ts";
import type { Tool } from "../core/tool.ts";
import { newMessageId } from "../graph/state.ts";
import { commandMessage } from "../graph/talk/person-call.ts";
import { asBuiltIn, isBuiltIn } from "../tools/built-in.ts";

/** What the person's `!command` runs: the session's shell under a name of its own, which the model is not told. */
export const ownCommandTool = (tools: readonly Tool[]): Tool[] =>
  tools
    .filter((tool) => tool.name === "shell" && isBuiltIn(tool))
    .map((shell) => asBuiltIn({ ...shell, name: ownCommandName, audience: "person", editable: [] }));

/** The person's own command line as their message. */
export function ownCommandTurn(command: string): { text: string; message: BaseMessage } {
  const text = `!${command}`;
  const call = { name: ownCommandName, arguments: { command, network: true } };
  return { text, message: commandMessage(newMessageId(), text, call) };
}
